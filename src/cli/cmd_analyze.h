#pragma once

#include <string>

#include "cli/command.h"

namespace ttscope::cli {

/// `tt-memory-profiler`: the report folder under the name that users know.
CommandSpec analyze_spec();
int run_analyze(const ParsedArgs& args);

/// Writes the report folder of a log into `base` (empty: the library of reports) and prints the summary.
int analyze_log(const std::string& log_path, const std::string& base);

}  // namespace ttscope::cli
