#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace ttscope::cli {

/// Whether this is one file with saved buffers, so that nobody has to say so.
bool is_raw_input(const std::vector<std::string>& paths);
/// `ttscope perf --raw RUN.json`: saved buffers of the device profiler.
int run_perf_raw(const ParsedArgs& args);

}  // namespace ttscope::cli
