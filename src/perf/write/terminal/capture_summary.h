#pragma once

#include <string>
#include <vector>

#include "perf/analyse/capture.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

struct SummaryOptions {
  bool counter_tables = false;
  bool wants_zones = false;  ///< it is said where there are none
  PerfTableOptions form{};
};

/// Tables of the hardware counters.
std::string counters_text(const std::vector<Capture>& captures, const PerfTableOptions& form);

/// What was made, of what, and how far it can be trusted.
std::string capture_summary(const std::vector<Capture>& captures, const SummaryOptions& options,
                            const std::vector<std::string>& written);

}  // namespace ttscope::perf
