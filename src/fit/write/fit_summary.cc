#include "fit/write/fit_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "fit/write/fit_words.h"
#include "report/number_text.h"

namespace ttscope::fit {
namespace {

using Ink = report::Painter::Ink;
using report::size_text;

constexpr int kNarrowestFit = 60;
constexpr int kWidestFit = 140;
constexpr std::size_t kMissesShown = 3;

void paint_replay(const Agreement& agreement, std::size_t top, report::Painter& out) {
  out.item("replay", agreement_sentence(agreement));
  const std::string corrections = correction_sentence(agreement);
  if (!corrections.empty()) out.item("", corrections, Ink::kDim);
  const std::size_t shown = std::min({top, kMissesShown, agreement.first_misses.size()});
  for (std::size_t i = 0; i < shown; ++i) out.item("", miss_text(agreement.first_misses[i]), Ink::kDim);
  if (agreement.misses > shown && shown > 0)
    out.item("", fmt::format("{} more in --json", report::counted(agreement.misses - shown, "figure")),
             Ink::kDim);
}

void paint_memory(const MemoryUse& use, const DeviceVerdict& verdict, report::Painter& out) {
  if (!use.is_told) {
    out.line(fmt::format("  {}{}{}", report::pad_right(name_of(use.memory), 10),
                         report::pad_left(kNotTold, 12),
                         report::pad_left(size_text(use.region.bytes_per_bank), 12)));
    return;
  }
  const double part = report::ratio(use.peak_bytes_per_bank, use.region.bytes_per_bank);
  const Ink ink = part > 1 ? Ink::kRed : part > 0.9 ? Ink::kYellow : Ink::kGreen;
  const std::size_t cells = std::min<std::size_t>(out.width() - 50, 40);
  out.line(fmt::format("  {}{}{}{}  {}", report::pad_right(name_of(use.memory), 10),
                       report::pad_left(size_text(use.peak_bytes_per_bank), 12),
                       report::pad_left(size_text(use.region.bytes_per_bank), 12),
                       out.paint(report::pad_left(report::percent_text(part), 10), ink),
                       out.paint(report::gauge(std::min(part, 1.0), cells), ink)));
  std::string text = fmt::format(
      "headroom {}{}{}, largest free block never below {}, fragmentation up to {} ({})",
      use.headroom_bytes_per_bank < 0 ? "-" : "", size_text(std::abs(use.headroom_bytes_per_bank)),
      counts_request(use, verdict) ? " with what found no room" : "",
      size_text(use.smallest_largest_free_bytes_per_bank), report::percent_text(use.worst_fragmentation),
      basis_text(use.basis));
  out.paragraph(4, text, Ink::kDim);
  const std::string place = place_text(use.peak_place);
  if (!place.empty()) out.paragraph(4, "peak: " + terminal_safe(place), Ink::kDim);
}

void paint_held(const Failure& failure, std::size_t top, report::Painter& out) {
  if (failure.held.empty()) return;
  out.heading("Live then", failure.memory ? fmt::format("in each bank of {}", name_of(*failure.memory)) : "");
  for (const KindBytes& kind : failure.held)
    out.item(size_text(kind.bytes_per_bank),
             fmt::format("{}, {}", terminal_safe(kind.kind), report::counted(kind.tensors, "buffer")));
  for (std::size_t i = 0; i < std::min(top, failure.live.size()); ++i) {
    const LiveTensor& tensor = failure.live[i];
    out.item(size_text(tensor.bytes_per_bank),
             fmt::format("  {} {} {} {}", terminal_safe(tensor.name), tensor.shape,
                         terminal_safe(tensor.dtype), terminal_safe(tensor.kind)),
             Ink::kDim);
  }
}

/// Phases of gradient accumulation are alike from the third on: those are left to --json.
bool is_told(const PhaseUse& phase, const DeviceVerdict& verdict) {
  if (phase.state == PhaseUse::State::kFailed) return true;
  const std::size_t at = phase.name.rfind("_micro_");
  if (at == std::string::npos) return true;
  const std::string number = phase.name.substr(at + 7);
  const bool is_last =
      &phase - verdict.phases.data() + 3 >= static_cast<std::ptrdiff_t>(verdict.phases.size());
  return number == "0" || number == "1" || is_last;
}

/// One line; two where the terminal is too narrow for name, figures and state.
std::vector<std::string> phase_lines(const PhaseUse& phase, std::size_t width) {
  constexpr std::size_t kNameWidth = 32;
  const std::string figures = report::pad_left(size_text(phase.before_bytes_per_bank), 12) +
                              report::pad_left(size_text(phase.peak_bytes_per_bank), 12) +
                              report::pad_left(size_text(phase.after_bytes_per_bank), 12);
  const std::string state = phase_state_text(phase.state);
  const std::string line =
      fmt::format("  {}{}  {}", report::pad_right(phase.name, kNameWidth), figures, state);
  if (report::display_width(line) <= width) return {line};
  return {fmt::format("  {}{}{}", phase.name, state.empty() ? "" : "  ", state),
          fmt::format("  {}{}", report::pad_right("", 8), figures)};
}

void paint_phases(const DeviceVerdict& verdict, report::Painter& out) {
  if (verdict.phases.empty()) return;
  out.heading("Phases", "DRAM of one bank: before, at the peak, after");
  for (const PhaseUse& phase : verdict.phases) {
    if (!is_told(phase, verdict)) continue;
    const bool failed = phase.state == PhaseUse::State::kFailed;
    const bool reached = phase.state == PhaseUse::State::kDone;
    for (const std::string& line : phase_lines(phase, out.width()))
      out.line(failed ? out.paint(line, Ink::kRed) : reached ? line : out.paint(line, Ink::kDim));
  }
}

void paint_one(const DeviceVerdict& verdict, std::size_t top, report::Painter& out) {
  out.heading("Memory", "peak and size of one bank; all banks are alike");
  for (const MemoryUse& use : verdict.memories) {
    if (use.peak_bytes_per_bank > 0 || use.memory == Memory::kDram) paint_memory(use, verdict, out);
  }
  paint_phases(verdict, out);
  if (verdict.failure) paint_held(*verdict.failure, top, out);
}

using Rows = std::vector<std::vector<std::string>>;

std::vector<std::size_t> widths_of(const Rows& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], report::display_width(row[c]));
  }
  return widths;
}

