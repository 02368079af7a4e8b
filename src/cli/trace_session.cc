#include "cli/trace_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "app/script_command.h"
#include "app/trace/profiled_python.h"
#include "app/trace/trace_report.h"
#include "base/number_text.h"
#include "base/text_escape.h"
#include "capture/profiled_program.h"
#include "capture/profiler_variables.h"
#include "capture/trace_folders.h"
#include "capture/trace_plan.h"
#include "capture/tracy_tools.h"
#include "cli/capture_text.h"
#include "cli/child_terminal.h"
#include "cli/environment.h"
#include "cli/option_values.h"
#include "cli/terminal.h"
#include "cli/trace_live.h"
#include "cli/trace_text.h"

namespace ttscope::cli {
namespace {

namespace fs = std::filesystem;

using capture::kOutputLog;
constexpr const char* kNoStandins =
    "our stand-ins for Python's modules are not beside this program; in the sources of ttscope `./dev build` "
    "makes them, and its package has them";

fs::path own_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

app::PythonStandins standins() {
  const fs::path program = own_program().parent_path();
  app::PythonStandins found;
  std::error_code ignored;
  for (const fs::path& place : {program / "python_standins", program / TTSCOPE_STANDINS_FROM_BINDIR}) {
    if (!found.folder.empty() || !fs::is_directory(place / "tracy", ignored)) continue;
    found.folder = place.lexically_normal().string();
  }
  const fs::path package = program / "python";
  if (fs::is_directory(package / "ttscope", ignored)) found.package_folder = package.string();
  return found;
}

std::string python_of(const std::vector<std::string>& environment) {
  if (const auto given = capture::value_in(environment, "TTSCOPE_PYTHON"); given && !given->empty())
    return *given;
  return app::script_command({"model.py", {}, environment}).front();
}

/// One traced run, step by step.
class TraceSession {
 public:
  TraceSession(const ParsedArgs& args, capture::TracePlan plan)
      : args_(args),
        plan_(std::move(plan)),
        folders_(
            capture::trace_folders(args.value("--output-folder"), plan_.environment, std::time(nullptr))) {}

  int run() {
    fill_standard_descriptors();
    if (args_.has("--process-logs-only")) return report_alone();
    if (!find_program() || !find_tools() || !prepare() || !run_child()) return exit_code_;
    finish_capture();
    tell_end();
    exit_code_ = result_.end.exit_code;
    if (!result_.log_problem.empty() || !result_.echo_problem.empty()) exit_code_ = capture::kOwnFailure;
    make_files();
    return exit_code_;
  }

 private:
  bool fail(int exit_code, const std::string& message) {
    complain(message);
    exit_code_ = exit_code;
    return false;
  }
  bool is_loud() const { return !args_.has("--quiet"); }
  bool wants_report() const { return args_.has("--report") || args_.has("--process-logs-only"); }

  bool find_program() {
    capture::ProgramWords words{args_.positionals, args_.has("--module"), python_of(plan_.environment),
                                plan_.environment};
    auto program = capture::resolve_program(words);
    if (!program) return fail(program.error().exit_code, program.error().message);
    program_ = std::move(*program);
    return true;
  }

  bool find_tools() {
    const std::string given = args_.value("--tracy-tools-folder");
    const std::string folder = capture::tools_folder(given, plan_.environment);
    if (args_.has("--no-capture-tool")) return true;
    tools_ = capture::find_tracy_tools(folder);
    if (tools_ && args_.has("--live"))
      return fail(kUsage,
                  "--live shows what our recorder takes, and Tracy's capture tool would take it; add "
                  "--no-capture-tool");
    if (tools_ || given.empty()) return true;
    return fail(kFailed,
                fmt::format("Tracy tools were not found: {} has no tracy-capture and tracy-csvexport (or "
                            "capture-release and csvexport-release)",
                            given));
  }

  /// The environment of the program, and its folders.
  bool prepare() {
    auto& environment = plan_.environment;
    capture::set_value(environment, "TT_METAL_PROFILER_DIR", folders_.artifacts);
    capture::set_value(environment, "TTSCOPE_RECORD", folders_.recording);
    if (capture::is_on(environment, "TT_METAL_DEVICE_PROFILER_NOC_EVENTS") ||
        capture::value_in(environment, capture::kNocTraceFolder))
      capture::set_value(environment, capture::kNocTraceFolder,
                         capture::noc_trace_folder(environment, folders_));
    if (!set_python() || !take_port()) return false;
    // Times of files lag behind by a tick.
    begin_ = fs::file_time_type::clock::now() - std::chrono::milliseconds(20);
    const Result<std::string> earlier = capture::begin_logs(folders_);
    if (!earlier) return fail(capture::kOwnFailure, earlier.error().message);
    if (!earlier->empty() && is_loud())
      say(fmt::format("Logs of the earlier run are in {}\n", terminal_safe(*earlier)));
    return true;
  }

