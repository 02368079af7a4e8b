#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttmem list`: the reports in the library, newest first.
CommandSpec list_spec();
int run_list(const ParsedArgs& args);

}  // namespace ttscope::cli
