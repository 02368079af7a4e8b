#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope completion`: completion scripts for shells.
CommandSpec completion_spec();
int run_completion(const ParsedArgs& args);

}  // namespace ttscope::cli
