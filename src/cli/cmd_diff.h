#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope diff`: what changed from one run to another, and why.
CommandSpec diff_spec();
int run_diff(const ParsedArgs& args);

}  // namespace ttscope::cli
