#include "mem/write/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "base/text.h"
#include "mem/analyze/bank_states.h"
#include "mem/analyze/growth.h"
#include "mem/write/failure_text.h"
#include "mem/write/labels.h"
#include "mem/write/verdict_text.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

/// The parts of the memory summary, each appending to the painter; one without content appends nothing.
void paint_verdict(const ProfileView& view, ui::Painter& out);
/// The verdict's line alone.
void paint_verdict_line(const ProfileView& view, ui::Painter& out);
/// With `with_evidence` also the tensors that each is about.
void paint_fixes(const ProfileView& view, std::size_t top, bool with_evidence, ui::Painter& out);
void paint_input(const ProfileView& view, MemDetail detail, ui::Painter& out);
/// Usually without the maker of a peak that is far from its memory's size, but for DRAM.
void paint_peaks(const ProfileView& view, MemDetail detail, ui::Painter& out);
void paint_ranks(const ProfileView& view, std::size_t most, ui::Painter& out);
/// Usually only graphs whose runs do not all reach the same peak.
void paint_programs(const ProfileView& view, std::size_t top, MemDetail detail, ui::Painter& out);
void paint_failures(const ProfileView& view, ui::Painter& out);

/// So many rows of DRAM and of L1.
struct GrowthRows {
  std::size_t dram = 0;
  std::size_t l1 = 0;
};

void paint_growth(const ProfileView& view, GrowthRows shown, ui::Painter& out);
void paint_live_set(const ProfileView& view, std::size_t top, ui::Painter& out);
/// The live set before the op that `--at` asked for.
void paint_live_moment(const ProfileView& view, std::size_t top, ui::Painter& out);
/// Usually only what costs much of the peak.
void paint_waste(const ProfileView& view, MemDetail detail, ui::Painter& out);
/// What was skipped or is missing; in detail also what was repaired and what is the same for every log.
void paint_trust(const ProfileView& view, MemDetail detail, ui::Painter& out);

constexpr int kMinWidth = 60;   // below, the tables would break; the terminal wraps them
constexpr int kMaxWidth = 140;  // above, the eye loses the line

ui::Painter painter_for(const ui::TextOptions& options) {
  return ui::Painter(options.color,
                     static_cast<std::size_t>(std::clamp(options.width, kMinWidth, kMaxWidth)));
}

constexpr std::size_t kAllRanks = 64;

void paint_all(const ProfileView& view, std::size_t top, ui::Painter& out) {
  paint_input(view, MemDetail::kAll, out);
  paint_failures(view, out);
  paint_peaks(view, MemDetail::kAll, out);
  paint_fixes(view, view.profile.fixes.size(), true, out);
  paint_ranks(view, kAllRanks, out);
  paint_programs(view, top, MemDetail::kAll, out);
  paint_growth(view, {top, std::min<std::size_t>(top, 3)}, out);
  paint_live_set(view, top, out);
  paint_live_moment(view, top, out);
  paint_waste(view, MemDetail::kAll, out);
  paint_trust(view, MemDetail::kAll, out);
}

/// After a failure it matters who held the memory then, which stands with the failure; otherwise what made
/// the peak.
void paint_usual(const ProfileView& view, std::size_t top, ui::Painter& out) {
  constexpr std::size_t kFixesShown = 3;
  constexpr std::size_t kRanksShown = 4;
  paint_input(view, MemDetail::kUsual, out);
  paint_failures(view, out);
  paint_peaks(view, MemDetail::kUsual, out);
  paint_fixes(view, std::min(top, kFixesShown), false, out);
  paint_ranks(view, kRanksShown, out);
  if (view.profile.failures.empty()) {
    paint_programs(view, top, MemDetail::kUsual, out);
    paint_live_set(view, top, out);
    if (view.profile.ranks.size() == 1) paint_growth(view, {top, std::min<std::size_t>(top, 1)}, out);
  }
  paint_live_moment(view, top, out);
  paint_waste(view, MemDetail::kUsual, out);
  paint_trust(view, MemDetail::kUsual, out);
  out.blank_line();
  out.paragraph(0,
                view.profile.failures.empty()
                    ? "--verbose adds programs, padding and waste, and what the figures include"
                    : "`ttscope oom` explains the failure; --verbose adds what was live at the peak",
                ui::Painter::Ink::kDim);
}

}  // namespace

std::string mem_summary_text(const RuntimeLog& log, const MemoryProfile& profile,
                             const ui::TextOptions& options, MemDetail detail) {
  const ProfileView view{log, profile};
  ui::Painter out = painter_for(options);
  const auto top = static_cast<std::size_t>(std::max(options.top, 0));
  paint_verdict(view, out);
  if (profile.ranks.empty()) return out.take();
  if (detail == MemDetail::kAll) {
    paint_all(view, top, out);
  } else {
    paint_usual(view, top, out);
  }
  return out.take();
}

std::string mem_closing_text(const RuntimeLog& log, const MemoryProfile& profile,
                             const ui::TextOptions& options) {
  ui::Painter out = painter_for(options);
  if (profile.ranks.empty()) return {};
  out.blank_line();
  paint_verdict_line({log, profile}, out);
  return out.take();
}

