// Sections of mem/write/terminal/mem_sections.h: verdict, input, failures and trust.
#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "mem/write/terminal/mem_sections.h"
#include "mem/write/words/candidate_text.h"
#include "mem/write/words/culprit_text.h"
#include "mem/write/words/failure_text.h"
#include "mem/write/words/finding_text.h"
#include "mem/write/words/trust_text.h"
#include "mem/write/words/verdict_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using Ink = report::Painter::Ink;

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
    for (const ProgramInstance& program : view.rank_trace(rank).programs)
      runs += program.parent == kNone ? 1 : 0;
  }
  if (runs == 0) return {};
  std::string text = fmt::format("{} of {}", report::counted(runs, "run"), report::counted(graphs, "graph"));
  if (const_evals > 0) text += fmt::format(", {}", report::counted(const_evals, "const-eval graph"));
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
  std::string text = report::counted(ops, "op");
  if (detail == MemDetail::kUsual) return text;
  if (executed != ops)
    text += fmt::format(" ({} with deallocate and get_device)", report::count_text(executed));
  if (weight_ops > 0) text += fmt::format(", {} of them on weights only", report::count_text(weight_ops));
  return text;
}

std::string log_text(const RuntimeTrace& trace, std::size_t width) {
  std::string text = trace.files.empty() ? std::string() : terminal_safe(trace.files.front());
  if (text == "-") text = "standard input";
  std::string rest = trace.files.size() > 1 ? fmt::format(" and {} more", trace.files.size() - 1) : "";
  rest += fmt::format(", {}", report::size_text(static_cast<std::int64_t>(trace.input_bytes)));
  constexpr std::size_t kLabelColumns = 15;
  return report::fit(text, width - kLabelColumns - report::display_width(rest)) + rest;
}

void paint_list(std::string_view label, const std::vector<std::string>& texts, report::Painter& out) {
  for (const std::string& text : texts) {
    out.item(label, terminal_safe(text));
  }
}

/// The failures behind the first, a line each.
void paint_later_failures(const ProfileView& view, std::uint32_t rank, report::Painter& out) {
  constexpr std::size_t kMostFailures = 6;
  const auto& failures = view.rank_trace(rank).failures;
  for (std::size_t i = 1; i < std::min(failures.size(), kMostFailures); ++i) {
    const FailureText text = describe_failure(view, rank, failures[i]);
    out.item("then",
             fmt::format("line {}: {}: {}", report::count_text(failures[i].line), text.what, text.diagnosis));
  }
  if (failures.size() > kMostFailures) {
    out.item("",
             fmt::format("and {}; `ttscope oom` lists all",
                         report::counted(failures.size() - kMostFailures, "more failure")),
             Ink::kDim);
  }
}

}  // namespace

void paint_verdict_line(const ProfileView& view, report::Painter& out) {
  const RunVerdict& verdict = view.profile.verdict;
  const bool fine = verdict.outcome == Outcome::kFinished && verdict.fit == Fit::kYes;
  Ink ink = fine ? ink_of(view.profile.severity) : Ink::kYellow;
  if (verdict.failed()) ink = Ink::kRed;
  out.statement(outcome_word(verdict), ink, verdict_line(view));
}

/// What is fine is left out, and a peak beside the failure that it led to: the tables below show them.
void paint_verdict(const ProfileView& view, report::Painter& out) {
  if (view.profile.ranks.empty()) return;
  paint_verdict_line(view, out);
  for (const Finding& finding : view.profile.findings) {
    const bool is_told = finding.cause == FindingCause::kPeak && !view.profile.failures.empty();
    if (finding.severity == Severity::kOk || is_told) continue;
    out.statement(word_of(finding.severity), ink_of(finding.severity), terminal_safe(finding_text(finding)));
  }
}

void paint_input(const ProfileView& view, MemDetail detail, report::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  DeviceFacts device = rank.device;
  for (const Memory memory : {Memory::kL1Small, Memory::kTrace}) {
    const bool unused = rank.peaks[index_of(memory)].bytes_per_bank == 0;
    if (detail == MemDetail::kUsual && unused) device.capacity_bytes_per_bank[index_of(memory)] = 0;
  }
  out.blank_line();
  const bool is_module = view.trace.source == TraceSource::kModule;
  out.item(is_module ? "module" : "log", log_text(view.trace, out.width()));
  out.item("device", terminal_safe(device_text(device)));
  const std::string runs = runs_text(view);
  const std::string ops = ops_text(view, detail);
  out.item(view.trace.is_from_modules() ? "modelled" : "executed",
           runs.empty() ? ops : fmt::format("{}; {}", runs, ops));
  if (view.profile.ranks.size() > 1) {
    out.item("ranks",
             fmt::format("{}; peaks, live set and waste are of rank {}, which has the highest DRAM peak",
                         view.profile.ranks.size(), view.rank_trace(view.profile.main_rank).number));
  }
  const TrustText trust = trust_of(view);
  const bool is_plain = trust.repaired.empty() && trust.skipped.empty() && view.profile.missing.empty();
  if (detail == MemDetail::kAll || !is_plain) out.item("trust", trust_headline(view));
}

namespace {

/// Who held the memory then, in a line.
std::string holders_line(const FailureReport& report) {
  std::string text;
  for (const Holder& holder : report.holders) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", report::size_text(holder.bytes_per_bank),
                        holder.kind == HolderKind::kUnaccounted ? "unaccounted" : holder_word(holder.kind));
  }
  return text;
}

void paint_culprits(const ProfileView& view, std::uint32_t rank, report::Painter& out) {
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

}  // namespace

void paint_failures(const ProfileView& view, report::Painter& out) {
  for (std::uint32_t rank = 0; rank < view.profile.ranks.size(); ++rank) {
    const auto& failures = view.rank_trace(rank).failures;
    if (failures.empty()) continue;
    const FailureText text = describe_failure(view, rank, failures.front());
    const std::string who = view.profile.ranks.size() > 1 ? rank_label(view.rank_trace(rank)) : "";
    out.heading(out.paint(text.title, Ink::kRed), who);
    out.item("asked for", text.what);
    out.item("by", terminal_safe(text.where));
    if (!text.state.empty()) out.item("found", text.state);
    out.item("diagnosis", text.diagnosis);
    paint_culprits(view, rank, out);
    paint_later_failures(view, rank, out);
  }
}

void paint_trust(const ProfileView& view, MemDetail detail, report::Painter& out) {
  const bool all_notes = detail == MemDetail::kAll;
  const TrustText trust = trust_of(view);
  const bool nothing = trust.skipped.empty() && view.profile.missing.empty() && view.trace.warnings.empty();
  if (nothing && !all_notes) return;
  out.heading("Trust", "MB is 1,048,576 bytes, as in the log");
  if (all_notes) {
    const VerdictText text = verdict_text(view);
    for (const std::string& part : {text.outcome, text.fit, text.trust})
      out.item("verdict", terminal_safe(part));
    out.item("recognised", trust.recognised);
  }
  if (all_notes) paint_list("repaired", trust.repaired, out);
  paint_list("skipped", trust.skipped, out);
  paint_list("missing", missing_texts(view.profile), out);
  paint_list("note", all_notes ? note_texts(view.profile) : view.trace.warnings, out);
}

}  // namespace ttscope::mem
