#pragma once

#include <string_view>
#include <vector>

#include "cli/command.h"

namespace ttscope::cli {

/// The commands of `ttscope`, in the order of the help. A new one is a file pair and a line in commands.cc.
const std::vector<Command>& all_commands();
/// Null if there is none of that name.
const Command* find_command(std::string_view name);

/// The commands that users type under their own names: `ttmem`, `tt-memory-profiler`, `analyze_memory`.
const std::vector<Command>& other_programs();

/// The commands of `ttmem`; any other first argument is a log.
const std::vector<Command>& ttmem_commands();

/// Parses and runs: help and usage errors are dealt with here.
int run_command(const Command& command, const std::vector<std::string>& args);

}  // namespace ttscope::cli