std::string mem_brief_text(const RuntimeLog& log, const MemoryProfile& profile,
                           const ui::TextOptions& options) {
  const ProfileView view{log, profile};
  ui::Painter out = painter_for(options);
  paint_verdict(view, out);
  if (profile.ranks.empty()) return out.take();
  paint_failures(view, out);
  paint_peaks(view, MemDetail::kAll, out);
  return out.take();
}

namespace {

using Ink = ui::Painter::Ink;

Ink ink_of(Severity severity) {
  if (severity == Severity::kCritical) return Ink::kRed;
  return severity == Severity::kWarning ? Ink::kYellow : Ink::kGreen;
}

std::string_view word_of(Severity severity) {
  if (severity == Severity::kCritical) return "CRITICAL";
  return "WARNING";
}

std::string runs_text(const ProfileView& view) {
  std::uint64_t graphs = 0;
  std::uint64_t const_evals = 0;
  for (const Graph& graph : view.profile.graphs) (graph.const_eval ? const_evals : graphs) += 1;
  std::uint64_t runs = 0;
  for (std::uint32_t rank = 0; rank < view.profile.ranks.size(); ++rank) {
    for (const ProgramInstance& program : view.rank_log(rank).programs)
      runs += program.parent == kNone ? 1 : 0;
  }
  if (runs == 0) return {};
  std::string text = fmt::format("{} of {}", ui::counted(runs, "run"), ui::counted(graphs, "graph"));
  if (const_evals > 0) text += fmt::format(", {}", ui::counted(const_evals, "const-eval graph"));
  return text;
}

std::string ops_text(const ProfileView& view, MemDetail detail) {
  std::uint64_t ops = 0;
  std::uint64_t executed = 0;
  std::uint64_t weight_ops = 0;
  for (const RankProfile& rank : view.profile.ranks) {
    ops += rank.counted_ops;
    executed += rank.executed_ops;
    weight_ops += rank.weight_ops;
  }
  std::string text = ui::counted(ops, "op");
  if (detail == MemDetail::kUsual) return text;
  if (executed != ops) text += fmt::format(" ({} with deallocate and get_device)", ui::count_text(executed));
  if (weight_ops > 0) text += fmt::format(", {} of them on weights only", ui::count_text(weight_ops));
  return text;
}

std::string log_text(const RuntimeLog& log, std::size_t width) {
  std::string text = log.files.empty() ? std::string() : terminal_safe(log.files.front());
  if (text == "-") text = "standard input";
  std::string rest = log.files.size() > 1 ? fmt::format(" and {} more", log.files.size() - 1) : "";
  rest += fmt::format(", {}", ui::size_text(static_cast<std::int64_t>(log.input_bytes)));
  constexpr std::size_t kLabelColumns = 15;
  return ui::fit(text, width - kLabelColumns - ui::display_width(rest)) + rest;
}

void paint_list(std::string_view label, const std::vector<std::string>& texts, ui::Painter& out) {
  for (const std::string& text : texts) {
    out.item(label, terminal_safe(text));
  }
}

/// The failures behind the first, a line each.
void paint_later_failures(const ProfileView& view, std::uint32_t rank, ui::Painter& out) {
  constexpr std::size_t kMaxFailures = 6;
  const auto& failures = view.rank_log(rank).failures;
  for (std::size_t i = 1; i < std::min(failures.size(), kMaxFailures); ++i) {
    const FailureText text = describe_failure(view, rank, failures[i]);
    out.item("then",
             fmt::format("line {}: {}: {}", ui::count_text(failures[i].line), text.what, text.diagnosis));
  }
  if (failures.size() > kMaxFailures) {
    out.item("",
             fmt::format("and {}; `ttscope oom` lists all",
                         ui::counted(failures.size() - kMaxFailures, "more failure")),
             Ink::kDim);
  }
}

void paint_verdict_line(const ProfileView& view, ui::Painter& out) {
  const RunVerdict& verdict = view.profile.verdict;
  const bool fine = verdict.outcome == Outcome::kFinished && verdict.fit == Fit::kYes;
  Ink ink = fine ? ink_of(view.profile.severity) : Ink::kYellow;
  if (verdict.failed()) ink = Ink::kRed;
  out.statement(outcome_label(verdict), ink, verdict_line(view));
}

/// What is fine is left out, and a peak beside the failure that it led to: the tables below show them.
void paint_verdict(const ProfileView& view, ui::Painter& out) {
  if (view.profile.ranks.empty()) return;
  paint_verdict_line(view, out);
  for (const Finding& finding : view.profile.findings) {
    const bool is_from_message = finding.cause == FindingCause::kPeak && !view.profile.failures.empty();
    if (finding.severity == Severity::kOk || is_from_message) continue;
    out.statement(word_of(finding.severity), ink_of(finding.severity), terminal_safe(finding_text(finding)));
  }
}

void paint_input(const ProfileView& view, MemDetail detail, ui::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  DeviceFacts device = rank.device;
  for (const Memory memory : {Memory::kL1Small, Memory::kTrace}) {
    const bool unused = rank.peaks[index_of(memory)].bytes_per_bank == 0;
    if (detail == MemDetail::kUsual && unused) device.capacity_bytes_per_bank[index_of(memory)] = 0;
  }
  out.blank_line();
  const bool is_module = view.log.source == LogSource::kModule;
  out.item(is_module ? "module" : "log", log_text(view.log, out.width()));
  out.item("device", terminal_safe(device_text(device)));
  const std::string runs = runs_text(view);
  const std::string ops = ops_text(view, detail);
  out.item(view.log.is_from_modules() ? "modelled" : "executed",
           runs.empty() ? ops : fmt::format("{}; {}", runs, ops));
  if (view.profile.ranks.size() > 1) {
    out.item("ranks",
             fmt::format("{}; peaks, live set and waste are of rank {}, which has the highest DRAM peak",
                         view.profile.ranks.size(), view.rank_log(view.profile.main_rank).number));
  }
  const TrustText trust = trust_of(view);
  const bool is_plain = trust.repaired.empty() && trust.skipped.empty() && view.profile.missing.empty();
  if (detail == MemDetail::kAll || !is_plain) out.item("trust", trust_headline(view));
}

/// Who held the memory then, in a line.
std::string holders_line(const FailureReport& report) {
  std::string text;
  for (const Holder& holder : report.holders) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", ui::size_text(holder.bytes_per_bank),
                        holder.kind == HolderKind::kUnaccounted ? "unaccounted" : holder_label(holder.kind));
  }
  return text;
}

