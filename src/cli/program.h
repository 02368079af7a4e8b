#pragma once

#include <string>
#include <vector>

namespace ttscope::cli {

/// Runs the program that `name` stands for (`ttscope`, `ttmem`, `tt-memory-profiler`, `analyze_memory`; a
/// path is reduced to its last part) and returns the exit code.
int run_program(const std::string& name, const std::vector<std::string>& args);

}  // namespace ttscope::cli
