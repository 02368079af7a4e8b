#pragma once

#include <unordered_map>
#include <vector>

#include "app/timeline/device_clocks.h"
#include "perf/analyse/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// The zones of a host that are ops, by GLOBAL CALL COUNT.
using HostOpZones = std::unordered_map<std::uint64_t, std::size_t>;

/// What device tracks are made of.
struct DeviceRun {
  const perf::Profile& run;
  std::map<std::uint32_t, DeviceClock> clocks;  ///< by device
  std::vector<HostOpZones> host_zones;          ///< by capture
  unsigned threads = 1;
};

/// Adds what devices did: their ops and the gaps between them, and the zones and marks of every processor,
/// with links from the host's zones of an op to it and between the parts of a collective; of NoC traces the
/// transfers and their bytes over time.
void add_device_tracks(DeviceRun run, timeline::Timeline& timeline);

}  // namespace ttscope::app
