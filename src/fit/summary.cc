#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fit/outputs.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::fit {
namespace {

using ui::count_text;
using ui::counted;
using ui::size_text;

/// Two sizes that differ only by bytes read alike otherwise.
std::string exact_text(std::int64_t size_bytes) {
  return fmt::format("{} B", count_text(static_cast<std::uint64_t>(std::max<std::int64_t>(size_bytes, 0))));
}

/// Whether what was asked for and what was there read alike in rounded units.
bool rounds_alike(const Failure& failure) {
  return size_text(failure.bytes_per_bank) == size_text(failure.largest_free_bytes_per_bank) ||
         size_text(failure.bytes_per_bank) == size_text(failure.free_bytes_per_bank);
}

std::string size_in(const Failure& failure, std::int64_t size_bytes) {
  return rounds_alike(failure) ? exact_text(size_bytes) : size_text(size_bytes);
}

/// What a message says of circular buffers, in addresses of a core's L1.
std::string reached_text(const Failure& failure) {
  return fmt::format("circular buffers reach {}, {} are allowed", exact_text(failure.reached_bytes),
                     exact_text(failure.limit_bytes));
}

std::string requested_text(const Failure& failure) {
  if (failure.bytes_per_bank < 0) return "more than there was";
  return fmt::format("{} of each bank", size_in(failure, failure.bytes_per_bank));
}

std::string room_text(const Failure& failure) {
  if (failure.free_bytes_per_bank < 0 && failure.memory) return "the input does not say how much was free";
  switch (failure.shortage) {
    case Shortage::kFragmented:
      return fmt::format("{} are free, but the largest block has {}",
                         size_in(failure, failure.free_bytes_per_bank),
                         size_in(failure, failure.largest_free_bytes_per_bank));
    case Shortage::kExhausted:
      return fmt::format("{} are free", size_in(failure, failure.free_bytes_per_bank));
    case Shortage::kLargerThanBank:
      return "more than a whole bank";
    case Shortage::kRegionMissing:
      return "the device has no such region, or a smaller one";
    case Shortage::kCircularBuffers:
      return "which reaches into the tensors in L1, or beyond L1";
    default:
      return {};
  }
}

}  // namespace

std::string device_label(const Device& device) {
  if (!device.is_own) return device.name;
  return fmt::format(
      "{}, {}", device.name,
      device.is_assumed ? "assumed: the input does not tell its device" : "the input's own device");
}

std::string place_text(const Place& place) {
  if (place.op.empty() && place.phase.empty() && place.line == 0) return {};
  std::string text = place.op.empty() ? std::string() : place.op;
  if (!place.loc.empty()) text += fmt::format("{}{}", text.empty() ? "" : " ", place.loc);
  if (place.line != 0) text += fmt::format("{}line {}", text.empty() ? "" : ", ", count_text(place.line));
  if (place.phase.empty()) return text;
  if (text.empty()) return place.phase;
  if (place.phase == kProgramStart) return fmt::format("{}, before {}", place.phase, text);
  if (place.phase == kAfterOp) return fmt::format("after {}", text);
  if (place.phase == kBetweenPrograms) return fmt::format("{}, {}", place.phase, text);
  return fmt::format("{} in {}", text, place.phase);
}

std::string_view basis_text(Basis basis) {
  return basis == Basis::kMeasured ? "measured, to the byte by the replay" : name_of(basis);
}

bool counts_request(const MemoryUse& use, const DeviceVerdict& verdict) {
  return verdict.failure && verdict.failure->memory == use.memory && use.headroom_bytes_per_bank < 0;
}

std::string joined_sentence(const Report& report) {
  const std::string files = counted(report.inputs.size(), "file");
  if (report.joined == Joined::kInOrder)
    return fmt::format("{} placed one after the other, as parts of one run", files);
  if (report.ranks < 2) return {};
  const std::string taken =
      report.joined == Joined::kRanks ? fmt::format("{} taken as ranks of one run; ", files) : std::string();
  if (report.devices.size() != 1) return fmt::format("{}figures are of the rank with the least room", taken);
  const DeviceVerdict& verdict = report.devices.front();
  return fmt::format("{}figures are of rank {} of {}, {}{}", taken, verdict.rank, report.ranks,
                     verdict.fits ? "which has the least room" : "the first that does not fit",
                     report.joined == Joined::kRanks ? fmt::format(": {}", verdict.file) : "");
}

