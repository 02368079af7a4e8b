#pragma once

#include "cli/command.h"

namespace ttscope::cli {

CommandSpec timeline_spec();
int run_timeline(const ParsedArgs& args);

}  // namespace ttscope::cli
