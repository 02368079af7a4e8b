#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope oom`: why a run had no memory left.
CommandSpec oom_spec();
int run_oom(const ParsedArgs& args);

}  // namespace ttscope::cli
