#pragma once

#include <string>
#include <vector>

#include "app/doctor_checks.h"

namespace ttscope::app {

/// What `ttscope trace` will find: Tracy's tools, the variables of the profiler with what follows from them,
/// those that exclude each other, and what the last run in the folder of the profiler shows (ops against the
/// support count, clocks, dropped markers).
void add_profiler_checks(const std::vector<std::string>& environment, Diagnosis& diagnosis);

}  // namespace ttscope::app