void paint_culprits(const ProfileView& view, std::uint32_t rank, ui::Painter& out) {
  for (const FailureReport& report : view.profile.failures) {
    if (report.rank != rank || report.failure != 0) continue;
    if (!report.candidates.empty())
      out.item("tensor", terminal_safe(candidate_text(view.profile, report.candidates.front())));
    if (const std::string held = holders_line(report); !held.empty()) out.item("held by", held);
    if (const std::string late = freed_late_sum(report); !late.empty()) out.item("freed late", late);
    if (const std::string grew = run_growth_text(view, report); !grew.empty())
      out.item("grew", terminal_safe(grew));
  }
}

void paint_failures(const ProfileView& view, ui::Painter& out) {
  for (std::uint32_t rank = 0; rank < view.profile.ranks.size(); ++rank) {
    const auto& failures = view.rank_log(rank).failures;
    if (failures.empty()) continue;
    const FailureText text = describe_failure(view, rank, failures.front());
    const std::string rank_name = view.profile.ranks.size() > 1 ? rank_label(view.rank_log(rank)) : "";
    out.heading(out.paint(text.title, Ink::kRed), rank_name);
    out.item("asked for", text.what);
    out.item("by", terminal_safe(text.where));
    if (!text.state.empty()) out.item("found", text.state);
    out.item("diagnosis", text.diagnosis);
    paint_culprits(view, rank, out);
    paint_later_failures(view, rank, out);
  }
}

void paint_trust(const ProfileView& view, MemDetail detail, ui::Painter& out) {
  const bool all_notes = detail == MemDetail::kAll;
  const TrustText trust = trust_of(view);
  const bool nothing = trust.skipped.empty() && view.profile.missing.empty() && view.log.warnings.empty();
  if (nothing && !all_notes) return;
  out.heading("Trust", "MB is 1,048,576 bytes, as in the log");
  if (all_notes) {
    const VerdictText text = verdict_text(view);
    for (const std::string& part : {text.outcome, text.fit, text.trust})
      out.item("verdict", terminal_safe(part));
    out.item("recognised", trust.recognized);
  }
  if (all_notes) paint_list("repaired", trust.repaired, out);
  paint_list("skipped", trust.skipped, out);
  paint_list("missing", missing_texts(view.profile), out);
  paint_list("note", all_notes ? note_texts(view.profile) : view.log.warnings, out);
}

Ink ink_of_use(Memory memory, double use) {
  const bool l1 = memory == Memory::kL1;
  if (use > (l1 ? 0.95 : 0.90)) return Ink::kRed;
  return use > (l1 ? 0.90 : 0.80) ? Ink::kYellow : Ink::kGreen;
}

std::string seen_text(const RankLog& rank, Memory memory, const Peak& peak) {
  if (peak.message_line != 0)
    return fmt::format("measured, says the failure's message at line {}", ui::count_text(peak.message_line));
  if (peak.block >= rank.blocks.size()) return std::string(name_of(peak.confidence));
  const MemoryBlock& block = rank.blocks[peak.block];
  const std::uint32_t view_line = block.view_line[index_of(memory)];
  const std::uint32_t line = view_line != 0 ? view_line : block.line;
  if (line == 0) return std::string(name_of(peak.confidence));  // files of a run may not record lines
  return fmt::format("{}, seen at line {}", name_of(peak.confidence), ui::count_text(line));
}

