#pragma once

#include <string>
#include <vector>

#include "perf/analyse/capture.h"

namespace ttscope::perf {

struct SummaryOptions {
  bool counter_tables = false;
  bool wants_zones = false;  ///< it is said where there are none
  bool color = false;
};

/// Tables of the hardware counters.
std::string counters_text(const std::vector<Capture>& captures);

/// What was made, of what, and how far it can be trusted.
std::string capture_summary(const std::vector<Capture>& captures, const SummaryOptions& options,
                            const std::vector<std::string>& written);

}  // namespace ttscope::perf
