#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope tail`: the status line of a log that another program writes.
CommandSpec tail_spec();
int run_tail(const ParsedArgs& args);

}  // namespace ttscope::cli