std::string_view fits_text(const Report& report) { return report.cut_by() ? "FITS SO FAR" : "FITS"; }

std::string verdict_sentence(const DeviceVerdict& verdict) {
  const MemoryUse* dram = verdict.use_of(Memory::kDram);
  std::string device = device_label(verdict.device);
  if (dram == nullptr) return device;
  if (verdict.fits && !dram->is_known)
    return fmt::format("{}: what the input tells finds room; it does not tell what DRAM held", device);
  const std::string peak = fmt::format("{} of {} of each DRAM bank", size_text(dram->peak_bytes_per_bank),
                                       size_text(dram->region.bytes_per_bank));
  if (verdict.fits)
    return fmt::format("{}: {} at the peak, {} left ({})", device, peak,
                       size_text(dram->headroom_bytes_per_bank), name_of(dram->basis));
  const std::string why = verdict.failure ? failure_sentence(*verdict.failure) : std::string();
  return fmt::format("{}: {}", device, why);
}

std::string failure_sentence(const Failure& failure) {
  if (failure.shortage == Shortage::kTooFewChips)
    return fmt::format("the run uses {}, this has fewer",
                       counted(static_cast<std::uint64_t>(failure.needed), "chip"));
  const std::string where = place_text(failure.place);
  const std::string who = failure.tensor.empty() ? std::string("a buffer") : failure.tensor;
  if (failure.shortage == Shortage::kTooFewCores)
    return fmt::format("{} is sharded over {}, this has fewer{}", who,
                       counted(static_cast<std::uint64_t>(failure.needed), "core"),
                       where.empty() ? "" : fmt::format("; {}", where));
  if (failure.shortage == Shortage::kProgramTooLarge)
    return fmt::format("a program is larger than what is kept for programs{}",
                       where.empty() ? "" : fmt::format("; {}", where));
  if (failure.reached_bytes >= 0 && failure.limit_bytes >= 0)
    return fmt::format("L1 has no room: {}{}", reached_text(failure),
                       where.empty() ? "" : fmt::format("; {}", where));
  const std::string memory = failure.memory ? std::string(name_of(*failure.memory)) : std::string("memory");
  const std::string_view state = failure.shortage == Shortage::kExhausted    ? "is exhausted"
                                 : failure.shortage == Shortage::kFragmented ? "is fragmented"
                                                                             : "has no room";
  const std::string room = room_text(failure);
  return fmt::format("{} {}: {} asked for {}{}{}", memory, state, who, requested_text(failure),
                     room.empty() ? "" : ", " + room, where.empty() ? "" : fmt::format("; {}", where));
}

std::string agreement_sentence(const Agreement& agreement) {
  if (agreement.states == 0) return "the input prints no memory states: the replay is not checked";
  const auto share = [&](std::uint64_t part) {
    return fmt::format("{} ({})", count_text(part),
                       ui::percent_text(static_cast<double>(part) / static_cast<double>(agreement.states)));
  };
  return fmt::format("of {} printed: allocated as replayed in {}, largest free blocks in {}",
                     counted(agreement.states, "state"), share(agreement.allocated_equal),
                     share(agreement.largest_free_equal));
}

std::string correction_sentence(const Agreement& agreement) {
  if (agreement.corrections == 0) return {};
  if (agreement.states == 0)
    return fmt::format("{} placed because a request failed that finds room beside what op lines tell",
                       counted(agreement.corrections, "block"));
  return fmt::format(
      "{} placed or freed because the states show it and no op line says so, {} of a DRAM bank at most",
      counted(agreement.corrections, "block"), size_text(agreement.unexplained_bytes_per_bank));
}