  bool set_python() {
    auto& environment = plan_.environment;
    app::PythonRun run;
    run.standins = standins();
    run.makes_report = args_.has("--report");
    run.of_marked_parts = args_.has("--partial");
    run.of_lines = args_.has("--lines");
    run.profiles_devices = plan_.device;
    capture::set_value(environment, "TTSCOPE_PROGRAM", own_program().string());
    const std::string python = program_.is_python ? program_.path : python_of(environment);
    // A program may start Python too, but which: unless the shell was opted in, nothing stands in for what
    // may be there.
    const bool wants_standins = program_.is_python || app::is_opted_in(run.standins, environment);
    if (wants_standins) run.found = app::ask_python(python, run.standins, environment);
    if (program_.is_python && !run.found.has_tracy && run.standins.folder.empty()) {
      return fail(capture::kOwnFailure,
                  fmt::format("{} has no module `tracy`, and {}", terminal_safe(python), kNoStandins));
    }
    if (!run.found.was_asked) run.found.has_tracy = run.found.has_ttnn = !wants_standins;
    app::set_python_variables(run, environment);
    if (program_.is_python) program_.arguments = app::profiled_words(program_.arguments, run, environment);
    return true;
  }

  bool take_port() {
    const auto given = capture::value_in(plan_.environment, "TRACY_PORT");
    const auto number = given ? parse_whole(*given) : std::nullopt;
    if (number) {
      port_ = capture::ReservedPort::of(static_cast<int>(*number));
      return true;
    }
    Result<capture::ReservedPort> port = capture::ReservedPort::take();
    if (!port) return fail(kFailed, port.error().message);
    port_ = std::move(*port);
    capture::set_value(plan_.environment, "TRACY_PORT", std::to_string(port_.number()));
    return true;
  }

  bool start_tools() {
    if (!tools_) return true;
    capture::CaptureToolSpec spec;
    spec.tool = tools_->capture;
    spec.output = fmt::format("{}/{}", folders_.logs, capture::kHostCapture);
    spec.port = port_.number();
    spec.environment = plan_.environment;
    spec.log = folders_.logs + "/capture_output.log";
    if (args_.has("--verbose")) spec.echo = STDERR_FILENO;
    auto tool = capture::CaptureTool::start(spec);
    if (!tool) return fail(capture::kOwnFailure, tool.error().message);
    capture_ = std::move(*tool);
    if (args_.has("--verbose")) say(labelled_command("Capture", capture_->command()));
    return true;
  }

  bool run_child() {
    auto log = capture::LogSink::create(folders_.logs + "/" + kOutputLog, {});
    if (!log) return fail(capture::kOwnFailure, log.error().message);
    capture::CaptureOptions options;
    options.warn = [](const std::string& message) { complain(message); };
    capture::ChildSpec spec = connect_child(program_.path, program_.arguments, options);
    spec.environment = plan_.environment;
    if (!start_tools()) return false;
    std::optional<LivePage> live;
    if (args_.has("--live")) {
      const auto by_hand = capture::value_in(plan_.environment, "TRACY_WASM_HTTP_PORT");
      live.emplace(folders_, args_.value("--web-app-port", by_hand.value_or("")));
      if (!live->problem().empty())
        return fail(live->is_usage_problem() ? kUsage : capture::kOwnFailure, live->problem());
    }
    GroupSignals signals;
    auto child = capture::Child::start(spec);
    if (!child) return fail(child.error().exit_code, child.error().message);
    if (is_loud())
      say(trace_start_text(
          {plan_, folders_, program_.arguments, args_.has("--verbose"), tools_.has_value()}));
    signals.begin(*child);
    result_ = capture::run_capture(*child, **log, options);
    signals.end();
    return true;
  }

  void finish_capture() {
    if (!capture_) return;
    const SignalRelay relay([this](int) { capture_->ask_to_end(); });
    if (is_loud()) say("Waiting for the capture tool to save.\n");
    const capture::CaptureToolEnd end = capture_->finish();
    if (end.has_file) {
      if (end.was_asked) complain("the capture tool did not end by itself and was asked to save what it had");
      export_tables();
      return;
    }
    const std::string tool = fs::path(tools_->capture).filename().string();
    const std::string how =
        end.was_asked ? "did not end by itself, was asked to" : fmt::format("ended with {}", end.exit_code);
    complain(fmt::format(
        "No profiling data could be captured: {} {} and left no file. Was the program built with Tracy "
        "(cmake -DENABLE_TRACY=ON), did it use this port ({}), and did it last until the tool had found it "
        "(TRACY_NO_EXIT=1 makes it wait for that)? What the tool said is in {}",
        tool, how, port_.number(), folders_.logs + "/capture_output.log"));
  }

