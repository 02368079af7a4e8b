#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perf/analyse/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// How cycles of a device become times of the axis.
struct DeviceClock {
  double cycles_per_ns = 0;  ///< 0: not known
  double anchor_cycle = 0;
  double anchor_ns = 0;
  timeline::Alignment alignment;

  bool is_known() const { return cycles_per_ns > 0; }
  double ns_at(double cycle) const { return anchor_ns + (cycle - anchor_cycle) / cycles_per_ns; }
};

/// When the host sent ops, by GLOBAL CALL COUNT: on the axis of its zones.
using HostStarts = std::map<std::uint64_t, std::int64_t>;

/// The clocks of all devices of a run, by their number over all hosts: by exchanges with the host where
/// sync_device_info.csv has them, else by what they share, else they begin together at 0. Without host starts the
/// axis is that of the devices.
std::map<std::uint32_t, DeviceClock> device_clocks(const perf::Profile& run, const HostStarts& host);

}  // namespace ttscope::app