std::string miss_text(const ReplayMiss& miss) {
  return fmt::format("line {}: {} {}: printed {}, replayed {}", count_text(miss.line), name_of(miss.memory),
                     miss.of_largest_free ? "largest free block" : "allocated",
                     ui::mb_text(miss.printed_bytes_per_bank, 3) + " MB",
                     ui::mb_text(miss.replayed_bytes_per_bank, 3) + " MB");
}

std::string omission_sentence(Omission omission) {
  switch (omission) {
    case Omission::kCircularBuffers:
      return "circular buffers of programs, which share L1 with tensors";
    case Omission::kKernels:
      return "binaries of kernels in DRAM";
    case Omission::kTemporaries:
      return "temporary buffers inside of an op";
    case Omission::kAfterFailure:
      return "what the run would have needed after the failure that ended it";
    case Omission::kAfterCut:
      return "what the run would have needed after the end of the log";
    case Omission::kUnexplained:
      return "what unexplained blocks would be elsewhere: they are kept, spread over the banks of other "
             "devices";
    case Omission::kActivationsNotSplit:
      return "activations that tensor parallelism would split: weights and caches alone are";
    case Omission::kDimensionsGuessed:
      return "shapes that depend on batch or sequence in another way: dimensions that equal them are scaled";
    case Omission::kSameSchedule:
      return "what the compiler would do otherwise for another device: order, layouts and shards are the "
             "recorded ones";
    case Omission::kDeviceAssumed:
      return "the device itself, which the input does not tell: a usual one is assumed";
    case Omission::kDeviceByMessage:
      return "which product it was: the message tells the banks of the memory that failed; the rest is as "
             "usual";
    case Omission::kHeldAssumed:
      return "what was held, which the message does not tell: the least that makes the request fail is "
             "assumed";
    case Omission::kHolesAssumed:
      return "where it was held: the message tells how much, how much was free and the largest free block; "
             "holes of that size are assumed, spread over the bank";
    case Omission::kCachesKept:
      return "shorter caches: their length is a setting of its own, they are as long as recorded";
    case Omission::kSequenceIsWidth:
      return "which dimension is the sequence where a weight, a head or a cache is as long: tensors that "
             "have "
             "both were decided by their form, and may be off by that dimension";
    case Omission::kDimensionsUnknown:
      return "another batch or sequence, which the search did not try: the capture does not tell what they "
             "were; say so, as in --batch 2:2 or --sequence 256:256";
    case Omission::kNoStates:
      return "a check against the run: no memory states are printed";
    case Omission::kNoDeallocations:
      return "when tensors are freed: the input does not tell it";
    case Omission::kModeledTraining:
      return "a measurement: what operations make, keep and free is modelled after tt-train; sizes of "
             "kernels and "
             "circular buffers are those of their kind";
    case Omission::kVocabularyAssumed:
      return "the vocabulary, which the data tell: 96 characters are assumed";
    case Omission::kBatchAssumed:
      return "the batch, which a model configuration alone does not tell: 1 is assumed (--batch N)";
    case Omission::kUnreadTypes:
      return "tensors whose types could not be read, which count as nothing (`ttscope mem` names their "
             "lines)";
  }
  return {};
}

std::string phase_state_text(PhaseUse::State state) {
  if (state == PhaseUse::State::kDone) return {};
  return state == PhaseUse::State::kFailed ? "fails" : "not reached; would need this";
}

std::string change_text(const AppliedChange& change) {
  std::string text = change.option;
  if (!change.value.empty()) text += " " + change.value;
  if (change.from > 0) text += fmt::format(" instead of {}", change.from);
  if (change.option == "--best-fit" || change.whole_model) return text;
  return fmt::format("{} ({})", text, counted(change.tensors, "tensor"));
}

std::string changes_text(const std::vector<AppliedChange>& changes) {
  std::string text;
  for (const AppliedChange& change : changes) text += (text.empty() ? "" : ", ") + change_text(change);
  return text;
}

namespace {

/// What follows the end of a run that ended early was not recorded, and may need more.
std::string_view up_to_its_end(const Report& report) {
  return report.cut_by() ? ", up to where the run ended" : "";
}

}  // namespace

