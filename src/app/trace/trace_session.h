#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/captured_run.h"
#include "app/trace/live_page.h"
#include "app/trace/log_remedies.h"
#include "app/trace/python.h"
#include "app/trace/trace_report.h"
#include "base/result.h"
#include "launch/profiler_variables.h"
#include "launch/trace_folders.h"

namespace ttscope::app {

// What `ttscope trace` says on standard error. All of it is safe for a terminal.

struct TraceStart {
  const launch::TracePlan& plan;
  const launch::TraceFolders& folders;
  const std::vector<std::string>& command;
  bool verbose = false;
  bool has_tools = false;
};

std::string trace_start_text(const TraceStart& start);

struct TraceEnd {
  const launch::TraceFolders& folders;
  const TraceReport& report;
  std::vector<LogRemedy> remedies{};  ///< for what the program warned of
};

/// Where the files are, what profiling cost, what to do about warnings that the program printed.
std::string trace_end_text(const TraceEnd& end);

/// `Capture: tracy-capture -o ...`
std::string labeled_command(const char* label, const std::vector<std::string>& command);

/// A program to run under the profiler, and what to make of its logs.
struct TraceRequest {
  launch::TracePlan plan{};  ///< what the program gets
  launch::TraceFolders folders{};
  std::vector<std::string> words{};  ///< the program and its arguments, as typed
  bool is_module = false;            ///< `-m`: the first word is a Python module
  bool of_marked_parts = false;      ///< `-p`
  bool of_lines = false;             ///< `-l`
  bool makes_report = false;         ///< `-r`
  bool needs_success = false;        ///< no report after a program that failed
  bool is_quiet = false;             ///< problems only
  bool is_verbose = false;           ///< commands, variables and what the capture tool prints
  bool uses_tools = true;            ///< Tracy's own, where they are found
  std::string tools_folder{};        ///< where they are; empty: in a build of tt-metal, if there is one
  std::string report_name{};         ///< a folder below reports, and behind the names of files
  std::vector<std::string> child_functions{};
  std::vector<std::string> analyses{};
  std::string own_program{};  ///< the path of this one
  PythonStandins standins{};
  bool has_recorder = true;               ///< and stand-ins: they come with the simulator
  std::optional<LivePageRequest> live{};  ///< none: no page while the run lasts
};

/// What came of it.
struct TraceOutcome {
  int exit_code = 0;  ///< of the program; 125 when our part failed, 126 or 127 when it did not start
  std::optional<Error> error{};   ///< why nothing ran, or no report could be made; the exit code says nothing
  bool is_usage_problem = false;  ///< the error is of what was asked for
};

/// Runs a program under the profiler, with Tracy's capture tool where that is found, else with our recorder,
/// and makes the files of the run. The observer hears what it does and what went wrong, but for the error of
/// the outcome. What the program did is kept whatever happens.
TraceOutcome trace_program(const TraceRequest& request, RunObserver& observer);

/// Runs nothing: makes the files of a run whose logs are there.
TraceOutcome report_trace(const TraceRequest& request, RunObserver& observer);

}  // namespace ttscope::app