/// Two short lines: which op at which location; where in the log.
void paint_maker(const ProfileView& view, Memory memory, const Peak& peak, ui::Painter& out) {
  const std::uint32_t rank = view.profile.main_rank;
  const std::string seen = seen_text(view.rank_log(rank), memory, peak);
  if (peak.op >= view.rank_log(rank).ops.size()) {
    out.paragraph(4, seen, Ink::kDim);
    return;
  }
  const OpPlace op = place_of(view, rank, peak.op);
  const std::string program = terminal_safe(op.program);
  if (peak.at_program_start) {
    out.paragraph(4, fmt::format("at program start of {}: inputs moved to the device",
                                 program.empty() ? "the first program" : program));
    const std::string before = op.line == 0 ? "" : fmt::format("before line {}; ", ui::count_text(op.line));
    out.paragraph(4, before + seen, Ink::kDim);
    return;
  }
  const std::string name = ui::fit(terminal_safe(op.name), out.width() - 4);
  const std::string loc = ui::fit(terminal_safe(op.loc), out.width() - 4);
  const bool one_line = ui::display_width(name) + 2 + ui::display_width(loc) + 4 <= out.width();
  out.line(fmt::format("    {}{}", out.paint(name, Ink::kBold), one_line && !loc.empty() ? "  " + loc : ""));
  if (!one_line) out.line("    " + loc);
  const std::string line = op.line == 0 ? "" : fmt::format("line {}", ui::count_text(op.line));
  const std::string where = program + (program.empty() || line.empty() ? "" : ", ") + line;
  out.paragraph(4, where + (where.empty() ? "" : "; ") + seen, Ink::kDim);
}

void paint_peak(const ProfileView& view, Memory memory, MemDetail detail, ui::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const Peak& peak = rank.peaks[index_of(memory)];
  const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(memory)];
  const std::int64_t total = ui::all_banks(peak.bytes_per_bank, rank.device.banks[index_of(memory)]);
  const double use = ui::ratio(peak.bytes_per_bank, capacity);
  const Ink ink = ink_of_use(memory, use);
  const std::string percent = capacity == 0 ? "?" : ui::percent_text(use);
  const std::size_t cells = std::min<std::size_t>(out.width() - 48, 40);
  out.line(fmt::format("  {}{}{}{}  {}", ui::pad_right(name_of(memory), 10),
                       ui::pad_left(ui::size_text(peak.bytes_per_bank), 12),
                       ui::pad_left(ui::size_text(total), 12), out.paint(ui::pad_left(percent, 10), ink),
                       out.paint(ui::gauge(use, cells), ink)));
  constexpr double kLowUseShare = 0.5;
  const bool is_low_use = memory != Memory::kDram && capacity > 0 && use < kLowUseShare;
  const bool is_from_message = peak.message_line != 0;  // with the failure, above
  if (detail == MemDetail::kAll || !(is_low_use || is_from_message)) paint_maker(view, memory, peak, out);
}

/// One line of the growth table.
struct GrowthRow {
  std::string growth;
  std::string_view memory;
  std::string name;
  std::string loc;
  std::string place;
};

GrowthRow growth_row(const ProfileView& view, const GrowthGroup& group) {
  const OpPlace op = place_of(view, group.rank, group.op);
  const std::string times = group.times > 1 ? fmt::format(" x{}", ui::count_text(group.times)) : "";
  return {ui::signed_size_text(group.bytes_per_bank), name_of(kTensorMemories[group.memory]),
          ui::fit(terminal_safe(op.name), 24), terminal_safe(op.loc),
          op.line == 0 ? times : fmt::format("line {}{}", ui::count_text(op.line), times)};
}

/// Without room for the location in its line.
void paint_narrow_growth(const std::vector<GrowthRow>& rows, ui::Painter& out) {
  for (const GrowthRow& row : rows) {
    const std::size_t used = 2 + 11 + 2 + 5 + 1 + ui::display_width(row.place);
    const std::size_t room = std::max<std::size_t>(out.width(), used + 4) - used;
    out.line(fmt::format("  {}  {}{} {}", ui::pad_left(row.growth, 11), ui::pad_right(row.memory, 5),
                         ui::pad_right(ui::fit(row.name, room), room), out.paint(row.place, Ink::kDim)));
  }
}

/// The location gets what the others leave.
void paint_growth_rows(const std::vector<GrowthRow>& rows, ui::Painter& out) {
  std::size_t name_width = 0;
  std::size_t place_width = 0;
  for (const GrowthRow& row : rows) {
    name_width = std::max(name_width, ui::display_width(row.name));
    place_width = std::max(place_width, ui::display_width(row.place));
  }
  constexpr std::size_t kMinRoom = 8;  // a shorter location tells nothing
  const std::size_t used = 2 + 11 + 2 + 5 + name_width + 2 + 2 + place_width;
  if (out.width() < used + kMinRoom) return paint_narrow_growth(rows, out);
  const std::size_t room = out.width() - used;
  for (const GrowthRow& row : rows) {
    out.line(fmt::format("  {}  {}{}  {}  {}", ui::pad_left(row.growth, 11), ui::pad_right(row.memory, 5),
                         ui::pad_right(row.name, name_width), ui::pad_right(ui::fit(row.loc, room), room),
                         out.paint(ui::pad_left(row.place, place_width), Ink::kDim)));
  }
}

