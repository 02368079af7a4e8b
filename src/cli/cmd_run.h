#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope run`: a program under capture.
CommandSpec run_spec();
int run_run(const ParsedArgs& args);

}  // namespace ttscope::cli
