#include "cli/capture_session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <optional>

#include "app/report_library.h"
#include "app/run_folder.h"
#include "app/run_report.h"
#include "base/text_escape.h"
#include "capture/capture_run.h"
#include "capture/log_variables.h"
#include "capture/status_text.h"
#include "cli/capture_text.h"
#include "cli/child_terminal.h"
#include "cli/environment.h"
#include "cli/page_options.h"
#include "cli/status_line.h"
#include "cli/terminal.h"

namespace ttscope::cli {
namespace {

constexpr const char* kDefaultBase = "logs";

/// One run of a command, step by step.
class Session {
 public:
  explicit Session(const CaptureRequest& request) : request_(request) {}

  CaptureOutcome run() {
    fill_standard_descriptors();
    if (!prepare_folder() || !capture_output()) return outcome_;
    const bool is_complete = report_end();
    outcome_.exit_code = result_.end.exit_code;
    const bool is_reported = request_.log_only ? tell_next_commands() : write_report();
    if (!is_complete || !is_reported) outcome_.exit_code = capture::kOwnFailure;
    return outcome_;
  }

 private:
  bool fail(int exit_code, const std::string& message) {
    complain(message);
    outcome_.exit_code = exit_code;
    return false;
  }

  bool prepare_folder() {
    std::string search_path = "/usr/local/bin:/usr/bin:/bin";
    capture::find_variable(own_environment(), "PATH", search_path);
    const auto path = capture::find_program(request_.command.front(), search_path);
    if (!path) return fail(path.error().exit_code, path.error().message);
    program_ = *path;
    const std::string base = request_.base.empty() ? kDefaultBase : request_.base;
    auto made = MadeFolders::make(base);
    if (!made) return fail(capture::kOwnFailure, made.error().message);
    made_.emplace(std::move(*made));
    auto folder = app::make_run_folder(base, request_.name);
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
    auto log = capture::LogSink::create(outcome_.log_path, sink);
    if (!log) return fail(capture::kOwnFailure, log.error().message);
    const capture::LogEnvironment plan = capture::plan_environment(own_environment());
    StatusLine status(!request_.quiet);
    capture::CaptureOptions options = live_options(status);
    capture::ChildSpec spec = connect_child(program_, request_.command, options);
    spec.environment = plan.environment;
    GroupSignals signals;
    auto child = capture::Child::start(spec);
    if (!child) return fail(child.error().exit_code, child.error().message);
    folder_->release();  // from here on it stays
    outcome_.started = true;
    tell_start(plan);
    signals.begin(*child);
    result_ = capture::run_capture(*child, **log, options);
    signals.end();
    return true;
  }

  void tell_start(const capture::LogEnvironment& plan) const {
    if (!request_.quiet) say(start_text(request_.command, plan, outcome_.log_path));
    for (const std::string& obstacle : plan.obstacles) complain("warning: " + obstacle);
    if (const std::string low = low_disk_text(outcome_.folder); !low.empty()) complain(low);
  }

  static capture::CaptureOptions live_options(StatusLine& status) {
    capture::CaptureOptions options;
    options.warn = [](const std::string& message) {
      // A terminal in raw mode does not return to the first column by itself.
      say(fmt::format("{}: {}{}\n", program_name(), message, is_terminal(Stream::kErr) ? "\r" : ""));
    };
    if (!status.is_enabled()) return options;
    const bool shares_terminal = isatty(STDOUT_FILENO) != 0;
    options.clear_status = [&status] { status.clear(); };
    options.show_status = [&status, shares_terminal](const capture::LiveState& state, bool at_line_start) {
      if (at_line_start || !shares_terminal) status.show(capture::status_text(state, status.room()));
    };
    return options;
  }

  /// What the user must know of the run; false when our part of it failed.
  bool report_end() const {
    if (result_.end.exit_code != 0) complain(end_text(request_.command, result_.end));
    if (result_.left_open) {
      complain("a process that it left behind still holds the output; what that prints from now on is lost");
    }
    say(trouble_report(result_.state, outcome_.log_path));
    if (!result_.log_problem.empty()) complain(result_.log_problem);
    if (!result_.echo_problem.empty()) {
      complain("the output could not be shown completely: " + result_.echo_problem);
    }
    return result_.log_problem.empty() && result_.echo_problem.empty();
  }

  bool tell_next_commands() const {
    if (!request_.quiet) say(next_commands_text(outcome_.log_path, result_));
    return true;
  }

  bool write_report() {
    if (result_.output_bytes == 0) {
      complain(
          fmt::format("{} printed nothing, so there is no report; `ttscope doctor` says what a log needs",
                      request_.command.front()));
      return true;
    }
    const Result<mem::Profile> log = profile_logs({outcome_.log_path}, {.live_totals = true});
    if (!log) {
      complain(log.error().message);
      complain("no report; the log is kept: " + outcome_.log_path);
      return result_.state.ops == 0 && result_.state.blocks == 0;
    }
    auto files = app::write_run_report(*log, outcome_.folder, page_options(request_.name));
    if (!files) {
      complain(files.error().message);
      complain("the log is kept: " + outcome_.log_path);
      return false;
    }
    outcome_.report_files = std::move(*files);
    if (request_.keep_in_library) outcome_.library_folder = keep_in_library(*log);
    if (!request_.quiet) {
      say(report_text(*log, outcome_.folder, outcome_.report_files, outcome_.library_folder));
    }
    return true;
  }

  /// A copy among the reports that `ttmem` lists. The run has its own, so that a failure is no failure of the
  /// run.
  std::string keep_in_library(const mem::Profile& log) const {
    const Result<std::string> library = app::library_folder(own_environment());
    if (!library) return {};
    const Result<app::ReportFolder> kept =
        app::write_report_folder(log, {*library, outcome_.log_path}, page_options({}));
    if (kept) return kept->path;
    complain("not kept in the library of reports: " + kept.error().message);
    return {};
  }

  const CaptureRequest& request_;
  CaptureOutcome outcome_;
  std::string program_;
  std::optional<MadeFolders> made_;
  std::optional<TemporaryFolder> folder_;
  capture::CaptureResult result_;
};

}  // namespace

CaptureOutcome capture_command(const CaptureRequest& request) { return Session(request).run(); }

}  // namespace ttscope::cli
