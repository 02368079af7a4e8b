#include "cli/cmd_gate.h"

#include <fmt/format.h>

#include "app/gate.h"
#include "cli/given_inputs.h"
#include "cli/open_profiles.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/version.h"
#include "gate/write/gate_text.h"

namespace ttscope::cli {
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
