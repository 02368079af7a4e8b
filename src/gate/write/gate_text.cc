#include "gate/write/gate_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "diff/write/diff_text.h"
#include "gate/write/gate_words.h"
#include "report/document_head.h"
#include "report/text_layout.h"

namespace ttscope::gate {
namespace {

using report::Painter;

std::string run_text(const GatedRun& run) {
  std::string text = run.input;
  if (run.repeats > 1) text += fmt::format(" and {} more, of which the median counts", run.repeats - 1);
  if (!run.device.empty()) text += fmt::format(" ({})", run.device);
  if (!run.what.empty()) text += ": " + run.what;
  return text;
}

std::string_view mark_of(const Check& check) {
  if (check.reason == Reason::kRunFailed) return "FAILED";
  switch (check.outcome) {
    case CheckOutcome::kPassed:
      return "ok";
    case CheckOutcome::kFailed:
      return "OVER";
    case CheckOutcome::kUnknown:
      break;
  }
  return "UNKNOWN";
}

Painter::Ink ink_of(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::kPassed:
      return Painter::Ink::kGreen;
    case CheckOutcome::kFailed:
      return Painter::Ink::kRed;
    case CheckOutcome::kUnknown:
      break;
  }
  return Painter::Ink::kYellow;
}

std::string_view icon_of(CheckOutcome outcome) {
  switch (outcome) {
    case CheckOutcome::kPassed:
      return "✅";
    case CheckOutcome::kFailed:
      return "❌";
    case CheckOutcome::kUnknown:
      break;
  }
  return "❓";
}

}  // namespace

std::string gate_text(const GateReport& report, const GateTextOptions& options) {
  Painter painter(options.color, static_cast<std::size_t>(std::clamp(options.width, 60, 140)));
  painter.statement(report.passed() ? "PASSED" : "NOT PASSED",
                    report.passed() ? Painter::Ink::kGreen : Painter::Ink::kRed,
                    terminal_safe(verdict_text(report)));
  for (const diff::Caution& caution : report.cautions) {
    painter.statement("CAUTION", Painter::Ink::kYellow, terminal_safe(diff::caution_text(caution)));
  }
  for (const GatedRun& run : report.runs) painter.item("run", terminal_safe(run_text(run)));
  for (const GatedRun& run : report.baseline) painter.item("baseline", terminal_safe(run_text(run)));
  painter.heading("Checks", fmt::format("of {}", terminal_safe(report.budget)));
  for (const Check& check : report.checks) {
    painter.item(
        mark_of(check),
        terminal_safe(fmt::format("{} {} (line {})", check_name(check), check_text(check), check.bound.line)),
        check.outcome == CheckOutcome::kPassed ? Painter::Ink::kPlain : ink_of(check.outcome));
  }
  return painter.take();
}

std::string gate_markdown(const GateReport& report) {
  std::string text = fmt::format("# {} {}\n\n{}\n\n", report.passed() ? "✅ Passed:" : "❌ Not passed:",
                                 markdown_cell(verdict_text(report)), report::kDataNotice);
  for (const diff::Caution& caution : report.cautions)
    text += fmt::format("- caution: {}\n", markdown_cell(diff::caution_text(caution)));
  for (const GatedRun& run : report.runs) text += fmt::format("- run: {}\n", markdown_cell(run_text(run)));
  for (const GatedRun& run : report.baseline)
    text += fmt::format("- baseline: {}\n", markdown_cell(run_text(run)));
  text += "\n| | check | value | baseline | allowed | |\n|---|---|---:|---:|---:|---|\n";
  const auto cell = [](const Check& check, const std::optional<double>& value) {
    return value ? value_text(check, *value) : std::string("-");
  };
  for (const Check& check : report.checks) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", icon_of(check.outcome),
                        markdown_cell(check_name(check)), cell(check, check.value),
                        cell(check, check.baseline), cell(check, check.allowed),
                        check.outcome == CheckOutcome::kPassed ? "" : markdown_cell(check_text(check)));
  }
  text += fmt::format("\nBudget: {}\n", markdown_code(report.budget));
  return text;
}

}  // namespace ttscope::gate
