#include "gate/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json_writer.h"
#include "base/text.h"
#include "diff/outputs.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::gate {
namespace {

std::string quantity_text(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::kBytes:
      return ui::size_text(std::llround(value));
    case Quantity::kTime:
      return value >= 1e6    ? fmt::format("{:.3f} s", value / 1e6)
             : value >= 1000 ? fmt::format("{:.3f} ms", value / 1000)
                             : fmt::format("{:.2f} μs", value);
    case Quantity::kCount:
      return fmt::format("{:g}", value);
    case Quantity::kFlag:
      break;
  }
  return value > 0 ? "yes" : "no";
}

/// Why a check that is not over its bound did not pass.
std::string unknown_text(const Check& check) {
  const Bound& bound = check.bound;
  const bool is_time = bound.figure->section == Section::kTime;
  switch (check.reason) {
    case Reason::kNoInput:
      return is_time ? "no input tells of time: give an ops report or a folder of the profiler"
                     : "no input tells of memory: give a runtime log, a log of training or a graph capture";
    case Reason::kFigureMissing:
      return "the input does not tell it";
    case Reason::kNoWhole:
      return fmt::format("the input does not tell the size of {}; give the bound in bytes",
                         bound.figure->whole);
    case Reason::kNoSuchName:
      return fmt::format("no {} of this name{}", bound.figure->scope == Scope::kOp ? "op" : "layer",
                         check.similar.empty() ? "" : fmt::format("; did you mean `{}`?", check.similar));
    case Reason::kNoBaseline:
      return "the baseline does not tell it";
    case Reason::kBaselineFailed:
      return "the run of the baseline failed, so it bounds nothing";
    case Reason::kUnlikeBaseline:
      return "the baseline has other times of ops: one of the two lacks the duration of kernels";
    case Reason::kRunFailed:
      return "the run failed: its figures are those of a part of it";
    default:
      return {};
  }
}

}  // namespace

std::string check_name(const Check& check) {
  return check.input.empty() ? check.bound.path() : fmt::format("{} of {}", check.bound.path(), check.input);
}

std::string value_text(const Check& check, double value) {
  return quantity_text(check.bound.figure->quantity, value);
}

std::string verdict_text(const GateResult& report) {
  const auto passed = std::count_if(report.checks.begin(), report.checks.end(), [](const Check& check) {
    return check.outcome == CheckOutcome::kPassed;
  });
  const auto missed = report.checks.size() - static_cast<std::size_t>(passed);
  const std::string checks = ui::counted(report.checks.size(), "check");
  if (report.passed()) return fmt::format("{} passed", checks);
  std::string text = missed == 0 ? "" : fmt::format("{} of {} not passed", missed, checks);
  for (const CheckedRun& run : report.runs) {
    if (run.failure.empty()) continue;
    text = fmt::format("the run failed, and a run that failed does not pass: {}{}{}", run.failure,
                       text.empty() ? "" : "; ", text);
    break;
  }
  return text;
}

std::string bound_text(const Check& check) {
  const Bound& bound = check.bound;
  if (bound.kind == BoundKind::kMustBe) return fmt::format("must be {}", bound.value > 0 ? "yes" : "no");
  if (bound.kind == BoundKind::kAtMost) return fmt::format("at most {}", value_text(check, bound.value));
  const std::string of =
      bound.kind == BoundKind::kShare ? fmt::format("{} of {}", bound.written, bound.figure->whole)
      : check.baseline ? fmt::format("baseline {}, {}", value_text(check, *check.baseline), bound.written)
                       : fmt::format("baseline {}", bound.written);
  return check.allowed ? fmt::format("at most {} ({})", value_text(check, *check.allowed), of)
                       : fmt::format("at most {}", of);
}

std::string check_text(const Check& check) {
  std::string text;
  if (check.value) {
    text = value_text(check, *check.value);
    if (check.whole && *check.whole > 0) text += fmt::format(" ({:.1f}%)", 100 * *check.value / *check.whole);
    if (check.baseline && *check.baseline > 0)
      text += fmt::format(" ({:+.1f}%)", 100 * (*check.value / *check.baseline - 1));
    if (!check.how.empty() && check.how != "measured") text += ", " + check.how;
    text += "; ";
  }
  text += bound_text(check);
  if (const std::string why = unknown_text(check); !why.empty()) text += ": " + why;
  return text;
}

