#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// Runs what the arguments of `ttscope trace` say; the exit code.
int trace_program(const ParsedArgs& args);

/// Prints the commands that opt a shell in.
int print_trace_environment();

}  // namespace ttscope::cli
