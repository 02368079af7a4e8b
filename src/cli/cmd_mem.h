#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope mem`: the memory profile of runtime logs.
CommandSpec mem_spec();
int run_mem(const ParsedArgs& args);

}  // namespace ttscope::cli
