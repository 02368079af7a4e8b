#pragma once

#include <string>

#include "app/report_library.h"
#include "cli/command.h"

namespace ttscope::cli {

/// `tt-memory-profiler`: the report folder under the name that users know.
CommandSpec analyze_spec();
int run_analyze(const ParsedArgs& args);

/// How much is printed of a report: the summary and the files, or verdict, peaks and the page.
enum class ReportText { kFull, kBrief };

/// Writes the report folder of a log into `base` (empty: the library of reports) and prints the summary.
Result<app::ReportFolder> report_on_log(const std::string& log_path, const std::string& base,
                                        ReportText form);
/// The same as a command, in full: complains, and returns the exit code.
int analyze_log(const std::string& log_path, const std::string& base);

}  // namespace ttscope::cli
