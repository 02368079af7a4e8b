#pragma once

#include <string>

#include "perf/analyse/executions/device_data.h"
#include "perf/analyse/zones/zone_stats.h"

namespace ttscope::perf {

/// The zones of one capture.
struct CaptureZones {
  std::string host;  ///< empty unless there are several
  ZoneStats stats;
  DeviceClocks clocks;
  bool is_modelled = false;  ///< the chips were simulated

  /// Cycles a microsecond of a device; 0 where it is not known.
  double clock_of(std::uint32_t device) const { return perf::clock_of(clocks, device); }
};

}  // namespace ttscope::perf
