#pragma once

#include <string>
#include <vector>

#include "capture/capture_run.h"
#include "capture/log_variables.h"
#include "cli/profile_run.h"

namespace ttscope::cli {

// What a capture says on standard error. All of it is safe for a terminal.

/// The command as it could be typed into a shell.
std::string command_text(const std::vector<std::string>& command);
/// Before the run: the command, the variables and the log.
std::string start_text(const std::vector<std::string>& command, const capture::LogEnvironment& plan,
                       const std::string& log_path);
/// `python exited with code 3`, `python was killed by signal 9 (SIGKILL) ...`
std::string end_text(const std::vector<std::string>& command, const capture::ChildEnd& end);
/// The failures that the log tells of; empty when there are none.
std::string trouble_report(const capture::LiveState& state, const std::string& log_path);
/// After a capture without report: where the log is and what to do with it.
std::string next_commands_text(const std::string& log_path, const capture::CaptureResult& result);
/// The summary and where the report is. `library` is the folder in the library of reports, empty if none.
std::string report_text(const mem::Profile& log, const std::string& folder,
                        const std::vector<std::string>& files, const std::string& library);
/// A warning when little room is left where the log goes; else empty.
std::string low_disk_text(const std::string& folder);

}  // namespace ttscope::cli
