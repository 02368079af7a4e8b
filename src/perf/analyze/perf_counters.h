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

/// Whose metrics. The reference has two programs that disagree, for reports with the host and of the device
/// alone, and leaves some shares as they are.
enum class CounterVariant : std::uint8_t { kOwn, kReferenceWithHost, kReferenceAlone };

/// Per execution, over cores. `measured` are the executions of the log with their figures.
CounterFigures compute_counter_metrics(const DeviceProfile& log, const std::vector<Execution>& measured,
                                       CounterVariant variant = CounterVariant::kOwn);

/// What a counter or a metric is over executions.
struct CounterSummary {
  std::string name;
  std::uint64_t executions = 0;
  CounterStats stats;
};

/// The raw values of each counter: over cores within an execution, then over executions.
std::vector<CounterSummary> summarize_counters(const DeviceProfile& log);

/// The metrics over the executions that have them: the least and the most of all cores, the upper middle of
/// the medians, the mean of the averages. Metrics that no execution has are left out.
std::vector<CounterSummary> summarize_metrics(const CounterFigures& figures);

}  // namespace ttscope::perf
