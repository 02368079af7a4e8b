#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope doctor`: what a run in this environment will produce.
CommandSpec doctor_spec();
int run_doctor(const ParsedArgs& args);

}  // namespace ttscope::cli
