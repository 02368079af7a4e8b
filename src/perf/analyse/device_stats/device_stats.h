#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/device_stats/dispatch_records.h"
#include "perf/analyse/device_stats/marker_series.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// A device of a log, ready for its analyses. The log must outlive it.
class DeviceTimelines {
 public:
  /// Compat: all is told apart, named and dropped as the reference does (op_records.h, dispatch_records.h).
  DeviceTimelines(const DeviceMarkers& device, const MarkerRows& rows, const Rules& rules);
  DeviceTimelines(const DeviceTimelines&) = delete;
  DeviceTimelines& operator=(const DeviceTimelines&) = delete;

  const DeviceMarkers& device() const { return source_.device; }
  const MarkerSource& source() const { return source_; }
  const DeviceDispatch& dispatch() const { return dispatch_; }
  /// The rows with the names that zones of dispatch cores go by.
  const MarkerSource& dispatch_source() const { return named_source_; }

 private:
  DeviceDispatch dispatch_;
  MarkerSource source_;
  MarkerSource named_source_;
};

struct StatsEntry {
  std::size_t analysis = 0;  ///< into timer_analyses()
  CycleStats stats;
};

/// The figures of one device over all its cores and executions, in cycles; only what occurs.
struct DeviceStats {
  std::uint32_t device = 0;
  std::vector<StatsEntry> entries;
};
DeviceStats compute_device_stats(const DeviceTimelines& timelines);

}  // namespace ttscope::perf
