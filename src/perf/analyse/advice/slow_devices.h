#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "perf/analyse/advice/candidates.h"

namespace ttscope::perf {

/// What an op took on one device.
struct DeviceTime {
  double us = 0;
  std::uint32_t row = 0;  ///< in OpsReport::rows
};

/// A device that took longer for an op than those that are not at fault.
struct SlowTime {
  std::uint32_t row = 0;
  double us = 0;
  double usual_us = 0;  ///< the median of the others
};

/// Who is slow at an op, by its times on all devices: each that is over the median of the others. Where most
/// are slow in the same way no median says so: then those that are clearly slower than the quick ones are.
std::vector<SlowTime> find_slow_times(std::vector<DeviceTime> times);

/// All executions of an op that every device has.
struct OpOnDevices {
  std::map<std::int32_t, double> took_us;  ///< by device
  std::map<std::int32_t, double> over_us;  ///< by device: where it was slower than the others, by how much

  /// A device is slow where it is in all of them together. One that was slower in some and quicker in others
  /// is not: times scatter, or work is divided anew each time.
  bool is_slow(std::int32_t device) const;
};

/// The device of `from` is at fault as well: one finding of both.
void join_devices(const AdviceCandidate& from, AdviceCandidate& to);

}  // namespace ttscope::perf