namespace {

using ui::Painter;

std::string run_text(const CheckedRun& run) {
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

std::string gate_text(const GateResult& report, const GateTextOptions& options) {
  Painter painter(options.color, static_cast<std::size_t>(std::clamp(options.width, 60, 140)));
  painter.statement(report.passed() ? "PASSED" : "NOT PASSED",
                    report.passed() ? Painter::Ink::kGreen : Painter::Ink::kRed,
                    terminal_safe(verdict_text(report)));
  for (const diff::Caution& caution : report.cautions) {
    painter.statement("CAUTION", Painter::Ink::kYellow, terminal_safe(diff::caution_text(caution)));
  }
  for (const CheckedRun& run : report.runs) painter.item("run", terminal_safe(run_text(run)));
  for (const CheckedRun& run : report.baseline) painter.item("baseline", terminal_safe(run_text(run)));
  painter.heading("Checks", fmt::format("of {}", terminal_safe(report.budget)));
  for (const Check& check : report.checks) {
    painter.item(
        mark_of(check),
        terminal_safe(fmt::format("{} {} (line {})", check_name(check), check_text(check), check.bound.line)),
        check.outcome == CheckOutcome::kPassed ? Painter::Ink::kPlain : ink_of(check.outcome));
  }
  return painter.take();
}

std::string gate_markdown(const GateResult& report) {
  std::string text = fmt::format("# {} {}\n\n{}\n\n", report.passed() ? "✅ Passed:" : "❌ Not passed:",
                                 markdown_cell(verdict_text(report)), ui::kDataNotice);
  for (const diff::Caution& caution : report.cautions)
    text += fmt::format("- caution: {}\n", markdown_cell(diff::caution_text(caution)));
  for (const CheckedRun& run : report.runs) text += fmt::format("- run: {}\n", markdown_cell(run_text(run)));
  for (const CheckedRun& run : report.baseline)
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

namespace {

/// A value of an attribute, without the quotes.
std::string attribute(std::string_view text) {
  std::string escaped;
  for (const char c : markup_text(text)) {
    if (c == '"') {
      escaped += "&quot;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

void write_gated_run(JsonWriter& json, const CheckedRun& run) {
  json.object([&] {
    json.field("input", run.input);
    json.field("section", name_of(run.section));
    json.field("window", run.what);
    json.field("device", run.device);
    json.field("repeats", run.repeats);
    json.field("failure", text_or_null(run.failure));
  });
}

void write_check(JsonWriter& json, const Check& check) {
  json.object([&] {
    json.field("name", check.bound.path());
    json.field("input", check.input);
    json.field("outcome", key_of(check.outcome));
    json.field("reason", key_of(check.reason));
    json.field("line", check.bound.line);
    json.field("bound", check.bound.written);
    json.field("unit", unit_of(check.bound.figure->quantity));
    json.field("value", check.value);
    json.field("allowed", check.allowed);
    json.field("baseline", check.baseline);
    json.field("whole", check.whole);
    json.field("text", check_text(check));
  });
}

}  // namespace

void write_gate_json(const GateResult& report, std::string_view tool_version, Writer& out) {
  JsonWriter json(out, {.indented = true, .ascii = true});
  json.object([&] {
    ui::write_document_head(json, "ttscope.gate/1", tool_version);
    json.field("passed", report.passed());
    json.field("budget", report.budget);
    for (const auto& [key, runs] : {std::pair("runs", &report.runs), std::pair("baseline", &report.baseline)})
      json.list(key, *runs, [&](const CheckedRun& run) { write_gated_run(json, run); });
    json.objects("cautions", report.cautions, [&](const diff::Caution& caution) {
      json.field("name", caution.name);
      json.field("before", caution.before);
      json.field("after", caution.after);
    });
    json.list("checks", report.checks, [&](const Check& check) { write_check(json, check); });
  });
  out.write('\n');
}

std::string gate_junit(const GateResult& report) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  const auto add = [&](std::string_view group, std::string_view name, CheckOutcome outcome,
                       std::string_view text) {
    cases += fmt::format("    <testcase classname=\"ttscope.{}\" name=\"{}\"", group, attribute(name));
    if (outcome == CheckOutcome::kPassed) {
      cases += fmt::format(">\n      <system-out>{}</system-out>\n    </testcase>\n", markup_text(text));
      return;
    }
    const std::string_view word = outcome == CheckOutcome::kFailed ? "failure" : "error";
    ++(outcome == CheckOutcome::kFailed ? failures : errors);
    cases += fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", word, attribute(text));
  };
  for (const CheckedRun& run : report.runs) {
    add(name_of(run.section), "run " + run.input,
        run.failure.empty() ? CheckOutcome::kPassed : CheckOutcome::kFailed,
        run.failure.empty() ? run.what : run.failure);
  }
  for (const Check& check : report.checks) {
    add(name_of(check.bound.figure->section), check_name(check), check.outcome, check_text(check));
  }
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                         report.checks.size() + report.runs.size(), failures, errors);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {}>\n  <testsuite name=\"ttscope gate {}\" "
      "{}>\n{}  </testsuite>\n</testsuites>\n",
      counts, attribute(report.budget), counts, cases);
}

}  // namespace ttscope::gate
