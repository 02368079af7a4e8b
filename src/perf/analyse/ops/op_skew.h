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
  std::uint64_t slowest_ops = 0;  ///< in how many ops it is the slowest
};

struct OpSkew {
  std::vector<DeviceSkew> devices;
  std::vector<GroupSkew> groups;  ///< of every merged op; the kGroupsListed with the largest loss come first
  double compute_lost_us = 0;     ///< slowest minus median, over all ops but collectives
  double collective_wait_us =
      0;  ///< mean minus fastest, over collectives: devices that wait for the last one
  /// Part of it, derived: devices came to the collective one after the other. The rest is the collective
  /// itself.
  double collective_late_us = 0;
  static constexpr std::size_t kGroupsListed = 100;
};

/// Measured: from the durations of the same op on each device. Devices have clocks of their own, so starts
/// are not compared; but all devices leave a collective together, and the time from there to the next one
/// tells who comes late. Empty for one device.
OpSkew find_skew(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
