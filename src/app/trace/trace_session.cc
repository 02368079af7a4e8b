#include "app/trace/trace_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>
#include <utility>

#include "app/captured_run.h"
#include "app/simulator.h"
#include "app/trace/log_remedies.h"
#include "app/trace/python.h"
#include "app/trace/trace_report.h"
#include "base/number_text.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/log_capture.h"
#include "launch/profiler_variables.h"
#include "launch/trace_folders.h"
#include "launch/tracy_tools.h"
#include "ui/text.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;

std::string overhead_text(const ProfilingOverhead& host, const ProfilingOverhead& device) {
  std::string text;
  if (host.zones > 0) {
    const std::size_t others = host.zones - host.python_zones;
    text += fmt::format("  host: about {:.1f} % of the time in zones (", host.percent);
    if (host.python_zones > 0)
      text += fmt::format("{} of Python, about {:.0f} us each", ui::counted(host.python_zones, "zone"),
                          kPythonZoneCostNs / 1000);
    if (others > 0)
      text += fmt::format("{}{}{}, about {:.0f} ns each", host.python_zones > 0 ? "; " : "",
                          ui::counted(others, "zone"), host.python_zones > 0 ? " of others" : "",
                          kHostZoneCostNs);
    text += ")\n";
  }
  if (device.zones > 0)
    text += fmt::format("  device: about {:.1f} % of the time in zones ({}, about {:.0f} ns each)\n",
                        device.percent, ui::counted(device.zones, "zone"), kDeviceZoneCostNs);
  return text.empty() ? text : "Profiling overhead (modelled)\n" + text;
}

}  // namespace

std::string labeled_command(const char* label, const std::vector<std::string>& command) {
  return fmt::format("{}: {}\n", label, shell_command(command));
}

std::string trace_start_text(const TraceStart& start) {
  std::string text = fmt::format(
      "Tracing with {}{}; logs go to {}\n", start.has_tools ? "Tracy's capture tool" : "our recorder",
      start.plan.device ? "" : ", without devices", terminal_safe(start.folders.logs));
  if (!start.plan.legacy_reasons.empty()) {
    text += "Ops are measured by the device log, because of:";
    for (std::size_t i = 0; i < start.plan.legacy_reasons.size(); ++i)
      text += fmt::format("{} {}", i == 0 ? "" : ",", start.plan.legacy_reasons[i]);
    text += '\n';
  }
  if (!start.verbose) return text;
  text += labeled_command("Program", start.command);
  for (const launch::ProfilerVariable& variable : launch::profiler_variables()) {
    if (const auto value = launch::value_in(start.plan.environment, variable.name))
      text += fmt::format("  {}={}\n", variable.name, terminal_safe(*value));
  }
  return text;
}

std::string trace_end_text(const TraceEnd& end) {
  const TraceReport& report = end.report;
  std::string text;
  std::string files;
  for (const std::string& file : report.files) {
    if (!report.folder.empty() && fs::path(file).parent_path() == report.folder)
      files += fmt::format("  {}\n", terminal_safe(fs::path(file).filename().string()));
  }
  // A full disk leaves a folder without any.
  if (!files.empty()) {
    text += fmt::format("\nReport: {}\n{}", terminal_safe(report.folder), files);
    if (report.is_ops_report)
      text += fmt::format("  {}, {}\n", ui::counted(report.ops, "op row"),
                          ui::counted(report.signposts, "signpost"));
  } else {
    text += fmt::format("\nLogs: {}\n", terminal_safe(end.folders.logs));
  }
  if (report.has_simulated_chips) text += fmt::format("The chips were simulated: {}\n", ui::kTimesAreModeled);
  text += overhead_text(report.host, report.device);
  for (const LogRemedy& remedy : end.remedies)
    text += fmt::format("{}\n  -> {}\n", remedy.what, remedy.remedy);
  const std::string folder = terminal_safe(shell_word(end.folders.artifacts));
  if (!report.has_recording) {
    text += "Nothing was recorded: no mark and no op came from the program\n";
    return text;
  }
  const bool has_ops = report.ops > 0 || report.device.zones > 0;
  text += fmt::format("Next: {}ttscope timeline {} -o run.html\n",
                      has_ops ? fmt::format("ttscope perf {}; ", folder) : std::string(), folder);
  return text;
}