std::string rank_peak_text(const RankProfile& rank, Memory memory) {
  const std::int64_t peak = rank.peaks[index_of(memory)].bytes_per_bank;
  const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(memory)];
  if (capacity == 0) return ui::size_text(peak);
  return fmt::format("{} ({})", ui::size_text(peak), ui::percent_text(ui::ratio(peak, capacity)));
}

void paint_peaks(const ProfileView& view, MemDetail detail, ui::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  out.blank_line();
  out.line(fmt::format("{}{}{}{}", out.paint(ui::pad_right("Peak memory", 12), Ink::kBold),
                       out.paint(ui::pad_left("per bank", 12), Ink::kDim),
                       out.paint(ui::pad_left("all banks", 12), Ink::kDim),
                       out.paint(ui::pad_left("of bank", 10), Ink::kDim)));
  std::string unused;
  for (const Memory memory : kMemories) {
    if (rank.peaks[index_of(memory)].bytes_per_bank > 0) {
      paint_peak(view, memory, detail, out);
    } else {
      unused += fmt::format("{}{}", unused.empty() ? "" : ", ", name_of(memory));
    }
  }
  const RankLog& seen = view.rank_log(view.profile.main_rank);
  const std::string_view what = has_peak(seen, Peak()) ? "not used" : "not told";
  if (!unused.empty()) out.paragraph(2, fmt::format("{}: {}", what, unused), Ink::kDim);
}

void paint_ranks(const ProfileView& view, std::size_t most, ui::Painter& out) {
  const std::size_t ranks = view.profile.ranks.size();
  if (ranks < 2) return;
  out.heading("Ranks", "highest state per bank");
  for (std::uint32_t rank = 0; rank < std::min(ranks, most); ++rank) {
    const RankProfile& profile = view.rank_profile(rank);
    const bool narrow = out.width() < 78;
    out.line(fmt::format(
        "  {}{}{}{}", ui::pad_right(fmt::format("rank {}", view.rank_log(rank).number), narrow ? 8 : 10),
        ui::pad_right(fmt::format("DRAM {}", rank_peak_text(profile, Memory::kDram)), narrow ? 25 : 28),
        ui::pad_right(fmt::format("L1 {}", rank_peak_text(profile, Memory::kL1)), narrow ? 0 : 25),
        narrow ? "" : ui::counted(profile.counted_ops, "op")));
  }
  if (ranks > most) out.paragraph(2, fmt::format("and {} more", ranks - most), Ink::kDim);
}

void paint_growth(const ProfileView& view, GrowthRows shown, ui::Painter& out) {
  std::vector<GrowthRow> rows;
  for (const GrowthGroup& group : top_growth(view.log, view.profile, Memory::kDram, shown.dram))
    rows.push_back(growth_row(view, group));
  for (const GrowthGroup& group : top_growth(view.log, view.profile, Memory::kL1, shown.l1))
    rows.push_back(growth_row(view, group));
  if (rows.empty()) return;
  out.heading("Top growth", "what an op itself added per bank; xN: it grew N times");
  paint_growth_rows(rows, out);
}

/// The outermost runs of one graph on the main rank.
struct GraphRuns {
  std::uint64_t runs = 0;
  std::uint32_t ops = 0;
  std::int64_t first_peak = 0;
  std::int64_t last_peak = 0;
};

std::map<std::uint32_t, GraphRuns> runs_by_graph(const ProfileView& view) {
  std::map<std::uint32_t, GraphRuns> graphs;
  const auto& instances = view.rank_log(view.profile.main_rank).programs;
  const auto& programs = view.rank_profile(view.profile.main_rank).programs;
  for (std::size_t i = 0; i < std::min(instances.size(), programs.size()); ++i) {
    if (instances[i].parent != kNone) continue;
    GraphRuns& runs = graphs[programs[i].graph];
    if (runs.runs++ == 0) runs.first_peak = programs[i].dram_peak_bytes_per_bank;
    runs.last_peak = programs[i].dram_peak_bytes_per_bank;
    runs.ops = std::max(runs.ops, programs[i].counted_ops);
  }
  return graphs;
}

/// Only where there is something to compare: several graphs, or several runs of one.
void paint_programs(const ProfileView& view, std::size_t top, MemDetail detail, ui::Painter& out) {
  auto graphs = runs_by_graph(view);
  if (detail == MemDetail::kUsual) {
    std::erase_if(graphs, [](const auto& entry) {
      return is_rounding(entry.second.last_peak - entry.second.first_peak);
    });
  }
  const bool alone = graphs.size() == 1 && graphs.begin()->second.runs == 1;
  if (graphs.empty() || alone || top == 0) return;
  out.blank_line();
  const bool narrow = out.width() < 76;
  const std::size_t name_width = narrow ? 17 : 22;
  const std::size_t first_width = narrow ? 12 : 23;
  out.line(fmt::format("{}{}", out.paint(ui::pad_right("Programs", name_width + 2), Ink::kBold),
                       out.paint(narrow ? "    runs      ops  first peak        last"
                                        : "    runs      ops   DRAM peak: first run    last run",
                                 Ink::kDim)));
  std::size_t shown = 0;
  for (const auto& [graph, runs] : graphs) {
    if (shown++ == top) break;
    const std::string label = ui::fit(terminal_safe(graph_label(view, graph)), name_width);
    out.line(fmt::format(
        "  {}{}{}{}{}", ui::pad_right(label, name_width), ui::pad_left(ui::count_text(runs.runs), 8),
        ui::pad_left(ui::count_text(runs.ops), 9), ui::pad_left(ui::size_text(runs.first_peak), first_width),
        runs.runs > 1 ? ui::pad_left(ui::size_text(runs.last_peak), 12) : ""));
  }
  if (graphs.size() > top)
    out.paragraph(2, fmt::format("and {} more graphs", graphs.size() - top), Ink::kDim);
}

