#pragma once

#include <cstdint>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// One gap on one core: from the end of its last kernel to its next data movement kernel.
struct CoreGap {
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint64_t start_cycle = 0;
  std::uint64_t cycles = 0;
  std::uint64_t from_op = 0;
  std::uint64_t to_op = 0;
};

/// The gaps of each core of a device, in order of time.
std::vector<std::vector<CoreGap>> find_core_gaps(const DeviceProfile& log, std::uint32_t device);

/// One row of the table of gaps: the same pair of ops on all cores that ran both one after the other.
struct GapRow {
  std::uint32_t device = 0;
  std::uint64_t from_op = 0;
  std::uint64_t to_op = 0;
  std::vector<CoreGap> cores;
};
std::vector<GapRow> tabulate_gaps(const DeviceProfile& log);

}  // namespace ttscope::perf