namespace {

constexpr std::int64_t kMaxRecordingMb = std::int64_t{1} << 30;  // as the recorder's

std::string output_log_of(const launch::TraceFolders& folders) {
  return fmt::format("{}/{}", folders.logs, launch::kOutputLog);
}

TraceReportRequest report_request(const TraceRequest& request, const launch::TracePlan& plan) {
  TraceReportRequest wanted;
  wanted.folders = request.folders;
  wanted.name = request.report_name;
  wanted.child_functions = request.child_functions;
  wanted.analyses = request.analyses;
  wanted.noc_traces = launch::noc_trace_folder(plan.environment, request.folders);
  wanted.from_device_log = !plan.legacy_reasons.empty();
  wanted.device_in_capture = plan.device_in_capture;
  wanted.threads = std::max(1u, std::thread::hardware_concurrency());
  return wanted;
}

TracedRunFacts facts_of(const TraceRequest& request, const launch::TracePlan& plan,
                        const TraceReport& report) {
  TracedRunFacts facts;
  facts.support_count = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(launch::support_count(plan.environment).kept, UINT32_MAX));
  facts.logs = request.folders.logs;
  facts.synchronized = launch::is_on(plan.environment, "TT_METAL_PROFILER_SYNC");
  facts.simulated = report.has_simulated_chips;
  facts.has_host = report.host.zones > 0;
  facts.has_device = report.device.zones > 0;
  return facts;
}

/// Tells what was made of the logs; `plan` is that of the run.
void report_logs(const TraceRequest& request, const launch::TracePlan& plan, const TraceReport& report,
                 RunObserver& observer) {
  for (const std::string& note : report.notes) observer.complain(note);
  if (request.is_quiet) return;
  observer.say(trace_end_text(
      {request.folders, report,
       remedies_for_log_file(output_log_of(request.folders), facts_of(request, plan, report))}));
}

/// One traced run, step by step.
class TraceSession {
 public:
  TraceSession(const TraceRequest& request, RunObserver& observer)
      : request_(request), observer_(observer), folders_(request.folders), plan_(request.plan) {}

  TraceOutcome run() {
    if (!find_program() || !find_tools() || !prepare() || !run_child()) return outcome_;
    finish_capture();
    report_end();
    outcome_.exit_code = result_.end.exit_code;
    if (!result_.log_problem.empty() || !result_.echo_problem.empty())
      outcome_.exit_code = launch::kLauncherFailure;
    make_files();
    return outcome_;
  }

 private:
  bool fail(int exit_code, const std::string& message) {
    observer_.complain(message);
    outcome_.exit_code = exit_code;
    return false;
  }
  bool refuse(Error error, bool is_usage_problem = false) {
    outcome_.error = std::move(error);
    outcome_.is_usage_problem = is_usage_problem;
    return false;
  }
  void say(const std::string& text) const {
    if (!request_.is_quiet) observer_.say(text);
  }

  bool find_program() {
    launch::ProgramCommand words{request_.words, request_.is_module, python_of(plan_.environment),
                                 plan_.environment};
    auto program = launch::resolve_program(words);
    if (!program) return fail(program.error().exit_code, program.error().message);
    program_ = std::move(*program);
    return true;
  }

  bool find_tools() {
    if (!request_.uses_tools) return check_recorder();
    tools_ = launch::find_tracy_tools(launch::tools_folder(request_.tools_folder, plan_.environment));
    if (tools_ && request_.live)
      return refuse(bad_input("--live shows what our recorder takes, and Tracy's capture tool would take it; "
                              "add --no-capture-tool"),
                    true);
    if (tools_) return true;
    if (request_.tools_folder.empty()) return check_recorder();
    return refuse(
        bad_input(fmt::format("Tracy tools were not found: {} has no tracy-capture and tracy-csvexport (or "
                              "capture-release and csvexport-release)",
                              request_.tools_folder)));
  }

  bool check_recorder() {
    if (request_.has_recorder) return true;
    return fail(launch::kLauncherFailure,
                fmt::format("without Tracy's capture tool our recorder takes the run, and {}", kNoSimulator));
  }

  /// The environment of the program, and its folders.
  bool prepare() {
    auto& environment = plan_.environment;
    launch::set_value(environment, "TT_METAL_PROFILER_DIR", folders_.artifacts);
    launch::set_value(environment, "TTSCOPE_RECORD", folders_.recording);
    launch::set_value(environment, "TTSCOPE_TRACED_LOGS", folders_.logs);  // processes add to each other's
    if (launch::is_on(environment, "TT_METAL_DEVICE_PROFILER_NOC_EVENTS") ||
        launch::value_in(environment, launch::kNocTraceFolder))
      launch::set_value(environment, launch::kNocTraceFolder,
                        launch::noc_trace_folder(environment, folders_));
    if (!check_recording_limit() || !set_python() || !take_port()) return false;
    Result<launch::RunLock> lock = launch::RunLock::take(folders_);
    if (!lock) return fail(launch::kLauncherFailure, lock.error().message);
    lock_ = std::move(*lock);
    // Times of files lag behind by a tick.
    begin_ = fs::file_time_type::clock::now() - std::chrono::milliseconds(20);
    const Result<std::string> earlier = launch::begin_logs(folders_);
    if (!earlier) return fail(launch::kLauncherFailure, earlier.error().message);
    if (!earlier->empty()) say(fmt::format("Logs of the earlier run are in {}\n", terminal_safe(*earlier)));
    return true;
  }