constexpr std::array<TensorKind, kTensorKindCount> kKindOrder = {TensorKind::kWeight, TensorKind::kConstEval,
                                                                 TensorKind::kActivation, TensorKind::kInput,
                                                                 TensorKind::kUnknown};

/// One row of the table by kind.
struct KindRow {
  std::string_view name;
  std::int64_t bytes_per_bank = 0;
  std::int64_t whole = 0;
  std::string remark;
};

void paint_kind(const KindRow& row, ui::Painter& out) {
  const double share = ui::ratio(row.bytes_per_bank, row.whole);
  constexpr std::size_t kOtherColumns = 37 + 2 + 20;
  const std::size_t cells = std::max<std::size_t>(out.width(), kOtherColumns + 1) - kOtherColumns;
  out.line(fmt::format("  {}{}{}  {}  {}", ui::pad_right(row.name, 12),
                       ui::pad_left(ui::size_text(row.bytes_per_bank), 12),
                       ui::pad_left(ui::percent_text(share), 9),
                       out.paint(ui::pad_right(ui::bar(share, cells), cells), Ink::kCyan), row.remark));
}

void paint_kinds(const RankProfile& rank, const LiveSet& live, std::int64_t peak, ui::Painter& out) {
  std::array<std::uint64_t, kTensorKindCount> tensors{};
  for (const std::uint32_t buffer : live.buffers)
    ++tensors[static_cast<std::size_t>(rank.buffers[buffer].kind)];
  for (const TensorKind kind : kKindOrder) {
    const auto index = static_cast<std::size_t>(kind);
    if (tensors[index] == 0) continue;
    paint_kind({name_of(kind), live.kind_bytes_per_bank[index], peak, ui::counted(tensors[index], "tensor")},
               out);
  }
  if (is_rounding(live.unaccounted_bytes_per_bank)) return;
  const bool too_much = live.unaccounted_bytes_per_bank < 0;
  paint_kind({"unaccounted", live.unaccounted_bytes_per_bank, peak,
              too_much ? "more than measured" : "no op line names it"},
             out);
}

/// `12.00 MB weight  name  shape  line 12`; the name gets what the others leave.
void paint_tensor(const ProfileView& view, std::uint32_t rank, const Buffer& buffer, ui::Painter& out) {
  const auto& ops = view.rank_log(rank).ops;
  const std::size_t shape_width = out.width() < 72 ? 12 : 17;
  const std::string shape =
      ui::fit(terminal_safe(tensor_text(type_of(view.log, view.rank_profile(rank), buffer))),
              out.width() < 72 ? shape_width : 22);
  const std::string place = buffer.producer_op < ops.size()
                                ? fmt::format("line {}", ui::count_text(ops[buffer.producer_op].line))
                                : "argument";
  const std::size_t used = 2 + 10 + 2 + 11 + 1 +
                           std::max<std::size_t>(ui::display_width(shape), shape_width) + 1 +
                           std::max<std::size_t>(ui::display_width(place), 11);
  const std::size_t room = std::max<std::size_t>(out.width(), used + 8) - used;
  out.line(fmt::format("  {}  {}{} {} {}", ui::pad_left(ui::size_text(buffer.bytes_per_bank), 10),
                       ui::pad_right(name_of(buffer.kind), 11),
                       ui::pad_right(ui::fit(terminal_safe(buffer_label(view, rank, buffer)), room), room),
                       ui::pad_right(shape, shape_width), out.paint(ui::pad_left(place, 11), Ink::kDim)));
}

/// What is live in one memory of a rank, and the bytes of a bank that it is a part of.
struct LiveInMemory {
  std::uint32_t rank;
  const LiveSet& live;
  std::int64_t whole_per_bank;
};

void paint_set(const ProfileView& view, const LiveInMemory& set, std::size_t top, ui::Painter& out) {
  const RankProfile& profile = view.rank_profile(set.rank);
  paint_kinds(profile, set.live, set.whole_per_bank, out);
  const std::size_t shown = std::min(top, set.live.buffers.size());
  if (shown == 0) return;
  out.paragraph(2, "largest tensors:", Ink::kDim);
  for (std::size_t i = 0; i < shown; ++i) {
    paint_tensor(view, set.rank, profile.buffers[set.live.buffers[i]], out);
  }
}

