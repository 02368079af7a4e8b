#pragma once

#include <string>
#include <vector>

namespace ttscope::chip {

struct CommandEnd {
  bool started = false;  ///< the program was found
  int exit_code = -1;
  std::string output;  ///< standard output and error
};

/// Runs a program, found in PATH, without a shell and without input, and waits for it.
CommandEnd run_command(const std::vector<std::string>& arguments);

}  // namespace ttscope::chip