  /// The recorder, which cannot complain, would take its own.
  bool check_recording_limit() {
    const auto given = launch::value_in(plan_.environment, "TTSCOPE_RECORD_MB");
    const auto mb = given ? parse_whole(*given) : std::nullopt;
    if (!given || given->empty() || (mb && *mb > 0 && *mb <= kMaxRecordingMb)) return true;
    return refuse(
        bad_input(fmt::format("TTSCOPE_RECORD_MB={}: expected a whole number of megabytes from 1 to {}",
                              *given, kMaxRecordingMb)),
        true);
  }

  bool set_python() {
    auto& environment = plan_.environment;
    PythonRun run;
    run.standins = request_.standins;
    run.makes_report = request_.makes_report;
    run.of_marked_parts = request_.of_marked_parts;
    run.of_lines = request_.of_lines;
    run.profiles_devices = plan_.device;
    launch::set_value(environment, "TTSCOPE_PROGRAM", request_.own_program);
    const std::string python = program_.is_python ? program_.path : python_of(environment);
    // A program may start Python too, but which: unless the shell was opted in, nothing stands in for what
    // may be there.
    const bool wants_standins = program_.is_python || is_opted_in(run.standins, environment);
    if (wants_standins) run.found = ask_python(python, run.standins, environment);
    if (program_.is_python && !run.found.has_tracy && run.standins.folder.empty()) {
      return fail(
          launch::kLauncherFailure,
          fmt::format("{} {}, and {}", terminal_safe(python),
                      run.found.was_asked ? "has no module `tracy`" : "could not be asked for its modules",
                      request_.has_recorder ? kNoStandins : kNoSimulator));
    }
    if (!run.found.was_asked) run.found.has_tracy = run.found.has_ttnn = !wants_standins;
    set_python_variables(run, environment);
    if (program_.is_python) program_.arguments = profiled_command(program_.arguments, run, environment);
    return true;
  }

  bool take_port() {
    const auto given = launch::value_in(plan_.environment, "TRACY_PORT");
    const auto number = given ? parse_whole(*given) : std::nullopt;
    if (number) {
      port_ = launch::ReservedPort::of(static_cast<int>(*number));
      return true;
    }
    Result<launch::ReservedPort> port = launch::ReservedPort::take();
    if (!port) return refuse(port.error());
    port_ = std::move(*port);
    launch::set_value(plan_.environment, "TRACY_PORT", std::to_string(port_.number()));
    return true;
  }

  bool start_tools() {
    if (!tools_) return true;
    launch::CaptureToolSpec spec;
    spec.tool = tools_->capture;
    spec.output = fmt::format("{}/{}", folders_.logs, launch::kHostCapture);
    spec.port = port_.number();
    spec.environment = plan_.environment;
    spec.log = fmt::format("{}/{}", folders_.logs, launch::kCaptureOutputLog);
    if (request_.is_verbose) spec.echo = observer_.shown_output();
    auto tool = launch::CaptureTool::start(spec);
    if (!tool) return fail(launch::kLauncherFailure, tool.error().message);
    capture_ = std::move(*tool);
    if (request_.is_verbose) observer_.say(labeled_command("Capture", capture_->command()));
    return true;
  }

  bool start_page() {
    if (!request_.live) return true;
    auto page = LivePage::start(folders_, *request_.live);
    if (!page) return fail(launch::kLauncherFailure, page.error().message);
    live_ = std::move(*page);
    return true;
  }

  bool run_child() {
    auto log = launch::LogSink::create(output_log_of(folders_), {});
    if (!log) return fail(launch::kLauncherFailure, log.error().message);
    if (!start_tools() || !start_page()) return false;
    const bool has_run = run_connected(**log);
    end_page();
    return has_run;
  }

  void end_page() {
    if (!live_) return;
    if (const std::string problem = live_->finish(); !problem.empty())
      observer_.complain(fmt::format("--live: {}", problem));
    live_.reset();
  }

  bool run_connected(launch::LogSink& log) {
    launch::ChildSpec spec;
    spec.path = program_.path;
    spec.arguments = program_.arguments;
    spec.environment = plan_.environment;
    const launch::CaptureConsole console = observer_.connect(spec);
    GroupSignals signals(observer_);
    auto child = launch::Child::start(spec);
    if (!child) return fail(child.error().exit_code, child.error().message);
    say(trace_start_text({plan_, folders_, program_.arguments, request_.is_verbose, tools_.has_value()}));
    signals.begin(*child);
    result_ = launch::run_capture(*child, log, console);
    signals.end();
    return true;
  }

