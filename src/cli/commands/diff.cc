#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/compare.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/option_values.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "diff/outputs.h"
#include "gate/outputs.h"

namespace ttscope::cli {
namespace {

constexpr std::string_view kDiffExamples =
    "Examples:\n"
    "  ttscope diff before.csv after.csv          what changed, by which ops, and why\n"
    "  ttscope diff before.log after.log          memory: what changed the peak\n"
    "  ttscope diff a.log+a.csv b.log+b.csv       memory and time of the same runs\n"
    "  ttscope diff a1.csv,a2.csv b1.csv,b2.csv   repeats tell what is noise\n"
    "  ttscope diff old new --html diff.html      both runs on one axis\n"
    "  ttscope diff old new --json diff.json      the same for scripts\n"
    "\n"
    "Exit codes: 0 no difference beyond noise, 1 bad input or failed output,\n"
    "2 wrong usage, 3 different, 4 nothing to compare\n";

struct DiffOptions {
  std::vector<std::string> runs;
  Outputs outputs{12};
  app::DiffOptions comparison;
};

CommandSpec describe_diff(DiffOptions& options) {
  Outputs& outputs = options.outputs;
  CommandSpec spec;
  spec.program = "ttscope diff";
  spec.summary = "what changed from one run to another, and why";
  spec.description =
      "Compares two runs of any one kind: aligns their ops, also where some were inserted, removed, repeated "
      "or moved, adds up what changed, and says which property of an op changed with it. Of device time, "
      "rows "
      "that did not change tell how much is noise; several runs on a side, separated by commas, tell it "
      "better. Of memory, the parts of the peak are compared.";
  spec.positional = {
      "RUN",
      "the run before and the run after: ops reports, folders of the profiler, runtime logs, logs of "
      "training, graph captures; a+b for files of one run, a,b for repeats",
      2, 2};
  spec.arguments = &options.runs;
  spec.options = {
      outputs.json_option(),
      outputs.llm_option("write it as markdown"),
      outputs.html_option("write a page with both runs on one axis: one file, opens in any browser"),
      choice_option("--memory", "WHICH",
                    {{"auto", app::ComparedMemory::kAny},
                     {"dram", app::ComparedMemory::kDram},
                     {"l1", app::ComparedMemory::kL1}},
                    options.comparison.memory,
                    "the peak whose parts are shown: dram, l1 or auto (dram, or l1 where it alone changed)"),
      outputs.top_option("entries of each list (default 12, 0 for all)"),
      outputs.color_option(),
      outputs.quiet_option("print nothing"),
  };
  spec.examples = kDiffExamples;
  return spec;
}

int run_diff(DiffOptions& options) {
  Outputs& outputs = options.outputs;
  if (!outputs.are_usable(options.runs)) return kUsage;
  const Result<std::vector<std::string>> inputs = hold_streams(options.runs);
  if (!inputs) return fail(inputs.error());
  const Result<std::vector<diff::DiffReport>> reports = [&] {
    ProgressBar bar;
    options.comparison.open = shown_on(bar);
    return app::compare(app::run_inputs(inputs->front()), app::run_inputs(inputs->back()),
                        options.comparison);
  }();
  if (!reports) return fail(reports.error());
  Result<void> done = outputs.write({
      {outputs.json, [&](Writer& out) { diff::write_diff_json(*reports, version_text(), out); }},
      {outputs.llm, [&](Writer& out) { out.write(diff::diff_markdown(*reports)); }},
      {outputs.html, [&](Writer& out) { diff::write_diff_page(*reports, version_text(), out); }},
  });
  if (done && outputs.prints()) {
    done = print(diff::diff_text(
        *reports, {outputs.use_color(), report_width(), static_cast<std::size_t>(outputs.top)}));
  }
  if (!done) return fail(done.error());
  const bool is_different = std::any_of(reports->begin(), reports->end(),
                                        [](const diff::DiffReport& report) { return report.is_different; });
  return is_different ? kLimitExceeded : kOk;
}

constexpr std::string_view kGateExamples =
    "A budgets file is TOML:\n"
    "  baseline = \"main.csv\"\n"
    "  [memory]\n"
    "  dram_peak = \"90%\"\n"
    "  [time]\n"
    "  wall = \"+3%\"\n"
    "  [time.ops.Matmul]\n"
    "  device_us = 120\n"
    "\n"
    "Examples:\n"
    "  ttscope gate run.log --budget budgets.toml\n"
    "  ttscope gate run.log ops.csv --budget budgets.toml --junit gate.xml\n"
    "  ttscope gate 1.csv,2.csv,3.csv --budget budgets.toml   the median counts\n"
    "\n"
    "Exit codes: 0 passed, 1 bad input, budgets file or failed output, 2 wrong usage,\n"
    "3 not passed: over a bound, not known, or the run failed, 4 nothing found\n";

struct GateOptions {
  std::vector<std::string> runs;
  Outputs outputs;
  std::string budget;
  std::string junit;
  std::optional<std::string> baseline;
};

CommandSpec describe_gate(GateOptions& options) {
  Outputs& outputs = options.outputs;
  CommandSpec spec;
  spec.program = "ttscope gate";
  spec.summary = "hold a run against a budget, for CI";
  spec.description =
      "Checks peaks, fit, padding, failures, wall time and the time of ops and layers of a run against a "
      "budgets file: absolute, as a share of the device's memory, or against a baseline. A run that failed "
      "never passes, nor does a figure that is not known.";
  spec.positional = {"RUN",
                     "a runtime log, an ops report, a log of training, a graph capture; a,b for repeats", 1,
                     kManyArguments};
  spec.arguments = &options.runs;
  spec.options = {
      text_option("-b,--budget", "FILE", options.budget, "the budgets file", ValueKind::kFile),
      text_option("--baseline", "RUN", options.baseline,
                  "the run to compare with, instead of the one that the file names", ValueKind::kFile),
      outputs.file_option("--junit", "PATH", options.junit, "write the checks as JUnit XML"),
      outputs.llm_option("write the summary as markdown"),
      outputs.json_option(),
      outputs.color_option(),
      outputs.quiet_option("print nothing"),
  };
  spec.examples = kGateExamples;
  return spec;
}

int run_gate(GateOptions& options) {
  Outputs& outputs = options.outputs;
  if (!outputs.are_usable(options.runs)) return kUsage;
  if (options.budget.empty()) {
    complain("--budget is missing; expected the path of a budgets file (`ttscope gate --help` shows one)");
    return kUsage;
  }
  app::GateOptions gating;
  if (options.baseline) gating.baseline = {*options.baseline};
  const Result<std::vector<std::string>> inputs = hold_streams(options.runs);
  if (!inputs) return fail(inputs.error());
  const Result<gate::GateResult> report = [&] {
    ProgressBar bar;
    gating.open = shown_on(bar);
    return app::gate_runs(*inputs, options.budget, gating);
  }();
  if (!report) return fail(report.error());
  Result<void> done = outputs.write({
      {outputs.json, [&](Writer& out) { gate::write_gate_json(*report, version_text(), out); }},
      {outputs.llm, [&](Writer& out) { out.write(gate::gate_markdown(*report)); }},
      {options.junit, [&](Writer& out) { out.write(gate::gate_junit(*report)); }},
  });
  if (done && outputs.prints()) done = print(gate::gate_text(*report, {outputs.use_color(), report_width()}));
  if (!done) return fail(done.error());
  return report->passed() ? kOk : kLimitExceeded;
}

}  // namespace

Command diff_command() { return make_command("diff", describe_diff, run_diff); }

Command gate_command() { return make_command("gate", describe_gate, run_gate); }

}  // namespace ttscope::cli
