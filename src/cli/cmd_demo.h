#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope demo`: the whole tour on the sample log.
CommandSpec demo_spec();
int run_demo(const ParsedArgs& args);

}  // namespace ttscope::cli
