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

app::PythonStandins python_standins() {
  return app::find_standins(own_program(), TTSCOPE_STANDINS_FROM_BINDIR);
}

app::LivePageRequest live_request(std::uint16_t port) {
  app::LivePageRequest live;
  live.port = port;
  live.tool_version = version_text();
  live.settings = serve_settings;
  live.on_open = [](const app::LivePageAddress& place) {
    say(fmt::format("Live page: {}\nFrom another computer: {}\n",
                    page_address(place.socket, place.token, place.path), tunnel_command(place.socket)));
  };
  return live;
}

}  // namespace

Result<std::uint16_t> live_port(const std::optional<std::string>& typed,
                                const std::vector<std::string>& environment) {
  const auto by_hand = launch::value_in(environment, "TRACY_WASM_HTTP_PORT");
  const std::string given = typed.value_or(by_hand.value_or(""));
  if (given.empty()) return 0;
  const std::optional<std::int64_t> number = parse_whole(given);
  if (number && *number >= 1 && *number <= 65534) return static_cast<std::uint16_t>(*number);
  return failure(bad_input(fmt::format("--web-app-port {}: expected a port, 1 to 65534", given)));
}

namespace {

int trace_program(TraceOptions& options) {
  Result<launch::TracePlan> plan = launch::plan_trace(options.given, own_environment());
  if (!plan) {
    complain(plan.error().message);
    return kUsage;
  }
  for (const std::string& note : plan->notes) complain(note);
  app::TraceRequest& request = options.request;
  request.plan = std::move(*plan);
  request.folders = launch::trace_folders(options.folder, request.plan.environment, std::time(nullptr));
  request.own_program = own_program();
  request.standins = python_standins();
  request.has_recorder = app::has_simulator();
  if (options.shows_live) {
    const Result<std::uint16_t> port = live_port(options.page_port, request.plan.environment);
    if (!port) {
      complain(port.error().message);
      return kUsage;
    }
    request.live = live_request(*port);
  }
  fill_standard_descriptors();
  RunTerminal terminal(false);
  const app::TraceOutcome outcome =
      options.only_logs ? app::report_trace(request, terminal) : app::trace_program(request, terminal);
  if (!outcome.error) return outcome.exit_code;
  const int code = fail(*outcome.error);
  return outcome.is_usage_problem ? static_cast<int>(kUsage) : code;
}

/// Prints the commands that opt a shell in.
int print_trace_environment() {
  if (!app::has_simulator()) {
    complain(fmt::format("--env puts our stand-ins on Python's path, and {}", app::kNoSimulator));
    return launch::kLauncherFailure;
  }
  const Result<std::string> commands =
      app::opt_in_commands(python_standins(), own_program(), own_environment());
  if (!commands) {
    complain(commands.error().message);
    return launch::kLauncherFailure;
  }
  return answer(*commands);
}

struct RunOptions {
  app::CaptureRequest request;
  std::optional<std::string> name;
  std::optional<std::string> folder;
};

CommandSpec describe_run(RunOptions& options) {
  CommandSpec spec;
  spec.program = "ttscope run";
  spec.summary = "run a program, keep its log, report on its memory";
  spec.description =
      "Runs any program (python, pytest, torchrun, mpirun, a binary) with the variables that make the log "
      "useful, shows its output as it comes and writes ./logs/NAME_YYYYMMDD_HHMMSS/ with NAME_profile.log "
      "and "
      "the report. No shell is in between: arguments arrive as typed. On a terminal a status line shows ops, "
      "DRAM and L1 against capacity, growth and the current program.";
  spec.positional = {"CMD", "the program and its arguments, after `--` or the options", 1, kManyArguments};
  spec.positional.takes_rest = true;
  spec.arguments = &options.request.command;
  spec.options = {
      text_option("--name", "NAME", options.name,
                  "how the files begin (default: from the Python file or program)"),
      text_option("--output-dir", "DIR", options.folder, "the folder of runs (default: ./logs)",
                  ValueKind::kFolder),
      flag_option("--log", options.request.log_only, "capture only, no report"),
      flag_option("--compress", options.request.compress, "write the log as zstd: NAME_profile.log.zst"),
      flag_option("--no-library", options.request.keep_in_library,
                  "do not keep the report in the library of reports too", false),
      flag_option("-q,--quiet", options.request.quiet, "no status line and no summary: problems only"),
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

int run_run(RunOptions& options) {
  app::CaptureRequest& request = options.request;
  request.name = options.name.value_or(app::name_of_command(request.command));
  request.base = options.folder.value_or("");
  if (!app::is_plain_name(request.name)) {
    complain(wrong_value("--name", request.name, "a plain file name"));
    return kUsage;
  }
  if (options.folder && options.folder->empty()) {
    complain("--output-dir needs a folder");
    return kUsage;
  }
  return capture_command(std::move(request)).exit_code;
}

/// An option that launch::plan_trace() takes from those that were given.
OptionSpec plan_option(std::string_view names, std::string_view value_name, std::string_view help) {
  return value_option(names, value_name, {}, help);
}

OptionSpec list_option(std::string_view names, std::vector<std::string>& list, std::string_view help) {
  return value_option(
      names, "NAMES",
      [&list](std::string_view, const std::string& text) {
        list = comma_separated(text);
        return std::string();
      },
      help);
}

std::vector<OptionSpec> run_options(TraceOptions& options) {
  app::TraceRequest& request = options.request;
  return {
      flag_option("-p,--partial", request.of_marked_parts,
                  "record only what Profiler().enable() switches on, not every Python call"),
      flag_option("-l,--lines", request.of_lines, "with -p: record every line instead of every call (slow)"),
      flag_option("-m,--module", request.is_module, "the first word is a Python module: -m pytest tests/..."),
      flag_option("-r,--report", request.makes_report, "make the ops report, with the .tracy file beside it"),
      flag_option("-v,--verbose", request.is_verbose,
                  "show the commands, the variables and what the capture tool prints"),
      text_option("-o,--output-folder", "DIR", options.folder,
                  "where .logs and reports go (default: generated/profiler)", ValueKind::kFolder),
      text_option("-n,--name-append", "NAME", request.report_name,
                  "a folder below reports, and behind the names of its files"),
      plan_option("-t,--port", "PORT", "of Tracy (default: the first free one from 8086 on)"),
      flag_option("--live", options.shows_live, "show the run on a page while it lasts"),
      text_option("--web-app-port", "PORT", options.page_port,
                  "of the page that --live shows (default: the next free one from 8080 on)"),
      flag_option("--check-exit-code", request.needs_success, "no report after a program that failed"),
      flag_option("--process-logs-only", options.only_logs,
                  "no run: make the report of the logs that are there"),
      list_option("--child-functions", request.child_functions,
                  "zones that are summed for each op, separated by commas"),
      text_option("--tracy-tools-folder", "DIR", request.tools_folder,
                  "where Tracy's capture and csvexport are (default: TT_METAL_HOME/build/tools/profiler/bin)",
                  ValueKind::kFolder),
      flag_option("--no-capture-tool", request.uses_tools, "our recorder, even where Tracy's tools are",
                  false),
      flag_option("--env", options.prints_environment,
                  "print what makes `python -m tracy` work in a shell: eval \"$(ttscope trace --env)\""),
      flag_option("-q,--quiet", request.is_quiet, "problems only"),
  };
}

std::vector<OptionSpec> device_options(TraceOptions& options) {
  OptionSpec analyses = value_option(
      "-a,--device-analysis-types", "NAMES",
      [&options](std::string_view, const std::string& text) {
        for (std::string& name : comma_separated(text)) options.request.analyses.push_back(std::move(name));
        return std::string();
      },
      "with a report that is made of the device log: these analyses alone, such as device_kernel_duration");
  analyses.repeats = true;
  return {
      plan_option("--no-device", "", "leave devices out"),
      plan_option("--no-op-info-cache", "", "every op tells all of itself, also repeated ones"),
      plan_option("--op-support-count", "N",
                  "programs that the device keeps between two reads (default 1000)"),
      plan_option("--sync-host-device", "",
                  "bring host and devices to one clock (simulated chips: only to each other)"),
      plan_option("--profile-dispatch-cores", "", "dispatch cores too"),
      plan_option("--dump-device-data-mid-run", "", "write device data at every read, not only at the end"),
      plan_option("--collect-noc-traces", "", "record transfers over the NoC"),
      plan_option("--device-memory-profiler", "", "record buffers in L1 and DRAM"),
      plan_option("--profiler-capture-perf-counters", "GROUPS",
                  "hardware counters: fpu, pack, unpack, l1_0 to l1_4, instrn, separated by commas, or all"),
      plan_option("--enable-sum-profiling", "", "record sums of zones"),
      plan_option("--enable-accumulate-profiling", "",
                  "send buffers when they are full, without op ids; not with -r"),
      plan_option("--device-trace-profiler", "", "record whole replays of traces alone"),
      plan_option("--no-runtime-analysis", "",
                  "measure ops by the device log, not by the runtime's own report"),
      std::move(analyses),
      plan_option("--disable-device-data-dump-to-files", "", "no files of the device"),
      plan_option("--disable-device-data-push-to-tracy", "", "no device zones in the .tracy file"),
  };
}

}  // namespace

std::string trace_problem(const TraceOptions& options) {
  const app::TraceRequest& request = options.request;
  const auto is_given = [&](std::string_view key) { return options.given.find(key) != options.given.end(); };
  const bool no_report = !request.makes_report && !options.only_logs;
  if (options.only_logs && !request.words.empty())
    return "--process-logs-only runs nothing; leave the program out";
  if (options.only_logs && options.shows_live)
    return "--process-logs-only runs nothing that --live could show; ttscope timeline shows what is there";
  if (!options.only_logs && request.words.empty()) return "give a script, a program, or -m and a module";
  if (is_given("--output-folder") && options.folder.empty()) return "--output-folder needs a path";
  if (is_given("--name-append") && !app::is_plain_name(request.report_name))
    return wrong_value("--name-append", request.report_name, "a plain file name");
  if (is_given("--name-append") && no_report) return "--name-append names the report; give -r too";
  if (is_given("--child-functions") && no_report)
    return "--child-functions are columns of the report; give -r too";
  if (is_given("--device-analysis-types") && no_report)
    return "--device-analysis-types are columns of the report; give -r too";
  for (const std::string& name : request.analyses) {
    const std::vector<std::string>& known = perf::report_analyses();
    if (std::find(known.begin(), known.end(), name) == known.end())
      return fmt::format("--device-analysis-types {}: expected some of {}", name, fmt::join(known, ", "));
  }
  if (request.needs_success && !request.makes_report)
    return "--check-exit-code is about the report; give -r too";
  if (options.page_port && !options.shows_live) return "--web-app-port is the port of --live; give that too";
  return {};
}

CommandSpec describe_trace(TraceOptions& options) {
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
  spec.positional = {"PROGRAM", "the script, module or program, and its arguments", 0, kManyArguments};
  spec.positional.takes_rest = true;
  spec.arguments = &options.request.words;
  spec.given = &options.given;
  spec.options = run_options(options);
  for (OptionSpec& option : device_options(options)) spec.options.push_back(std::move(option));
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

namespace {

int run_trace(TraceOptions& options) {
  if (options.prints_environment) return print_trace_environment();
  if (const std::string problem = trace_problem(options); !problem.empty()) {
    complain(problem);
    if (options.request.words.empty()) say(usage_line(describe_trace(options)));
    return kUsage;
  }
  return trace_program(options);
}

struct DoctorOptions {
  std::string package;
  std::string folder = "logs";
  bool json = false;
  bool llm = false;
};

CommandSpec describe_doctor(DoctorOptions& options) {
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
      flag_option("--json", options.json, "print it as JSON (ttscope.doctor/1)"),
      flag_option("--llm", options.llm, "print it as markdown"),
      text_option("--tt-xla", "DIR", options.package, "a TT-XLA package, build folder or checkout to look at",
                  ValueKind::kFolder),
      text_option("--output-dir", "DIR", options.folder, "where runs will be kept (default: ./logs)",
                  ValueKind::kFolder),
  };
  spec.examples =
      "Examples:\n"
      "  ttscope doctor\n"
      "  ttscope doctor --tt-xla ~/tt-xla --json\n"
      "\n"
      "Exit codes: 0 nothing stands in the way, 1 a problem was found, 2 wrong usage\n";
  return spec;
}

int run_doctor(DoctorOptions& options) {
  if (options.json && options.llm) {
    complain("choose one of --json and --llm");
    return kUsage;
  }
  const app::Diagnosis diagnosis = app::diagnose({options.package, options.folder, own_environment()});
  const std::string text = options.json ? app::doctor_json(diagnosis, version_text())
                           : options.llm
                               ? app::doctor_markdown(diagnosis)
                               : app::doctor_text(diagnosis, use_color("auto", Stream::kOut),
                                                  static_cast<std::size_t>(terminal_width(Stream::kOut)));
  if (const Result<void> printed = print(text); !printed) {
    return fail(printed.error());
  }
  return diagnosis.has_problem() ? kFailed : kOk;
}

}  // namespace

Command run_command() { return make_command("run", describe_run, run_run); }

Command trace_command() { return make_command("trace", describe_trace, run_trace); }

Command doctor_command() { return make_command("doctor", describe_doctor, run_doctor); }

}  // namespace ttscope::cli
