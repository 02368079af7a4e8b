#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttmem delete NAME...`: reports of the library by name.
CommandSpec delete_spec();
int run_delete(const ParsedArgs& args);

/// `ttmem prune`: the reports of the library that are old.
CommandSpec prune_spec();
int run_prune(const ParsedArgs& args);

}  // namespace ttscope::cli
