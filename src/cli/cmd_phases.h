#pragma once

#include "cli/command.h"

namespace ttscope::cli {

CommandSpec phases_spec();
int run_phases(const ParsedArgs& args);

}  // namespace ttscope::cli
