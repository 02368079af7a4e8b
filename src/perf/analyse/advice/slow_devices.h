#pragma once

#include <cstdint>
#include <vector>

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

}  // namespace ttscope::perf
