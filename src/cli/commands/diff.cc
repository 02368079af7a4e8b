#include <fmt/format.h>

#include <algorithm>

#include "app/compare.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/option_values.h"
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

}  // namespace

CommandSpec diff_spec() {
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
      2,
      2,
      ValueKind::kFile,
      {}};
  spec.options = {
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--llm", "PATH", "write it as markdown", ValueKind::kFile, {}},
      {"--html",
       "PATH",
       "write a page with both runs on one axis: one file, opens in any browser",
       ValueKind::kFile,
       {}},
      {"--memory",
       "WHICH",
       "the peak whose parts are shown: dram, l1 or auto (dram, or l1 where it alone changed)",
       ValueKind::kChoice,
       {"auto", "dram", "l1"}},
      {"--top", "N", "entries of each list (default 12, 0 for all)", ValueKind::kText, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "print nothing", ValueKind::kText, {}},
  };
  spec.examples = kDiffExamples;
  return spec;
}

int run_diff(const ParsedArgs& args) {
  int top = 12;
  if (!are_usable_outputs(args, {"--json", "--llm", "--html"}) || !read_number(args, "--top", 0, top))
    return kUsage;
  app::DiffOptions options;
  if (args.value("--memory") == "dram") options.memory = app::ComparedMemory::kDram;
  if (args.value("--memory") == "l1") options.memory = app::ComparedMemory::kL1;
  const Result<std::vector<std::string>> inputs = hold_streams(args.positionals);
  if (!inputs) return fail(inputs.error());
  const Result<std::vector<diff::DiffReport>> reports = [&] {
    ProgressBar bar;
    options.open = shown_on(bar);
    return app::compare(app::run_inputs(inputs->front()), app::run_inputs(inputs->back()), options);
  }();
  if (!reports) return fail(reports.error());
  const std::string json = args.value("--json");
  const std::string markdown = args.value("--llm");
  const std::string page = args.value("--html");
  Result<void> done =
      write_output(json, [&](Writer& out) { diff::write_diff_json(*reports, version_text(), out); });
  if (done) done = write_output(markdown, [&](Writer& out) { out.write(diff::diff_markdown(*reports)); });
  if (done)
    done = write_output(page, [&](Writer& out) { diff::write_diff_page(*reports, version_text(), out); });
  if (done && !args.has("--quiet") && json != "-" && markdown != "-" && page != "-") {
    done = print(diff::diff_text(*reports, {use_color(args.value("--color", "auto"), Stream::kOut),
                                            report_width(), static_cast<std::size_t>(top)}));
  }
  if (!done) return fail(done.error());
  const bool is_different = std::any_of(reports->begin(), reports->end(),
                                        [](const diff::DiffReport& report) { return report.is_different; });
  return is_different ? kLimitExceeded : kOk;
}

namespace {

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

}  // namespace

CommandSpec gate_spec() {
  CommandSpec spec;
  spec.program = "ttscope gate";
  spec.summary = "hold a run against a budget, for CI";
  spec.description =
      "Checks peaks, fit, padding, failures, wall time and the time of ops and layers of a run against a "
      "budgets file: absolute, as a share of the device's memory, or against a baseline. A run that failed "
      "never passes, nor does a figure that is not known.";
  spec.positional = {"RUN",
                     "a runtime log, an ops report, a log of training, a graph capture; a,b for repeats",
                     1,
                     1000000,
                     ValueKind::kFile,
                     {}};
  spec.options = {
      {"-b,--budget", "FILE", "the budgets file", ValueKind::kFile, {}},
      {"--baseline",
       "RUN",
       "the run to compare with, instead of the one that the file names",
       ValueKind::kFile,
       {}},
      {"--junit", "PATH", "write the checks as JUnit XML", ValueKind::kFile, {}},
      {"--llm", "PATH", "write the summary as markdown", ValueKind::kFile, {}},
      {"--json", "PATH", "write everything as one JSON document", ValueKind::kFile, {}},
      {"--color", "WHEN", "auto, always or never", ValueKind::kChoice, {"auto", "always", "never"}},
      {"-q,--quiet", "", "print nothing", ValueKind::kText, {}},
  };
  spec.examples = kGateExamples;
  return spec;
}

int run_gate(const ParsedArgs& args) {
  if (!are_usable_outputs(args, {"--junit", "--llm", "--json"})) return kUsage;
  const std::string budget = args.value("--budget");
  if (budget.empty()) {
    complain("--budget is missing; expected the path of a budgets file (`ttscope gate --help` shows one)");
    return kUsage;
  }
  app::GateOptions options;
  if (args.has("--baseline")) options.baseline = {args.value("--baseline")};
  const Result<std::vector<std::string>> inputs = hold_streams(args.positionals);
  if (!inputs) return fail(inputs.error());
  const Result<gate::GateReport> report = [&] {
    ProgressBar bar;
    options.open = shown_on(bar);
    return app::gate_runs(*inputs, budget, options);
  }();
  if (!report) return fail(report.error());
  const std::string json = args.value("--json");
  const std::string markdown = args.value("--llm");
  const std::string junit = args.value("--junit");
  Result<void> done =
      write_output(json, [&](Writer& out) { gate::write_gate_json(*report, version_text(), out); });
  if (done) done = write_output(markdown, [&](Writer& out) { out.write(gate::gate_markdown(*report)); });
  if (done) done = write_output(junit, [&](Writer& out) { out.write(gate::gate_junit(*report)); });
  const bool is_taken = json == "-" || markdown == "-" || junit == "-";
  if (done && !args.has("--quiet") && !is_taken) {
    done = print(
        gate::gate_text(*report, {use_color(args.value("--color", "auto"), Stream::kOut), report_width()}));
  }
  if (!done) return fail(done.error());
  return report->passed() ? kOk : kLimitExceeded;
}

}  // namespace ttscope::cli