std::string search_sentence(const Report& report) {
  const Search& search = *report.search;
  if (search.fits_unchanged)
    return fmt::format("it fits on {} as it is{}", search.device, up_to_its_end(report));
  if (search.attempts.empty())
    return fmt::format("nothing that can be tried makes it fit on {}", search.device);
  if (!search.answer)
    return fmt::format("none of {} makes it fit on {}", counted(search.attempts.size(), "change"),
                       search.device);
  const Attempt& answer = search.attempts[*search.answer];
  return fmt::format("{} makes it fit on {}{}: {} of a DRAM bank at the peak, {} left ({})",
                     changes_text(answer.changes), search.device, up_to_its_end(report),
                     size_text(answer.peak_bytes_per_bank), size_text(answer.headroom_bytes_per_bank),
                     name_of(answer.basis));
}

std::string maximum_sentence(const Report& report) {
  const Maximum& maximum = *report.maximum;
  if (!maximum.largest)
    return fmt::format("not even a {} of 1 fits on {}; recorded: {}", name_of(maximum.growth), maximum.device,
                       maximum.recorded);
  return fmt::format("a {} of {}{} fits on {}{}, {} of a DRAM bank left; recorded: {} (estimated)",
                     name_of(maximum.growth), maximum.at_limit ? "at least " : "",
                     count_text(static_cast<std::uint64_t>(*maximum.largest)), maximum.device,
                     up_to_its_end(report), size_text(maximum.headroom_bytes_per_bank), maximum.recorded);
}

std::vector<std::string> device_columns() {
  return {"device",  "fits",     "DRAM peak", "of a bank", "headroom", "largest block left",
          "L1 peak", "of a core"};
}

std::vector<std::string> device_row(const Report& report, const DeviceVerdict& verdict) {
  const std::string_view fits = !verdict.fits ? "no" : report.cut_by() ? "so far" : "yes";
  std::vector<std::string> row = {verdict.device.name, std::string(fits)};
  for (const Memory memory : {Memory::kDram, Memory::kL1}) {
    const MemoryUse* use = verdict.use_of(memory);
    if (use == nullptr) continue;
    row.push_back(use->is_known ? size_text(use->peak_bytes_per_bank) : std::string(kNotReported));
    row.push_back(size_text(use->region.bytes_per_bank));
    if (memory != Memory::kDram) continue;
    if (!use->is_known) {
      row.insert(row.end(), 2, "-");
      continue;
    }
    const bool missing = use->headroom_bytes_per_bank < 0;
    row.push_back(missing ? "-" + size_text(-use->headroom_bytes_per_bank)
                          : size_text(use->headroom_bytes_per_bank));
    row.push_back(size_text(use->smallest_largest_free_bytes_per_bank));
  }
  return row;
}

