#pragma once

#include "cli/command.h"

namespace ttscope::cli {

CommandSpec export_spec();
int run_export(const ParsedArgs& args);

}  // namespace ttscope::cli
