#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope graph`: memory of ttnn graph captures.
CommandSpec graph_spec();
int run_graph(const ParsedArgs& args);

}  // namespace ttscope::cli