/// Leaves out columns until the table is no wider than the terminal: largest block left, then those of L1.
void narrow(Rows& rows, std::size_t width) {
  for (const std::size_t column : {5U, 6U, 5U}) {
    std::size_t sum = 1;
    for (const std::size_t each : widths_of(rows)) sum += each + 1;
    if (sum <= width) return;
    for (auto& row : rows) {
      if (column < row.size()) row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
    }
  }
}

/// Columns as wide as their widest cell; the first two to the left.
void paint_table(const Report& report, report::Painter& out) {
  out.heading("Devices", "each chip by itself");
  Rows rows = {device_columns()};
  for (const DeviceVerdict& verdict : report.devices) rows.push_back(device_row(report, verdict));
  narrow(rows, out.width());
  const std::vector<std::size_t> widths = widths_of(rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = " ";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string cell =
          c < 2 ? report::pad_right(rows[r][c], widths[c]) : report::pad_left(rows[r][c], widths[c]);
      const bool verdict = r > 0 && c == 1;
      line += " ";
      line += verdict  ? out.paint(cell, report.devices[r - 1].fits ? Ink::kGreen : Ink::kRed)
              : r == 0 ? out.paint(cell, Ink::kDim)
                       : cell;
    }
    out.line(line);
  }
  for (const DeviceVerdict& verdict : report.devices) {
    if (verdict.failure)
      out.item(verdict.device.name, terminal_safe(failure_sentence(*verdict.failure)), Ink::kDim);
  }
}

void paint_search(const Report& report, std::size_t top, report::Painter& out) {
  const Search& search = *report.search;
  out.heading("Smallest change that fits", "tried from the smallest on, alone, then in pairs");
  out.item("answer", terminal_safe(search_sentence(report)));
  std::size_t shown = 0;
  for (const Attempt& attempt : search.attempts) {
    if (attempt.fits || shown++ >= 2 * top) continue;
    out.item("no",
             fmt::format("{}: {} of a DRAM bank at the peak", terminal_safe(changes_text(attempt.changes)),
                         size_text(attempt.peak_bytes_per_bank)),
             Ink::kDim);
  }
}

}  // namespace

std::string fit_summary_text(const Report& report, const report::TextOptions& options) {
  report::Painter out(options.color,
                      static_cast<std::size_t>(std::clamp(options.width, kNarrowestFit, kWidestFit)));
  const auto top = static_cast<std::size_t>(std::max(options.top, 0));
  const std::size_t count = report.devices.size();
  if (report.replay) paint_replay(*report.replay, top, out);
  if (const std::string joined = joined_sentence(report); !joined.empty())
    out.item("inputs", terminal_safe(joined));
  if (!report.changes.empty()) out.item("with", terminal_safe(changes_text(report.changes)));
  out.blank_line();
  if (count == 1) {
    const DeviceVerdict& verdict = report.devices.front();
    out.statement(verdict.fits ? fits_word(report) : "DOES NOT FIT", verdict.fits ? Ink::kGreen : Ink::kRed,
                  terminal_safe(verdict_sentence(verdict)));
    paint_one(verdict, top, out);
  } else {
    const auto fitting = static_cast<std::size_t>(std::count_if(
        report.devices.begin(), report.devices.end(), [](const DeviceVerdict& d) { return d.fits; }));
    out.statement(fitting == count ? fits_word(report)
                  : fitting == 0   ? "DOES NOT FIT"
                                   : "FITS ON SOME",
                  fitting == count ? Ink::kGreen
                  : fitting == 0   ? Ink::kRed
                                   : Ink::kYellow,
                  fmt::format("{} of {}", fitting, report::counted(count, "device")));
    paint_table(report, out);
  }
  if (report.search) paint_search(report, top, out);
  if (report.maximum) {
    out.heading("Largest that fits");
    out.item(name_of(report.maximum->growth), maximum_sentence(report));
  }
  out.heading("Left out of these figures");
  for (const Omission omission : report.omissions) out.paragraph(2, omission_sentence(omission), Ink::kDim);
  return out.take();
}

}  // namespace ttscope::fit
