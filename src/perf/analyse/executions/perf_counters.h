#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Smallest, median, largest and average over cores or executions; NaN where nothing is known.
struct CounterStats {
  double min = 0;
  double median = 0;
  double max = 0;
  double average = 0;
};

/// The metrics of hardware counters. `columns` are four for each metric.
struct CounterFigures {
  std::vector<std::string> columns;
  std::map<std::uint32_t, std::vector<double>> values;  ///< by execution of the device log
};

struct CounterOptions {
  bool compat = false;       ///< as the reference computes it
  bool device_only = false;  ///< the reference computes these reports differently
};

/// Per execution, over cores. `measured` are the executions of the log with their figures.
CounterFigures compute_counter_metrics(const DeviceProfile& log, const std::vector<Execution>& measured,
                                       const CounterOptions& options);

/// The raw values of each counter: over cores within an execution, then over executions.
struct RawCounter {
  std::string name;
  std::uint64_t executions = 0;
  CounterStats stats;
};
std::vector<RawCounter> summarise_counters(const DeviceProfile& log);

}  // namespace ttscope::perf
