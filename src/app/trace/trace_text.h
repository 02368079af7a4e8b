#pragma once

#include <string>
#include <vector>

#include "app/trace/log_remedies.h"
#include "app/trace/trace_report.h"
#include "capture/trace_folders.h"
#include "capture/trace_plan.h"

namespace ttscope::app {

// What `ttscope trace` says on standard error. All of it is safe for a terminal.

struct TraceStart {
  const capture::TracePlan& plan;
  const capture::TraceFolders& folders;
  const std::vector<std::string>& command;
  bool verbose = false;
  bool has_tools = false;
};
std::string trace_start_text(const TraceStart& start);

struct TraceEnd {
  const capture::TraceFolders& folders;
  const TraceReport& report;
  std::vector<LogRemedy> remedies{};  ///< for what the program warned of
};
/// Where the files are, what profiling cost, what to do about warnings that the program printed.
std::string trace_end_text(const TraceEnd& end);

/// `Capture: tracy-capture -o ...`
std::string labelled_command(const char* label, const std::vector<std::string>& command);

}  // namespace ttscope::app
