#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "perf/model/perf_problems.h"

namespace ttscope::perf {

/// The clocks (MHz) that sync_device_info.csv measured, by device. Devices that were synchronised through
/// another one have that one's clock times their ratio.
std::map<std::uint32_t, double> read_sync_info(std::string_view text);

/// An exchange between host and device: the same moment on both clocks.
struct SyncMoment {
  std::uint64_t device_cycles = 0;
  double host_ns = 0;  ///< on the axis of the host's zones
};
/// What sync_device_info.csv measured.
struct SyncInfo {
  struct Shift {
    double scale = 1;
    double cycles = 0;
  };
  std::map<std::uint32_t, std::vector<SyncMoment>> moments;  ///< by device that the host reaches
  std::map<std::uint32_t, Shift> shifts;  ///< of the others: their cycles to those of the first such device
};
SyncInfo read_sync_moments(std::string_view text);

/// Looks for zones of zone_src_locations.log whose 16-bit marker ids are equal: their markers cannot be told
/// apart.
void find_zone_collisions(std::string_view text, PerfProblems& problems);

/// The marker id of `NAME,FILE,LINE,KERNEL_PROFILER`.
std::uint16_t zone_marker_id(std::string_view zone);

}  // namespace ttscope::perf
