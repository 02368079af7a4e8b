#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope gate`: holds a run against a budgets file, for CI.
CommandSpec gate_spec();
int run_gate(const ParsedArgs& args);

}  // namespace ttscope::cli
