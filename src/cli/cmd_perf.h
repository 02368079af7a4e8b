#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope perf`: the ops report of profiler files, and its reading.
CommandSpec perf_spec();
int run_perf(const ParsedArgs& args);

}  // namespace ttscope::cli
