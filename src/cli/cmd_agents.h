#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope agents`: the instructions for language models.
CommandSpec agents_spec();
int run_agents(const ParsedArgs& args);

}  // namespace ttscope::cli
