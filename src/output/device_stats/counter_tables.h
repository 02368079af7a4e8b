#pragma once

#include <string>
#include <vector>

#include "analysis/perf_counters/perf_counters.h"

namespace ttscope::output {

/// Hardware counters for the terminal: the raw values, then the metrics, each over all executions.
std::string counter_table_text(const std::vector<analysis::RawCounter>& counters,
                               const analysis::CounterFigures& figures);

}  // namespace ttscope::output
