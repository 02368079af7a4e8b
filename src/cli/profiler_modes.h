#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `tt-memory-profiler` with all its modes: a script to run, or what cmd_analyze.h does.
CommandSpec profiler_spec();
int run_profiler(const ParsedArgs& args);

/// The command that runs a script as `tt-memory-profiler` does: Python without buffering, from the active
/// virtual environment or PATH; a program that is no Python file runs itself.
std::vector<std::string> script_command(const std::string& script, const std::vector<std::string>& arguments);

}  // namespace ttscope::cli