  void finish_capture() {
    if (!capture_) return;
    const std::shared_ptr<void> taken = observer_.take_signals([this](int) { capture_->request_stop(); });
    say("Waiting for the capture tool to save.\n");
    const launch::CaptureToolEnd end = capture_->finish();
    if (end.has_file) {
      if (end.was_asked)
        observer_.complain("the capture tool did not end by itself and was asked to save what it had");
      export_tables();
      return;
    }
    const std::string tool = fs::path(tools_->capture).filename().string();
    const std::string how =
        end.was_asked ? "did not end by itself, was asked to" : fmt::format("ended with {}", end.exit_code);
    observer_.complain(fmt::format(
        "No profiling data could be captured: {} {} and left no file. Was the program built with Tracy "
        "(cmake -DENABLE_TRACY=ON), did it use this port ({}), and did it last until the tool had found it "
        "(TRACY_NO_EXIT=1 makes it wait for that)? What the tool said is in {}",
        tool, how, port_.number(), fmt::format("{}/{}", folders_.logs, launch::kCaptureOutputLog)));
  }

  /// What fails is made by our reader of captures afterwards.
  void export_tables() {
    for (const launch::TableExport& table :
         launch::table_exports(*tools_, folders_.logs, request_.child_functions)) {
      if (request_.is_verbose) observer_.say(labeled_command("Export", table.command));
      const Result<void> done = launch::run_export(table, plan_.environment);
      if (!done) observer_.complain(done.error().message + "; its table is made without it");
    }
  }

  void report_end() const {
    if (result_.end.exit_code != 0) observer_.complain(program_end_text(request_.words, result_.end));
    if (!result_.log_problem.empty()) observer_.complain(result_.log_problem);
    if (!result_.echo_problem.empty())
      observer_.complain("the output could not be shown completely: " + result_.echo_problem);
  }

  /// Everything that is made of the logs. What the program did is kept whatever happens here.
  void make_files() {
    TraceReportRequest wanted = report_request(request_, plan_);
    wanted.begin = begin_;
    TraceReport report;
    write_host_files(wanted, report);
    const bool is_skipped = request_.needs_success && result_.end.exit_code != 0;
    if (request_.makes_report && is_skipped)
      observer_.complain("--check-exit-code: no report, since the program failed");
    if (request_.makes_report && !is_skipped) {
      const Result<void> written = write_trace_report(wanted, report);
      if (!written) {
        observer_.complain("no ops report: " + written.error().message);
        if (written.error().code == ErrorCode::kWriteFailed) outcome_.exit_code = launch::kLauncherFailure;
      }
    }
    report_logs(request_, plan_, report, observer_);
  }

  const TraceRequest& request_;
  RunObserver& observer_;
  const launch::TraceFolders& folders_;
  launch::TracePlan plan_;
  TraceOutcome outcome_;
  launch::RunLock lock_;
  launch::ProfiledProgram program_;
  std::optional<launch::TracyTools> tools_;
  launch::ReservedPort port_ = launch::ReservedPort::of(0);
  std::unique_ptr<launch::CaptureTool> capture_;
  std::unique_ptr<LivePage> live_;
  launch::CaptureResult result_;
  fs::file_time_type begin_ = fs::file_time_type::min();
};

}  // namespace

TraceOutcome trace_program(const TraceRequest& request, RunObserver& observer) {
  return TraceSession(request, observer).run();
}

TraceOutcome report_trace(const TraceRequest& request, RunObserver& observer) {
  TraceOutcome outcome;
  std::error_code ignored;
  if (!fs::is_directory(request.folders.logs, ignored)) {
    outcome.error =
        bad_input(fmt::format("{}: no logs here; -o names the folder of the run", request.folders.logs));
    return outcome;
  }
  const Result<launch::RunLock> lock = launch::RunLock::take(request.folders);
  if (!lock) {
    observer.complain(lock.error().message);
    outcome.exit_code = launch::kLauncherFailure;
    return outcome;
  }
  TraceReportRequest wanted = report_request(request, request.plan);
  wanted.renews_recorded = true;
  wanted.renews_times = !wanted.child_functions.empty();
  TraceReport report;
  write_host_files(wanted, report);
  if (const Result<void> written = write_trace_report(wanted, report); !written) {
    for (const std::string& note : report.notes) observer.complain(note);
    outcome.error = written.error();
    return outcome;
  }
  report_logs(request, request.plan, report, observer);
  return outcome;
}

}  // namespace ttscope::app
