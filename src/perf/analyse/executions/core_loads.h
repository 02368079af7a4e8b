#pragma once

#include <cstdint>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// How long a core was busy over the whole run; only where the device log is there.
struct CoreLoad {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint64_t busy_cycles = 0;  ///< from the first kernel start to the last kernel end, over its runs
  std::uint64_t runs = 0;         ///< executions with both of these
};

/// How long each core of each device ran kernels, in all executions; by device and row of cores.
std::vector<CoreLoad> core_loads(const DeviceProfile& log);

}  // namespace ttscope::perf
