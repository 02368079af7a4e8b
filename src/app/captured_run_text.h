#pragma once

#include <string>
#include <vector>

#include "app/run_observer.h"
#include "capture/capture_run.h"
#include "capture/log_variables.h"
#include "mem/analyse/profile.h"

namespace ttscope::app {

// What `ttscope run` says on standard error. All of it is safe for a terminal, but what is a complaint.

/// What `ttscope run` starts and where its output goes.
struct CaptureStart {
  const std::vector<std::string>& command;
  const capture::LogEnvironment& plan;
  const std::string& log_path;
};
/// Before the run: the command, the variables and the log.
std::string capture_start_text(const CaptureStart& start, const RunScreen& screen);

/// `python exited with code 3`, `python was killed by signal 9 (SIGKILL) ...`; a complaint.
std::string program_end_text(const std::vector<std::string>& command, const capture::ChildEnd& end);

/// What lives on although the program has ended after a signal; a complaint.
std::string left_behind_text(int signal_number, const std::vector<std::string>& processes);

/// The failures that the log tells of; empty when there are none.
std::string capture_trouble_text(const capture::LiveState& state, const std::string& log_path,
                                 const RunScreen& screen);

/// After a capture without report: where the log is and what to do with it.
std::string next_commands_text(const std::string& log_path, const capture::CaptureResult& result,
                               const RunScreen& screen);

/// Where the report of a captured run is.
struct CapturedReport {
  std::string folder;
  std::vector<std::string> files;
  std::string library;  ///< the folder in the library of reports; empty: none
};
/// The summary and where the report is.
std::string capture_report_text(const mem::Profile& log, const CapturedReport& report,
                                const RunScreen& screen);

/// A warning when little room is left where the log goes; else empty. A complaint.
std::string low_disk_text(const std::string& folder, long long free_bytes);

}  // namespace ttscope::app
