#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope last-run`: a log cut down to its last run.
CommandSpec last_run_spec();
int run_last_run(const ParsedArgs& args);

}  // namespace ttscope::cli
