#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "perf/analyse/device_stats/marker_merge.h"
#include "perf/analyse/device_stats/op_records.h"
#include "perf/analyse/device_stats/timer_analyses.h"

namespace ttscope::perf {

/// One duration that an analysis found.
struct DurationSample {
  std::int64_t cycles = 0;
  TimedMarker start;  ///< of sums: not set
  TimedMarker end;
  /// Gaps only: the last start of the core's firmware before start and end.
  TimedMarker start_iteration;
  TimedMarker end_iteration;
  bool has_start_iteration = false;
  bool has_end_iteration = false;
};

/// Statistics of cycles.
struct CycleStats {
  std::uint64_t count = 0;
  std::int64_t max = 0;
  std::int64_t min = 0;
  std::int64_t sum = 0;
  std::int64_t first = 0;
  double median = 0;

  double average() const;
  std::int64_t range() const;
};
CycleStats stats_of(const std::vector<DurationSample>& samples);

/// Puts statistics together; the median is that of the medians.
class StatsCollector {
 public:
  void add(const CycleStats& stats);
  CycleStats finish();

 private:
  CycleStats all_;
  std::vector<double> medians_;
};

/// Gaps on a time line, for each analysis of this scope that looks for gaps; by analysis.
std::vector<std::vector<DurationSample>> find_gaps(const MarkerSource& source,
                                                   const std::vector<std::uint32_t>& lanes,
                                                   AnalysisScope scope, AnalysisMatcher& matcher);

/// The durations of an execution, for each analysis of this scope; by analysis.
std::vector<std::vector<DurationSample>> measure_record(const MarkerSource& source, const OpRecord& record,
                                                        AnalysisScope scope, AnalysisMatcher& matcher);

/// Gives the events of the processor that an analysis names: markers with data or of a number.
void for_each_event(const MarkerSource& source, std::size_t analysis,
                    const std::function<void(const TimedMarker&)>& take);

}  // namespace ttscope::perf
