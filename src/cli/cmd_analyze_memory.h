#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `analyze_memory`: stands in for tt-train's script of that name, with its options, texts and exit codes.
CommandSpec analyze_memory_spec();
int run_analyze_memory(const std::vector<std::string>& args);

}  // namespace ttscope::cli