namespace {

using Ink = ui::Painter::Ink;

constexpr int kMinWidth = 60;
constexpr int kMaxWidth = 140;
constexpr std::size_t kMissesShown = 3;

void paint_replay(const Agreement& agreement, std::size_t top, ui::Painter& out) {
  out.item("replay", agreement_sentence(agreement));
  const std::string corrections = correction_sentence(agreement);
  if (!corrections.empty()) out.item("", corrections, Ink::kDim);
  const std::size_t shown = std::min({top, kMissesShown, agreement.first_misses.size()});
  for (std::size_t i = 0; i < shown; ++i) out.item("", miss_text(agreement.first_misses[i]), Ink::kDim);
  if (agreement.misses > shown && shown > 0)
    out.item("", fmt::format("{} more in --json", ui::counted(agreement.misses - shown, "figure")),
             Ink::kDim);
}

void paint_memory(const MemoryUse& use, const DeviceVerdict& verdict, ui::Painter& out) {
  if (!use.is_known) {
    out.line(fmt::format("  {}{}{}", ui::pad_right(name_of(use.memory), 10), ui::pad_left(kNotReported, 12),
                         ui::pad_left(size_text(use.region.bytes_per_bank), 12)));
    return;
  }
  const double part = ui::ratio(use.peak_bytes_per_bank, use.region.bytes_per_bank);
  const Ink ink = part > 1 ? Ink::kRed : part > 0.9 ? Ink::kYellow : Ink::kGreen;
  const std::size_t cells = std::min<std::size_t>(out.width() - 50, 40);
  out.line(fmt::format("  {}{}{}{}  {}", ui::pad_right(name_of(use.memory), 10),
                       ui::pad_left(size_text(use.peak_bytes_per_bank), 12),
                       ui::pad_left(size_text(use.region.bytes_per_bank), 12),
                       out.paint(ui::pad_left(ui::percent_text(part), 10), ink),
                       out.paint(ui::gauge(std::min(part, 1.0), cells), ink)));
  std::string text = fmt::format(
      "headroom {}{}{}, largest free block never below {}, fragmentation up to {} ({})",
      use.headroom_bytes_per_bank < 0 ? "-" : "", size_text(std::abs(use.headroom_bytes_per_bank)),
      counts_request(use, verdict) ? " with what found no room" : "",
      size_text(use.smallest_largest_free_bytes_per_bank), ui::percent_text(use.worst_fragmentation),
      basis_text(use.basis));
  out.paragraph(4, text, Ink::kDim);
  const std::string place = place_text(use.peak_place);
  if (!place.empty()) out.paragraph(4, "peak: " + terminal_safe(place), Ink::kDim);
}

void paint_held(const Failure& failure, std::size_t top, ui::Painter& out) {
  if (failure.held.empty()) return;
  out.heading("Live then", failure.memory ? fmt::format("in each bank of {}", name_of(*failure.memory)) : "");
  for (const KindBytes& kind : failure.held)
    out.item(size_text(kind.bytes_per_bank),
             fmt::format("{}, {}", terminal_safe(kind.kind), ui::counted(kind.tensors, "buffer")));
  for (std::size_t i = 0; i < std::min(top, failure.live.size()); ++i) {
    const LiveTensor& tensor = failure.live[i];
    out.item(size_text(tensor.bytes_per_bank),
             fmt::format("  {} {} {} {}", terminal_safe(tensor.name), tensor.shape,
                         terminal_safe(tensor.dtype), terminal_safe(tensor.kind)),
             Ink::kDim);
  }
}

/// Phases of gradient accumulation are alike from the third on: those are left to --json.
bool is_known(const PhaseUse& phase, const DeviceVerdict& verdict) {
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
  const std::string figures = ui::pad_left(size_text(phase.before_bytes_per_bank), 12) +
                              ui::pad_left(size_text(phase.peak_bytes_per_bank), 12) +
                              ui::pad_left(size_text(phase.after_bytes_per_bank), 12);
  const std::string state = phase_state_text(phase.state);
  const std::string line = fmt::format("  {}{}  {}", ui::pad_right(phase.name, kNameWidth), figures, state);
  if (ui::display_width(line) <= width) return {line};
  return {fmt::format("  {}{}{}", phase.name, state.empty() ? "" : "  ", state),
          fmt::format("  {}{}", ui::pad_right("", 8), figures)};
}

void paint_phases(const DeviceVerdict& verdict, ui::Painter& out) {
  if (verdict.phases.empty()) return;
  out.heading("Phases", "DRAM of one bank: before, at the peak, after");
  for (const PhaseUse& phase : verdict.phases) {
    if (!is_known(phase, verdict)) continue;
    const bool failed = phase.state == PhaseUse::State::kFailed;
    const bool reached = phase.state == PhaseUse::State::kDone;
    for (const std::string& line : phase_lines(phase, out.width()))
      out.line(failed ? out.paint(line, Ink::kRed) : reached ? line : out.paint(line, Ink::kDim));
  }
}

void paint_one(const DeviceVerdict& verdict, std::size_t top, ui::Painter& out) {
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
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], ui::display_width(row[c]));
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
void paint_table(const Report& report, ui::Painter& out) {
  out.heading("Devices", "each chip by itself");
  Rows rows = {device_columns()};
  for (const DeviceVerdict& verdict : report.devices) rows.push_back(device_row(report, verdict));
  narrow(rows, out.width());
  const std::vector<std::size_t> widths = widths_of(rows);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line = " ";
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string cell =
          c < 2 ? ui::pad_right(rows[r][c], widths[c]) : ui::pad_left(rows[r][c], widths[c]);
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

void paint_search(const Report& report, std::size_t top, ui::Painter& out) {
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

std::string fit_summary_text(const Report& report, const ui::TextOptions& options) {
  ui::Painter out(options.color, static_cast<std::size_t>(std::clamp(options.width, kMinWidth, kMaxWidth)));
  const auto top = static_cast<std::size_t>(std::max(options.top, 0));
  const std::size_t count = report.devices.size();
  if (report.replay) paint_replay(*report.replay, top, out);
  if (const std::string joined = joined_sentence(report); !joined.empty())
    out.item("inputs", terminal_safe(joined));
  if (!report.changes.empty()) out.item("with", terminal_safe(changes_text(report.changes)));
  out.blank_line();
  if (count == 1) {
    const DeviceVerdict& verdict = report.devices.front();
    out.statement(verdict.fits ? fits_text(report) : "DOES NOT FIT", verdict.fits ? Ink::kGreen : Ink::kRed,
                  terminal_safe(verdict_sentence(verdict)));
    paint_one(verdict, top, out);
  } else {
    const auto fitting = static_cast<std::size_t>(std::count_if(
        report.devices.begin(), report.devices.end(), [](const DeviceVerdict& d) { return d.fits; }));
    out.statement(fitting == count ? fits_text(report)
                  : fitting == 0   ? "DOES NOT FIT"
                                   : "FITS ON SOME",
                  fitting == count ? Ink::kGreen
                  : fitting == 0   ? Ink::kRed
                                   : Ink::kYellow,
                  fmt::format("{} of {}", fitting, ui::counted(count, "device")));
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

namespace {

void write_row(const std::vector<std::string>& cells, Writer& out) {
  std::string line = "|";
  for (const std::string& cell : cells) line += fmt::format(" {} |", markdown_cell(cell));
  out.write(line + "\n");
}

void write_agreement(const Agreement& agreement, Writer& out) {
  out.write(fmt::format("\n## Replay\n\n- {}\n", markdown_cell(agreement_sentence(agreement))));
  const std::string corrections = correction_sentence(agreement);
  if (!corrections.empty()) out.write(fmt::format("- {}\n", corrections));
  if (agreement.misses > 0)
    out.write(fmt::format("- {} not as printed; the first:\n", ui::counted(agreement.misses, "figure")));
  for (const ReplayMiss& miss : agreement.first_misses)
    out.write(fmt::format("  - {}\n", markdown_cell(miss_text(miss))));
}

void write_phases(const std::vector<PhaseUse>& phases, Writer& out) {
  if (phases.empty()) return;
  out.write("\nPhases, DRAM of each bank:\n\n");
  write_row({"phase", "before", "peak", "after", ""}, out);
  out.write("|---|---|---|---|---|\n");
  for (const PhaseUse& phase : phases)
    write_row({phase.name, size_text(phase.before_bytes_per_bank), size_text(phase.peak_bytes_per_bank),
               size_text(phase.after_bytes_per_bank), phase_state_text(phase.state)},
              out);
}

void write_device(const DeviceVerdict& verdict, std::string_view fits, Writer& out) {
  out.write(fmt::format("\n## {}: {}\n\n{}\n\n", markdown_cell(verdict.device.name),
                        verdict.fits ? fits : "does not fit", markdown_cell(verdict_sentence(verdict))));
  write_row({"memory", "banks", "bank", "peak", "headroom", "largest free block never below",
             "fragmentation up to", "figures are", "peak at"},
            out);
  out.write("|---|---|---|---|---|---|---|---|---|\n");
  for (const MemoryUse& use : verdict.memories) {
    if (!use.is_known) {
      write_row({std::string(name_of(use.memory)), std::to_string(use.region.banks),
                 size_text(use.region.bytes_per_bank), std::string(kNotReported), "", "", "", "", ""},
                out);
      continue;
    }
    const bool missing = use.headroom_bytes_per_bank < 0;
    write_row({std::string(name_of(use.memory)), std::to_string(use.region.banks),
               size_text(use.region.bytes_per_bank), size_text(use.peak_bytes_per_bank),
               (missing ? "-" : "") +
                   size_text(missing ? -use.headroom_bytes_per_bank : use.headroom_bytes_per_bank),
               size_text(use.smallest_largest_free_bytes_per_bank), ui::percent_text(use.worst_fragmentation),
               std::string(name_of(use.basis)), place_text(use.peak_place)},
              out);
  }
  write_phases(verdict.phases, out);
  if (!verdict.failure || verdict.failure->held.empty()) return;
  out.write("\nLive when it failed, in each bank:\n\n");
  write_row({"tensor", "kind", "shape", "element", "bytes per bank"}, out);
  out.write("|---|---|---|---|---|\n");
  for (const LiveTensor& tensor : verdict.failure->live)
    write_row({tensor.name, tensor.kind, tensor.shape, tensor.dtype, std::to_string(tensor.bytes_per_bank)},
              out);
  out.write("\nBy kind:");
  for (const KindBytes& kind : verdict.failure->held)
    out.write(fmt::format(" {} {} ({}).", markdown_cell(kind.kind), size_text(kind.bytes_per_bank),
                          ui::counted(kind.tensors, "buffer")));
  out.write("\n");
}

void write_search(const Report& report, Writer& out) {
  const Search& search = *report.search;
  out.write(fmt::format("\n## Smallest change that fits\n\n{}\n\n", markdown_cell(search_sentence(report))));
  if (search.attempts.empty()) return;
  write_row({"changes", "fits", "DRAM peak of a bank", "headroom bytes", "figures are"}, out);
  out.write("|---|---|---|---|---|\n");
  for (const Attempt& attempt : search.attempts)
    write_row(
        {changes_text(attempt.changes), attempt.fits ? "yes" : "no", size_text(attempt.peak_bytes_per_bank),
         std::to_string(attempt.headroom_bytes_per_bank), std::string(name_of(attempt.basis))},
        out);
}

}  // namespace

void write_fit_markdown(const Report& report, Writer& out) {
  out.write(
      "# Does it fit?\n\nMB is 1,048,576 bytes; figures are of one bank of one chip, all banks are alike. ");
  out.write(ui::kDataNotice);
  out.write('\n');
  for (const std::string& path : report.inputs)
    out.write(fmt::format("\n{}: {}\n", markdown_cell(report.input_kind), markdown_code(path)));
  if (const std::string joined = joined_sentence(report); !joined.empty())
    out.write(fmt::format("\n{}\n", markdown_cell(joined)));
  if (report.replay) write_agreement(*report.replay, out);
  if (!report.changes.empty()) out.write("\n## Changes\n\n");
  for (const AppliedChange& change : report.changes)
    out.write(fmt::format("- {}: {}\n", markdown_cell(change_text(change)), name_of(change.basis)));
  if (report.devices.size() > 1) {
    out.write("\n## Devices\n\n");
    write_row(device_columns(), out);
    out.write("|---|---|---|---|---|---|---|---|\n");
    for (const DeviceVerdict& verdict : report.devices) write_row(device_row(report, verdict), out);
  }
  for (const DeviceVerdict& verdict : report.devices)
    write_device(verdict, fits_text(report) == "FITS" ? "fits" : "fits so far", out);
  if (report.search) write_search(report, out);
  if (report.maximum)
    out.write(fmt::format("\n## Largest that fits\n\n{}\n", markdown_cell(maximum_sentence(report))));
  out.write("\n## Left out of these figures\n\n");
  for (const Omission omission : report.omissions)
    out.write(fmt::format("- {}\n", omission_sentence(omission)));
}

}  // namespace ttscope::fit
