#pragma once

#include <string>
#include <vector>

namespace ttscope::app {

/// Arguments to run a script with, and where it runs.
struct ScriptRun {
  std::string script;
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};  ///< `NAME=value`
};

/// The command that runs a script as `tt-memory-profiler` does: Python without buffering, from the active
/// virtual environment or PATH; a program that is no Python file runs itself.
std::vector<std::string> script_command(const ScriptRun& run);

}  // namespace ttscope::app
