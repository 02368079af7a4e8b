#include "cli/commands/run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <optional>
#include <utility>

#include "app/captured_run.h"
#include "app/doctor.h"
#include "app/report_library.h"
#include "app/simulator.h"
#include "app/trace/python.h"
#include "base/number_text.h"
#include "base/text.h"
#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/commands/serve.h"
#include "cli/mem_profiles.h"
#include "cli/option_values.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "launch/child.h"
#include "launch/live_log.h"
#include "launch/profiler_variables.h"
#include "perf/analyze/report_rows.h"

namespace ttscope::cli {

app::CaptureRequest capture_request(const ParsedArgs& args, std::vector<std::string> command,
                                    const std::string& usual_name) {
  app::CaptureRequest request;
  request.command = std::move(command);
  request.name = args.value("--name", usual_name);
  request.base = args.value("--output-dir");
  request.log_only = args.has("--log");
  request.compress = args.has("--compress");
  request.quiet = args.has("--quiet");
  request.keep_in_library = !args.has("--no-library");
  return request;
}

app::CaptureOutcome capture_command(app::CaptureRequest request) {
  fill_standard_descriptors();
  request.environment = own_environment();
  request.read_log = [](const std::string& path) { return profile_logs({path}, {.live_totals = true}); };
  request.page_options = [](const std::string& name) { return page_options(name); };
  RunTerminal terminal(!request.quiet);
  return app::capture_command(request, terminal);
}

void fill_standard_descriptors() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is given.
    [[maybe_unused]] const int opened = open("/dev/null", descriptor == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  }
}

void RunTerminal::say(const std::string& text) { cli::say(text); }

void RunTerminal::complain(const std::string& message) { cli::complain(message); }

app::RunScreen RunTerminal::screen() const {
  return {program_name(),
          {.color = use_color("auto", Stream::kErr), .width = terminal_width(Stream::kErr), .top = kTopRows}};
}

launch::CaptureConsole RunTerminal::connect(launch::ChildSpec& spec) {
  launch::CaptureConsole console;
  spec.pty = isatty(STDOUT_FILENO) != 0;
  const bool types = isatty(STDIN_FILENO) != 0;
  console.echo = STDOUT_FILENO;
  if (spec.pty) {
    console.screen = STDOUT_FILENO;
    spec.terminal = types ? STDIN_FILENO : STDOUT_FILENO;
  }
  if (types) {
    console.keyboard = STDIN_FILENO;
    console.raw_keyboard = spec.pty;
    spec.input = spec.pty ? launch::ChildInput::kTerminal : launch::ChildInput::kPipe;
  }
  console.warn = [](const std::string& message) {
    // A terminal in raw mode does not return to the first column by itself.
    cli::say(fmt::format("{}: {}{}\n", program_name(), terminal_safe(message),
                         is_terminal(Stream::kErr) ? "\r" : ""));
  };
  if (!status_.is_enabled()) return console;
  const bool shares_terminal = spec.pty;
  console.clear_status = [this] { status_.clear(); };
  console.show_status = [this, shares_terminal](const launch::LiveState& state, bool at_line_start) {
    if (at_line_start || !shares_terminal) status_.show(launch::status_text(state, status_.room()));
  };
  return console;
}

int RunTerminal::shown_output() const { return STDERR_FILENO; }

std::shared_ptr<void> RunTerminal::take_signals(std::function<void(int)> take) {
  return std::make_shared<SignalRelay>(std::move(take));
}

namespace {

std::string own_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

app::PythonStandins own_standins() { return app::find_standins(own_program(), TTSCOPE_STANDINS_FROM_BINDIR); }

app::LivePageRequest live_request(std::uint16_t port) {
  app::LivePageRequest live;
  live.port = port;
  live.tool_version = version_text();
  live.settings = serve_settings;
  live.tell_place = [](const app::LivePagePlace& place) {
    say(fmt::format("Live page: {}\nFrom another computer: {}\n",
                    page_address(place.socket, place.token, place.path), tunnel_command(place.socket)));
  };
  return live;
}

}  // namespace

app::TraceRequest trace_request(const ParsedArgs& args, launch::TracePlan plan) {
  app::TraceRequest request;
  request.folders =
      launch::trace_folders(args.value("--output-folder"), plan.environment, std::time(nullptr));
  request.plan = std::move(plan);
  request.words = args.positionals;
  request.is_module = args.has("--module");
  request.of_marked_parts = args.has("--partial");
  request.of_lines = args.has("--lines");
  request.makes_report = args.has("--report");
  request.needs_success = args.has("--check-exit-code");
  request.is_quiet = args.has("--quiet");
  request.is_verbose = args.has("--verbose");
  request.uses_tools = !args.has("--no-capture-tool");
  request.tools_folder = args.value("--tracy-tools-folder");
  request.report_name = args.value("--name-append");
  request.child_functions = comma_separated(args.value("--child-functions"));
  request.analyses = comma_separated(args.value("--device-analysis-types"));
  request.own_program = own_program();
  request.standins = own_standins();
  request.has_recorder = app::has_simulator();
  return request;
}

Result<std::uint16_t> live_port(const ParsedArgs& args, const std::vector<std::string>& environment) {
  const auto by_hand = launch::value_in(environment, "TRACY_WASM_HTTP_PORT");
  const std::string given = args.value("--web-app-port", by_hand.value_or(""));
  if (given.empty()) return 0;
  const std::optional<std::int64_t> number = parse_whole(given);
  if (number && *number >= 1 && *number <= 65534) return static_cast<std::uint16_t>(*number);
  return failure(bad_input(fmt::format("--web-app-port {}: expected a port, 1 to 65534", given)));
}

