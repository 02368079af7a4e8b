#include "app/captured_run.h"

#include <fmt/format.h>

#include <optional>

#include "app/captured_run_text.h"
#include "app/group_signals.h"
#include "app/report_library.h"
#include "app/run_folder.h"
#include "app/run_report.h"
#include "base/private_files.h"
#include "base/temporary_folder.h"
#include "capture/capture_run.h"
#include "capture/child.h"
#include "capture/log_sink.h"
#include "capture/log_variables.h"
#include "capture/program_path.h"

namespace ttscope::app {
namespace {

constexpr const char* kDefaultBase = "logs";

/// One run of a command, step by step.
class CapturedRun {
 public:
  CapturedRun(const CaptureRequest& request, RunObserver& observer)
      : request_(request), observer_(observer) {}

  CaptureOutcome run() {
    if (!prepare_folder() || !capture_output()) return outcome_;
    const bool is_complete = report_end();
    outcome_.exit_code = result_.end.exit_code;
    const bool is_reported = request_.log_only ? tell_next_commands() : write_report();
    if (!is_complete || !is_reported) outcome_.exit_code = capture::kOwnFailure;
    return outcome_;
  }

 private:
  bool fail(int exit_code, const std::string& message) {
    observer_.complain(message);
    outcome_.exit_code = exit_code;
    return false;
  }

  bool prepare_folder() {
    std::string search_path = "/usr/local/bin:/usr/bin:/bin";
    capture::find_variable(request_.environment, "PATH", search_path);
    const auto path = capture::find_program(request_.command.front(), search_path);
    if (!path) return fail(path.error().exit_code, path.error().message);
    program_ = *path;
    const std::string base = request_.base.empty() ? kDefaultBase : request_.base;
    auto made = MadeFolders::make(base);
    if (!made) return fail(capture::kOwnFailure, made.error().message);
    made_.emplace(std::move(*made));
    auto folder = make_run_folder(base, request_.name);
    if (!folder) return fail(capture::kOwnFailure, folder.error().message);
    folder_.emplace(std::move(*folder));
    outcome_.folder = folder_->path();
    outcome_.log_path =
        fmt::format("{}/{}_profile.log{}", outcome_.folder, request_.name, request_.compress ? ".zst" : "");
    return true;
  }

  bool capture_output() {
    capture::LogSink::Options sink;
    sink.compress = request_.compress;
    sink.is_private = true;
    auto log = capture::LogSink::create(outcome_.log_path, sink);
    if (!log) return fail(capture::kOwnFailure, log.error().message);
    const capture::LogEnvironment plan = capture::plan_environment(request_.environment);
    capture::ChildSpec spec;
    spec.path = program_;
    spec.arguments = request_.command;
    spec.environment = plan.environment;
    capture::CaptureConsole console = observer_.connect(spec);
    GroupSignals signals(observer_);
    console.passed_signal = [&signals] { return signals.last(); };
    auto child = capture::Child::start(spec);
    if (!child) return fail(child.error().exit_code, child.error().message);
    folder_->release();  // from here on it stays
    outcome_.started = true;
    tell_start(plan);
    signals.begin(*child);
    result_ = capture::run_capture(*child, **log, console);
    signals.end();
    passed_signal_ = signals.last();
    return true;
  }

  void tell_start(const capture::LogEnvironment& plan) const {
    if (!request_.quiet)
      observer_.say(capture_start_text({request_.command, plan, outcome_.log_path}, observer_.screen()));
    for (const std::string& obstacle : plan.obstacles) observer_.complain("warning: " + obstacle);
    const std::string low = low_disk_text(outcome_.folder, free_bytes_at(outcome_.folder));
    if (!low.empty()) observer_.complain(low);
  }

  /// What the user must know of the run; false when our part of it failed.
  bool report_end() const {
    if (result_.end.exit_code != 0) observer_.complain(program_end_text(request_.command, result_.end));
    if (result_.left_open) {
      observer_.complain(
          "a process that it left behind still holds the output; what that prints from now on is lost");
    }
    if (passed_signal_ != 0 && !result_.left_behind.empty())
      observer_.complain(left_behind_text(passed_signal_, result_.left_behind));
    observer_.say(capture_trouble_text(result_.state, outcome_.log_path, observer_.screen()));
    if (!result_.log_problem.empty()) observer_.complain(result_.log_problem);
    if (!result_.echo_problem.empty()) {
      observer_.complain("the output could not be shown completely: " + result_.echo_problem);
    }
    return result_.log_problem.empty() && result_.echo_problem.empty();
  }

  bool tell_next_commands() const {
    if (!request_.quiet) observer_.say(next_commands_text(outcome_.log_path, result_, observer_.screen()));
    return true;
  }

  bool write_report() {
    if (result_.output_bytes == 0) {
      observer_.complain(
          fmt::format("{} printed nothing, so there is no report; `ttscope doctor` says what a log needs",
                      request_.command.front()));
      return true;
    }
    const Result<mem::Profile> log = request_.read_log(outcome_.log_path);
    if (!log) {
      observer_.complain(log.error().message);
      observer_.complain("no report; the log is kept: " + outcome_.log_path);
      return result_.state.ops == 0 && result_.state.blocks == 0;
    }
    const PrivateFiles keeps_private;
    auto files = write_run_report(*log, outcome_.folder, request_.page_options(request_.name));
    if (!files) {
      observer_.complain(files.error().message);
      observer_.complain("the log is kept: " + outcome_.log_path);
      return false;
    }
    outcome_.report_files = std::move(*files);
    if (request_.keep_in_library) outcome_.library_folder = keep_in_library(*log);
    if (!request_.quiet) {
      const CapturedReport report{outcome_.folder, outcome_.report_files, outcome_.library_folder};
      observer_.say(capture_report_text(*log, report, observer_.screen()));
    }
    return true;
  }

  /// A copy among the reports that `ttmem` lists. The run has its own, so that a failure is no failure of the
  /// run.
  std::string keep_in_library(const mem::Profile& log) const {
    const Result<std::string> library = library_folder(request_.environment);
    if (!library) return {};
    const Result<ReportFolder> kept =
        write_report_folder(log, {*library, outcome_.log_path, true}, request_.page_options({}));
    if (kept) return kept->path;
    observer_.complain("not kept in the library of reports: " + kept.error().message);
    return {};
  }

  const CaptureRequest& request_;
  RunObserver& observer_;
  CaptureOutcome outcome_;
  std::string program_;
  std::optional<MadeFolders> made_;
  std::optional<TemporaryFolder> folder_;
  capture::CaptureResult result_;
  int passed_signal_ = 0;  ///< to the child; 0: none
};

}  // namespace

CaptureOutcome capture_command(const CaptureRequest& request, RunObserver& observer) {
  return CapturedRun(request, observer).run();
}

}  // namespace ttscope::app