void paint_live_set(const ProfileView& view, std::size_t top, ui::Painter& out) {
  const std::uint32_t rank = view.profile.main_rank;
  const std::int64_t peak = view.rank_profile(rank).peaks[index_of(Memory::kDram)].bytes_per_bank;
  const LiveSet& live = view.rank_profile(rank).live_at_peak[index_of(Memory::kDram)];
  // The files of a run do not tell what is live, and say so in the trust section.
  const bool is_known = !live.buffers.empty() || live.unaccounted_bytes_per_bank != 0;
  if (peak == 0 || !is_known) return;
  out.heading("Live at the DRAM peak", "per bank");
  paint_set(view, {rank, live, peak}, top, out);
}

void paint_live_moment(const ProfileView& view, std::size_t top, ui::Painter& out) {
  if (!view.profile.live_at) return;
  const LiveMoment& moment = *view.profile.live_at;
  const OpPlace op = place_of(view, moment.rank, moment.op);
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    if (moment.bytes_per_bank[m] == 0 && moment.live[m].buffers.empty()) continue;
    out.heading(fmt::format("{} before line {}, op {}", name_of(memory), ui::count_text(op.line),
                            ui::count_text(moment.op)),
                fmt::format("{} per bank", ui::size_text(moment.bytes_per_bank[m])));
    out.paragraph(2, fmt::format("{}  {}", terminal_safe(op.name), terminal_safe(op.loc)), Ink::kDim);
    paint_set(view, {moment.rank, moment.live[m], moment.bytes_per_bank[m]}, top, out);
  }
}

constexpr std::size_t kWorstTypesShown = 3;
constexpr std::string_view kNegligible = " never more than 0.1%";

std::string weights_text(const ProfileView& view) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  std::string text = fmt::format("{}, {}", ui::counted(view.profile.weight_count, "tensor"),
                                 ui::size_text(view.profile.weight_bytes));
  if (rank.duplicated_weight_bytes > 0) {
    text += fmt::format("; at the DRAM peak {} of const-eval copies lie beside their originals",
                        ui::size_text(rank.duplicated_weight_bytes));
  } else if (rank.duplicated_weight_bytes_highest > 0) {
    text += fmt::format("; at most {} of const-eval copies lie beside their originals",
                        ui::size_text(rank.duplicated_weight_bytes_highest));
  }
  return text;
}

/// Types that differ only in where they lie read the same and are shown once.
void paint_worst_types(const ProfileView& view, ui::Painter& out) {
  std::vector<std::string> shown;
  for (const PaddingEntry& entry : view.profile.worst_padding) {
    if (shown.size() == kWorstTypesShown || entry.type >= view.log.types.size()) break;
    const TensorType& type = view.log.types[entry.type];
    const std::string text = terminal_safe(fmt::format(
        "{} as {}: {}", tensor_text(type), shape_text(padded_shape(type)), ui::size_text(entry.waste_bytes)));
    if (std::find(shown.begin(), shown.end(), text) != shown.end()) continue;
    shown.push_back(text);
    const OpPlace op = place_of(view, entry.rank, entry.op);
    const std::string made_by = fmt::format("{}, line {}", terminal_safe(op.name), ui::count_text(op.line));
    out.item(shown.size() == 1 ? "  worst" : "", fmt::format("{} ({})", text, made_by), Ink::kDim);
  }
}

std::string fragmentation_text(const ProfileView& view, Memory memory) {
  const RankLog& log = view.rank_log(view.profile.main_rank);
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const Peak& peak = rank.peaks[index_of(memory)];
  const FragmentationMoment& worst = rank.worst_fragmentation[index_of(memory)];
  if (worst.block >= log.blocks.size()) return {};
  constexpr double kTooLittle = 0.001;
  if (worst.fraction < kTooLittle) return fmt::format("{}{}", name_of(memory), kNegligible);
  const std::uint32_t line = log.blocks[worst.block].line;
  const std::string place = line == 0 ? "" : " at line " + ui::count_text(line);
  if (peak.block >= log.blocks.size()) {  // a failure's message tells the peak
    return fmt::format("{} worst {}{}", name_of(memory), ui::percent_text(worst.fraction), place);
  }
  return fmt::format("{} {} at its peak, worst {}{}", name_of(memory),
                     ui::percent_text(fragmentation_of(log.blocks[peak.block], memory)),
                     ui::percent_text(worst.fraction), place);
}

void paint_weights(const ProfileView& view, ui::Painter& out) {
  if (view.profile.weight_count > 0) out.item("weights", weights_text(view));
}

void paint_padding(const ProfileView& view, bool all, ui::Painter& out) {
  const LiveSet& live = view.rank_profile(view.profile.main_rank).live_at_peak[index_of(Memory::kDram)];
  if (live.padded_bytes == 0) return;
  const std::int64_t waste = live.padded_bytes - live.logical_bytes;
  out.item("padding", fmt::format("{} at the DRAM peak: {} of the {} of data", ui::size_text(waste),
                                  ui::percent_text(ui::ratio(waste, live.logical_bytes)),
                                  ui::size_text(live.logical_bytes)));
  if (all) paint_worst_types(view, out);
}

