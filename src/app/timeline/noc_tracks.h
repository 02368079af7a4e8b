#pragma once

#include <map>

#include "app/timeline/device_clocks.h"
#include "perf/analyse/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// Adds the transfers of the NoC traces beside a device log: messages of the lanes that began them, and a
/// plot of the bytes that each device moved over time. The lanes are in the timeline already.
void add_noc_tracks(const perf::Profile& run, const std::map<std::uint32_t, DeviceClock>& clocks,
                    timeline::Timeline& timeline);

}  // namespace ttscope::app
