#include "cli/cmd_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/report_name.h"
#include "cli/environment.h"
#include "cli/help_text.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/trace_session.h"
#include "perf/analyse/executions/chosen_analyses.h"

namespace ttscope::cli {
namespace {

std::vector<OptionSpec> run_options() {
  return {
      {"-p,--partial",
       "",
       "record only what Profiler().enable() switches on, not every Python call",
       ValueKind::kText,
       {}},
      {"-l,--lines", "", "with -p: record every line instead of every call (slow)", ValueKind::kText, {}},
      {"-m,--module", "", "the first word is a Python module: -m pytest tests/...", ValueKind::kText, {}},
      {"-r,--report", "", "make the ops report, with the .tracy file beside it", ValueKind::kText, {}},
      {"-v,--verbose",
       "",
       "show the commands, the variables and what the capture tool prints",
       ValueKind::kText,
       {}},
      {"-o,--output-folder",
       "DIR",
       "where .logs and reports go (default: generated/profiler)",
       ValueKind::kFolder,
       {}},
      {"-n,--name-append",
       "NAME",
       "a folder below reports, and behind the names of its files",
       ValueKind::kText,
       {}},
      {"-t,--port", "PORT", "of Tracy (default: the first free one from 8086 on)", ValueKind::kText, {}},
      {"--live", "", "show the run on a page while it lasts", ValueKind::kText, {}},
      {"--web-app-port",
       "PORT",
       "of the page that --live shows (default: the next free one from 8080 on)",
       ValueKind::kText,
       {}},
      {"--check-exit-code", "", "no report after a program that failed", ValueKind::kText, {}},
      {"--process-logs-only", "", "no run: make the report of the logs that are there", ValueKind::kText, {}},
      {"--child-functions",
       "NAMES",
       "zones that are summed for each op, separated by commas",
       ValueKind::kText,
       {}},
      {"--tracy-tools-folder",
       "DIR",
       "where Tracy's capture and csvexport are (default: TT_METAL_HOME/build/tools/profiler/bin)",
       ValueKind::kFolder,
       {}},
      {"--no-capture-tool", "", "our recorder, even where Tracy's tools are", ValueKind::kText, {}},
      {"--env",
       "",
       "print what makes `python -m tracy` work in a shell: eval \"$(ttscope trace --env)\"",
       ValueKind::kText,
       {}},
      {"-q,--quiet", "", "problems only", ValueKind::kText, {}},
  };
}

std::vector<OptionSpec> device_options() {
  return {
      {"--no-device", "", "leave devices out", ValueKind::kText, {}},
      {"--no-op-info-cache", "", "every op tells all of itself, also repeated ones", ValueKind::kText, {}},
      {"--op-support-count",
       "N",
       "programs that the device keeps between two reads (default 1000)",
       ValueKind::kText,
       {}},
      {"--sync-host-device",
       "",
       "bring host and devices to one clock (simulated chips: only to each other)",
       ValueKind::kText,
       {}},
      {"--profile-dispatch-cores", "", "dispatch cores too", ValueKind::kText, {}},
      {"--dump-device-data-mid-run",
       "",
       "write device data at every read, not only at the end",
       ValueKind::kText,
       {}},
      {"--collect-noc-traces", "", "record transfers over the NoC", ValueKind::kText, {}},
      {"--device-memory-profiler", "", "record buffers in L1 and DRAM", ValueKind::kText, {}},
      {"--profiler-capture-perf-counters",
       "GROUPS",
       "hardware counters: fpu, pack, unpack, l1_0 to l1_4, instrn, separated by commas, or all",
       ValueKind::kText,
       {}},
      {"--enable-sum-profiling", "", "record sums of zones", ValueKind::kText, {}},
      {"--enable-accumulate-profiling",
       "",
       "send buffers when they are full, without op ids; not with -r",
       ValueKind::kText,
       {}},
      {"--device-trace-profiler", "", "record whole replays of traces alone", ValueKind::kText, {}},
      {"--no-runtime-analysis",
       "",
       "measure ops by the device log, not by the runtime's own report",
       ValueKind::kText,
       {}},
      {"-a,--device-analysis-types",
       "NAMES",
       "with a report that is made of the device log: these analyses alone, such as device_kernel_duration",
       ValueKind::kText,
       {},
       {},
       true},
      {"--disable-device-data-dump-to-files", "", "no files of the device", ValueKind::kText, {}},
      {"--disable-device-data-push-to-tracy", "", "no device zones in the .tracy file", ValueKind::kText, {}},
  };
}

std::string usage_problem(const ParsedArgs& args) {
  const bool only_logs = args.has("--process-logs-only");
  if (only_logs && !args.positionals.empty())
    return "--process-logs-only runs nothing; leave the program out";
  if (only_logs && args.has("--live"))
    return "--process-logs-only runs nothing that --live could show; ttscope timeline shows what is there";
  if (!only_logs && args.positionals.empty()) return "give a script, a program, or -m and a module";
  if (args.has("--output-folder") && args.value("--output-folder").empty())
    return "--output-folder needs a path";
  if (args.has("--name-append") && !app::is_plain_name(args.value("--name-append")))
    return fmt::format("--name-append {}: expected a plain file name", args.value("--name-append"));
  if (args.has("--name-append") && !args.has("--report") && !only_logs)
    return "--name-append names the report; give -r too";
  if (args.has("--child-functions") && !args.has("--report") && !only_logs)
    return "--child-functions are columns of the report; give -r too";
  if (args.has("--device-analysis-types") && !args.has("--report") && !only_logs)
    return "--device-analysis-types are columns of the report; give -r too";
  for (const std::string& name : comma_separated(args.value("--device-analysis-types"))) {
    const std::vector<std::string>& known = perf::report_analyses();
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fmt::format("--device-analysis-types {}: expected some of {}", name, fmt::join(known, ", "));
  }
  if (args.has("--check-exit-code") && !args.has("--report"))
    return "--check-exit-code is about the report; give -r too";
  if (args.has("--web-app-port") && !args.has("--live"))
    return "--web-app-port is the port of --live; give that too";
  return {};
}

}  // namespace

CommandSpec trace_spec() {
  CommandSpec spec;
  spec.program = "ttscope trace";
  spec.summary = "run a program under the profiler: zones, ops, devices";
  spec.description =
      "Runs a Python script, a module or any program and records what it marks, what Python calls and what "
      "devices do; with -r "
      "it leaves the ops report and a .tracy file in generated/profiler/reports/DATE. Tracy's own tools are "
      "used where a tt-metal "
      "build has them, else our recorder, with simulated devices where ttnn is absent. No shell is in "
      "between: arguments arrive as "
      "typed. `python -m tracy` takes the same words.";
  spec.positional = {
      "PROGRAM", "the script, module or program, and its arguments", 0, 1000000, ValueKind::kFile, {}, true};
  spec.options = run_options();
  const std::vector<OptionSpec> device = device_options();
  spec.options.insert(spec.options.end(), device.begin(), device.end());
  spec.examples =
      "Examples:\n"
      "  ttscope trace -p -r model.py --batch 8\n"
      "  ttscope trace -p -r -v -m pytest tests/test_model.py::test_one\n"
      "  ttscope trace -r --sync-host-device build/train\n"
      "  ttscope trace -p -r --op-support-count 5000 model.py\n"
      "  ttscope trace --live -p train.py\n"
      "  mpirun -n 2 ttscope trace -p -r model.py      each rank in a folder of its own\n"
      "  eval \"$(ttscope trace --env)\"; python -m tracy -p -r model.py\n"
      "\n"
      "Exit codes: that of the program (128 + N after signal N); 1 no report could be\n"
      "made, or Tracy's tools are missing, 2 wrong usage, 125 our part failed,\n"
      "126 it cannot be started, 127 not found\n";
  return spec;
}

int run_trace(const ParsedArgs& args) {
  if (args.has("--env")) return print_trace_environment();
  if (const std::string problem = usage_problem(args); !problem.empty()) {
    complain(problem);
    if (args.positionals.empty()) say(usage_line(trace_spec()));
    return kUsage;
  }
  return trace_program(args);
}

}  // namespace ttscope::cli
