#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttmem`: the markdown report and the report folder under the name that users know.
CommandSpec ttmem_spec();
int run_ttmem(const ParsedArgs& args);

}  // namespace ttscope::cli
