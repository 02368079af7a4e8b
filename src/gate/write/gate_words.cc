#include "gate/write/gate_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/number_text.h"

namespace ttscope::gate {
namespace {

std::string quantity_text(Quantity quantity, double value) {
  switch (quantity) {
    case Quantity::kBytes:
      return report::size_text(std::llround(value));
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
    case Reason::kNotTold:
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

std::string verdict_text(const GateReport& report) {
  const auto passed = std::count_if(report.checks.begin(), report.checks.end(), [](const Check& check) {
    return check.outcome == CheckOutcome::kPassed;
  });
  const auto missed = report.checks.size() - static_cast<std::size_t>(passed);
  const std::string checks = report::counted(report.checks.size(), "check");
  if (report.passed()) return fmt::format("{} passed", checks);
  std::string text = missed == 0 ? "" : fmt::format("{} of {} not passed", missed, checks);
  for (const GatedRun& run : report.runs) {
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
  if (bound.kind == BoundKind::kMost) return fmt::format("at most {}", value_text(check, bound.value));
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

}  // namespace ttscope::gate