  /// What fails is made by our reader of captures afterwards.
  void export_tables() {
    const auto tables =
        capture::table_exports(*tools_, folders_.logs, comma_separated(args_.value("--child-functions")));
    for (const capture::TableExport& table : tables) {
      if (args_.has("--verbose")) say(labelled_command("Export", table.command));
      const Result<void> done = capture::run_export(table, plan_.environment);
      if (!done) complain(done.error().message + "; its table is made without it");
    }
  }

  void tell_end() const {
    if (result_.end.exit_code != 0) complain(end_text(args_.positionals, result_.end));
    if (!result_.log_problem.empty()) complain(result_.log_problem);
    if (!result_.echo_problem.empty())
      complain("the output could not be shown completely: " + result_.echo_problem);
  }

  app::TraceReportRequest report_request() const {
    app::TraceReportRequest request;
    request.folders = folders_;
    request.name = args_.value("--name-append");
    request.child_functions = comma_separated(args_.value("--child-functions"));
    request.analyses = comma_separated(args_.value("--device-analysis-types"));
    request.noc_traces = capture::noc_trace_folder(plan_.environment, folders_);
    request.begin = begin_;
    request.from_device_log = !plan_.legacy_reasons.empty();
    request.device_in_capture = plan_.device_in_capture;
    request.threads = std::max(1u, std::thread::hardware_concurrency());
    return request;
  }

  /// Everything that is made of the logs. What the program did is kept whatever happens here.
  void make_files() {
    const app::TraceReportRequest request = report_request();
    app::TraceReport report;
    app::write_host_files(request, report);
    const bool skipped = args_.has("--check-exit-code") && result_.end.exit_code != 0;
    if (wants_report() && skipped) complain("--check-exit-code: no report, since the program failed");
    if (wants_report() && !skipped) {
      const Result<void> written = app::write_trace_report(request, report);
      if (!written) {
        complain("no ops report: " + written.error().message);
        if (written.error().code == ErrorCode::kWriteFailed) exit_code_ = capture::kOwnFailure;
      }
    }
    for (const std::string& note : report.notes) complain(note);
    if (is_loud()) say(trace_end_text({folders_, report, plan_, folders_.logs + "/" + kOutputLog}));
  }

  int report_alone() {
    std::error_code ignored;
    if (!fs::is_directory(folders_.logs, ignored)) {
      complain(fmt::format("{}: no logs here; -o names the folder of the run", folders_.logs));
      return kFailed;
    }
    app::TraceReportRequest request = report_request();
    request.renews_times = !request.child_functions.empty();
    app::TraceReport report;
    app::write_host_files(request, report);
    const Result<void> written = app::write_trace_report(request, report);
    for (const std::string& note : report.notes) complain(note);
    if (!written) return cli::fail(written.error());
    if (is_loud()) say(trace_end_text({folders_, report, plan_, folders_.logs + "/" + kOutputLog}));
    return kOk;
  }

  const ParsedArgs& args_;
  capture::TracePlan plan_;
  capture::TraceFolders folders_;
  capture::ProfiledProgram program_;
  std::optional<capture::TracyTools> tools_;
  capture::ReservedPort port_ = capture::ReservedPort::of(0);
  std::unique_ptr<capture::CaptureTool> capture_;
  capture::CaptureResult result_;
  fs::file_time_type begin_ = fs::file_time_type::min();
  int exit_code_ = 0;
};

}  // namespace

int trace_program(const ParsedArgs& args) {
  const capture::TraceOptions options(args.values.begin(), args.values.end());
  Result<capture::TracePlan> plan = capture::plan_trace(options, own_environment());
  if (!plan) {
    complain(plan.error().message);
    return kUsage;
  }
  for (const std::string& note : plan->notes) complain(note);
  return TraceSession(args, std::move(*plan)).run();
}

int print_trace_environment() {
  const std::vector<std::string> environment = own_environment();
  const app::PythonStandins ours = standins();
  if (ours.folder.empty()) {
    complain(kNoStandins);
    return capture::kOwnFailure;
  }
  const std::string python = python_of(environment);
  std::string text;
  const auto quoted = [](const std::string& value) {
    std::string safe = "'";
    for (const char c : value) safe += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return safe + "'";
  };
  const auto path =
      capture::find_program(python, capture::value_in(environment, "PATH").value_or("/usr/bin:/bin"));
  const app::PythonFindings found = path ? app::ask_python(*path, ours, environment) : app::PythonFindings{};
  const std::string search = app::python_path_with(ours, found, environment);
  if (!search.empty()) text += fmt::format("export PYTHONPATH={}\n", quoted(search));
  text += fmt::format("export TTSCOPE_PROGRAM={}\n", quoted(own_program().string()));
  return print(text) ? kOk : kFailed;
}

}  // namespace ttscope::cli