/// A buffer of fewer pages than there are banks, or of an odd number, takes a page in every bank all the
/// same.
void paint_lockstep(const ProfileView& view, ui::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const LiveSet& live = rank.live_at_peak[index_of(Memory::kDram)];
  if (live.lockstep_bytes_per_bank == 0) return;
  out.item("lockstep", fmt::format("{} of the {} per bank at the DRAM peak: pages taken in every bank and "
                                   "filled in some",
                                   ui::size_text(live.lockstep_bytes_per_bank),
                                   ui::size_text(live.accounted_bytes_per_bank)));
}

/// Padding of a tenth of the data and more.
bool is_padding_costly(const ProfileView& view) {
  constexpr double kCostlyShare = 0.1;
  const LiveSet& live = view.rank_profile(view.profile.main_rank).live_at_peak[index_of(Memory::kDram)];
  return ui::ratio(live.padded_bytes - live.logical_bytes, live.logical_bytes) >= kCostlyShare;
}

void paint_fragmentation(const ProfileView& view, bool all, ui::Painter& out) {
  std::string_view label = "fragmented";
  for (const Memory memory : kTensorMemories) {
    const std::string text = fragmentation_text(view, memory);
    if (!all && text.ends_with(kNegligible)) continue;
    if (text.empty()) continue;
    out.item(label, text);
    label = "";
  }
}

void paint_waste(const ProfileView& view, MemDetail detail, ui::Painter& out) {
  const bool all = detail == MemDetail::kAll;
  ui::Painter items = out.same_style();
  if (all) paint_weights(view, items);
  if (all || is_padding_costly(view)) paint_padding(view, all, items);
  if (all) paint_lockstep(view, items);
  if (all) paint_fragmentation(view, all, items);
  const std::string text = items.take();
  if (text.empty()) return;
  out.heading(all ? "Weights and waste" : "Waste");
  out.append(text);
}

void paint_fixes(const ProfileView& view, std::size_t top, bool with_evidence, ui::Painter& out) {
  const auto& fixes = view.profile.fixes;
  if (fixes.empty() || top == 0) return;
  const bool replayed =
      std::any_of(fixes.begin(), fixes.end(), [](const Fix& fix) { return fix.tensors > 0; });
  out.heading("What to do", replayed ? "off the peak of a bank, each alone, by a replay of the run" : "");
  const std::size_t shown = std::min(top, fixes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FixText text = fix_text(view, fixes[i]);
    const std::int64_t saved = fixes[i].saves_bytes_per_bank;
    const bool is_setting = fixes[i].kind == FixKind::kLargerRegion;
    out.item(saved > 0    ? fmt::format("-{}", ui::size_text(saved))
             : is_setting ? "setting"
                          : "change",
             fmt::format("{}: {}", text.what, text.effect));
    if (with_evidence && !text.evidence.empty())
      out.item("", terminal_safe(text.evidence), ui::Painter::Ink::kDim);
  }
  if (shown < fixes.size())
    out.item("", fmt::format("{} more with less: --verbose", fixes.size() - shown), ui::Painter::Ink::kDim);
}

constexpr int kMinOomWidth = 60;
constexpr int kMaxOomWidth = 140;

std::string upper_verdict(FailureVerdict verdict) {
  std::string word(name_of(verdict));
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c == '_' ? ' ' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return word;
}

void paint_report(const OomLog& log, const FailureReport& report, std::size_t rows, ui::Painter& out) {
  out.statement(upper_verdict(report.bank.verdict), Ink::kRed, terminal_safe(oom_headline(log, report)));
  for (const OomItem& item : oom_items(log, report, rows)) {
    if (item.label == "why") continue;  // the headline says it
    out.item(item.label, terminal_safe(item.text));
  }
}

/// The same failure in several places.
void paint_groups(const std::vector<OomLog>& logs, const std::vector<FailurePrint>& prints,
                  ui::Painter& out) {
  bool first = true;
  for (const FailureGroup& group : groups_of(logs, prints)) {
    if (group.prints.size() < 2) continue;
    if (first) out.heading("Same failure", "by what was asked for");
    first = false;
    std::string places;
    for (const std::uint32_t print : group.prints) {
      places += fmt::format("{}{}:{}", places.empty() ? "" : ", ", log_label(logs[prints[print].log]),
                            prints[print].line);
    }
    out.item(fingerprint_text(group.fingerprint).substr(0, 12), terminal_safe(places));
  }
}

}  // namespace

std::string oom_summary_text(const std::vector<OomLog>& logs, const ui::TextOptions& options) {
  ui::Painter out(options.color,
                  static_cast<std::size_t>(std::clamp(options.width, kMinOomWidth, kMaxOomWidth)));
  const auto rows = static_cast<std::size_t>(std::max(options.top, 0));
  bool first = true;
  for (const OomLog& log : logs) {
    if (logs.size() > 1 && !log.reports().empty()) out.heading(terminal_safe(log_label(log)));
    for (const FailureReport& report : log.reports()) {
      if (!first) out.blank_line();
      first = false;
      paint_report(log, report, rows, out);
    }
    for (const UnexplainedCrash& report : log.crashes)
      out.statement(upper_verdict(FailureVerdict::kCrashed), Ink::kYellow,
                    terminal_safe(crash_headline(log, report)));
  }
  paint_groups(logs, prints_of(logs), out);
  return out.take();
}

}  // namespace ttscope::mem
