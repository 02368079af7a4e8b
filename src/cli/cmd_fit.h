#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope fit`: whether a run fits a device, and what would make it fit.
CommandSpec fit_spec();
int run_fit(const ParsedArgs& args);

}  // namespace ttscope::cli
