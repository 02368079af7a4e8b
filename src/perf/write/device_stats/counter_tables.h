#pragma once

#include <string>
#include <vector>

#include "perf/analyse/executions/perf_counters.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// Hardware counters for the terminal: the raw values, then the metrics, each over all executions.
std::string counter_table_text(const std::vector<CounterSummary>& counters, const CounterFigures& figures,
                               const PerfTableOptions& form);

}  // namespace ttscope::perf
