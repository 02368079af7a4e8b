#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/zone_markers.h"

namespace ttscope::perf {

/// A zone with both of its ends, in cycles of the device's timer, which goes on beyond its 44 bits.
struct LaneZone {
  std::uint64_t start_cycle = 0;
  std::uint64_t end_cycle = 0;
  std::uint32_t zone = 0;       ///< into ZoneCatalog::zones
  std::uint32_t execution = 0;  ///< into ZoneCatalog::executions; kNone: none
  std::uint16_t depth = 0;      ///< in how many others it lies
};

/// A moment that a kernel's author marked (DeviceTimestampedData, DeviceRecordEvent), on the same timer.
struct LaneMark {
  std::uint64_t cycle = 0;
  std::uint64_t value = 0;  ///< of data
  std::uint32_t zone = 0;
  std::uint32_t execution = 0;
};

/// What one processor of a core did. Each zone stands behind the one that it lies in, in order of time.
struct LaneZones {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::string risc;
  std::vector<LaneZone> zones;
  std::vector<LaneMark> marks;  ///< in order of time
  std::uint64_t unmatched = 0;  ///< starts without an end, and ends without a start
  const ZoneCatalog* catalog = nullptr;
};

/// Gives the processors of a device log one after the other, by device, core and name; the catalogs that they
/// refer to grow, and live as long as this call. `take` is called on the caller's thread.
void read_lane_zones(std::string_view log, unsigned threads,
                     const std::function<void(const LaneZones&)>& take);

}  // namespace ttscope::perf
