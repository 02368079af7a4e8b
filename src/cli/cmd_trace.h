#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope trace [options] [-m module | script | program] args...`: runs a program under the profiler and
/// leaves its reports.
CommandSpec trace_spec();
int run_trace(const ParsedArgs& args);

}  // namespace ttscope::cli
