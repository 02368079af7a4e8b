#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::capture {

/// Options of `ttscope trace` by their long names; flags have an empty value.
using TraceOptions = std::map<std::string, std::string, std::less<>>;

/// What a profiled program gets, and what follows for the report.
struct TracePlan {
  std::vector<std::string> environment;  ///< all of it, `NAME=value`
  std::vector<std::string> notes;        ///< what the user should know before the run
  /// Why the runtime's own measurements are left aside; empty: they are used.
  std::vector<std::string> legacy_reasons;
  bool device = true;             ///< devices are profiled
  bool device_in_capture = true;  ///< the .tracy file has the zones of devices
};

/// Sets the variables of the profiler as the options say and keeps those that were set by hand. What excludes
/// each other is an error with the reason.
Result<TracePlan> plan_trace(const TraceOptions& options, const std::vector<std::string>& environment);

}  // namespace ttscope::capture
