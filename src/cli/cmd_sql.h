#pragma once

#include "cli/command.h"

namespace ttscope::cli {

CommandSpec sql_spec();
int run_sql(const ParsedArgs& args);

}  // namespace ttscope::cli
