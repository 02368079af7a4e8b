#pragma once

#include "cli/command.h"

namespace ttscope::cli {

/// `ttscope perf compare A B`: two ops reports (or the runtime's own ones) cell by cell.
int run_perf_compare(const ParsedArgs& args);

}  // namespace ttscope::cli
