#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// One op on several devices: how far apart they are. All in µs.
struct GroupSkew {
  std::uint32_t row = 0;  ///< of the table
  std::int32_t slowest_device = -1;
  double fastest_us = 0;
  double median_us = 0;
  double slowest_us = 0;
  double lost_us() const { return slowest_us - median_us; }
};

/// One device against the others.
struct DeviceSkew {
  std::int32_t device = -1;
  std::uint64_t ops = 0;
  double device_us = 0;           ///< all ops
  double collective_us = 0;       ///< part of it: collectives, waiting for the others included
  double overlap_us = kNoNumber;  ///< part of that: other ops ran at the same time
  double behind_us = 0;  ///< over the median of the same op, summed where it is slower; not collectives
  std::uint64_t slowest_ops = 0;  ///< in how many ops it is the slowest; not collectives
};

struct OpSkew {
  std::vector<DeviceSkew> devices;
  /// Of every merged op, the kGroupsListed with the largest loss first. Not of collectives: the device that
  /// takes longest in one is not slow, it waits for the others.
  std::vector<GroupSkew> groups;
  double compute_lost_us = 0;  ///< slowest minus median, over all ops but collectives
  /// What devices wait in collectives for the last one, on average over the devices; without cycles mean
  /// minus fastest.
  double collective_wait_us = 0;
  /// How long after the median of the others the last device came, over all collectives (derived); none
  /// without cycles.
  double collective_late_us = kNoNumber;
  static constexpr std::size_t kGroupsListed = 100;
};

/// Durations of the same op on each device are measured. Devices have clocks of their own: who came late to a
/// collective is derived, from clocks that are aligned by the ends of collectives. Empty for one device.
OpSkew find_skew(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