int trace_program(const ParsedArgs& args) {
  const launch::TraceOptions options(args.values.begin(), args.values.end());
  Result<launch::TracePlan> plan = launch::plan_trace(options, own_environment());
  if (!plan) {
    complain(plan.error().message);
    return kUsage;
  }
  for (const std::string& note : plan->notes) complain(note);
  app::TraceRequest request = trace_request(args, std::move(*plan));
  if (args.has("--live")) {
    const Result<std::uint16_t> port = live_port(args, request.plan.environment);
    if (!port) {
      complain(port.error().message);
      return kUsage;
    }
    request.live = live_request(*port);
  }
  fill_standard_descriptors();
  RunTerminal terminal(false);
  const app::TraceOutcome outcome = args.has("--process-logs-only") ? app::report_trace(request, terminal)
                                                                    : app::trace_program(request, terminal);
  if (!outcome.error) return outcome.exit_code;
  const int code = fail(*outcome.error);
  return outcome.is_usage_problem ? static_cast<int>(kUsage) : code;
}

int print_trace_environment() {
  if (!app::has_simulator()) {
    complain(fmt::format("--env puts our stand-ins on Python's path, and {}", app::kNoSimulator));
    return launch::kOwnFailure;
  }
  const Result<std::string> commands = app::opt_in_commands(own_standins(), own_program(), own_environment());
  if (!commands) {
    complain(commands.error().message);
    return launch::kOwnFailure;
  }
  return answer(*commands);
}

CommandSpec run_spec() {
  CommandSpec spec;
  spec.program = "ttscope run";
  spec.summary = "run a program, keep its log, report on its memory";
  spec.description =
      "Runs any program (python, pytest, torchrun, mpirun, a binary) with the variables that make the log "
      "useful, shows its output as it comes and writes ./logs/NAME_YYYYMMDD_HHMMSS/ with NAME_profile.log "
      "and "
      "the report. No shell is in between: arguments arrive as typed. On a terminal a status line shows ops, "
      "DRAM and L1 against capacity, growth and the current program.";
  spec.positional = {
      "CMD", "the program and its arguments, after `--` or the options", 1, 1000000, ValueKind::kFile, {},
      true};
  spec.options = {
      {"--name",
       "NAME",
       "how the files begin (default: from the Python file or program)",
       ValueKind::kText,
       {}},
      {"--output-dir", "DIR", "the folder of runs (default: ./logs)", ValueKind::kFolder, {}},
      {"--log", "", "capture only, no report", ValueKind::kText, {}},
      {"--compress", "", "write the log as zstd: NAME_profile.log.zst", ValueKind::kText, {}},
      {"--no-library", "", "do not keep the report in the library of reports too", ValueKind::kText, {}},
      {"-q,--quiet", "", "no status line and no summary: problems only", ValueKind::kText, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttscope run -- python model.py --batch 8\n"
      "  ttscope run --name vit -- pytest -svv tests/test_vit.py\n"
      "  ttscope run --compress -- mpirun --tag-output -n 2 python model.py\n"
      "\n"
      "Exit codes: that of the program (128 + N after signal N); 2 wrong usage,\n"
      "125 our part failed, 126 it cannot be started, 127 it was not found\n";
  return spec;
}

int run_run(const ParsedArgs& args) {
  app::CaptureRequest request =
      capture_request(args, args.positionals, app::name_of_command(args.positionals));
  if (!app::is_plain_name(request.name)) {
    complain(fmt::format("--name {}: expected a plain file name", request.name));
    return kUsage;
  }
  if (args.has("--output-dir") && request.base.empty()) {
    complain("--output-dir needs a folder");
    return kUsage;
  }
  return capture_command(std::move(request)).exit_code;
}

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

CommandSpec doctor_spec() {
  CommandSpec spec;
  spec.program = "ttscope doctor";
  spec.summary = "what a run in this environment will produce";
  spec.description =
      "Looks at the variables, the TT-XLA installation (is it there, built with TT_RUNTIME_DEBUG, new enough "
      "to need "
      "no source edit), the devices and the room on disk, and says which lines a log will hold and how to "
      "get the "
      "missing ones. For ttscope trace: the capture tools, every variable of the profiler with what follows "
      "from it, what "
      "excludes each other, and whether the last run fitted.";
  spec.options = {
      {"--json", "", "print it as JSON (ttscope.doctor/1)", ValueKind::kText, {}},
      {"--llm", "", "print it as markdown", ValueKind::kText, {}},
      {"--tt-xla", "DIR", "a TT-XLA package, build folder or checkout to look at", ValueKind::kFolder, {}},
      {"--output-dir", "DIR", "where runs will be kept (default: ./logs)", ValueKind::kFolder, {}},
  };
  spec.examples =
      "Examples:\n"
      "  ttscope doctor\n"
      "  ttscope doctor --tt-xla ~/tt-xla --json\n"
      "\n"
      "Exit codes: 0 nothing stands in the way, 1 a problem was found, 2 wrong usage\n";
  return spec;
}

int run_doctor(const ParsedArgs& args) {
  if (args.has("--json") && args.has("--llm")) {
    complain("choose one of --json and --llm");
    return kUsage;
  }
  const app::Diagnosis diagnosis =
      app::diagnose({args.value("--tt-xla"), args.value("--output-dir", "logs"), own_environment()});
  const std::string text = args.has("--json") ? app::doctor_json(diagnosis, version_text())
                           : args.has("--llm")
                               ? app::doctor_markdown(diagnosis)
                               : app::doctor_text(diagnosis, use_color("auto", Stream::kOut),
                                                  static_cast<std::size_t>(terminal_width(Stream::kOut)));
  if (const Result<void> printed = print(text); !printed) {
    return fail(printed.error());
  }
  return diagnosis.has_problem() ? kFailed : kOk;
}

}  // namespace ttscope::cli
