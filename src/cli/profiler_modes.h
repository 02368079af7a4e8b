#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `tt-memory-profiler` with all its modes: a script to run, or what cmd_analyze.h does.
CommandSpec profiler_spec();
int run_profiler(const ParsedArgs& args);

}  // namespace ttscope::cli
