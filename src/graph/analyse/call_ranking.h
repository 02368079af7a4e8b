#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/analyse/segment_profile.h"

namespace ttscope::graph {

/// The calls of a capture that use most memory, at most so many, in the order in which they ran.
std::vector<std::uint32_t> ranked_calls(const SegmentProfile& profile, std::size_t most);

/// All calls of one name that no call of the same name is around; sums of them, peaks of the highest.
struct CallGroup {
  std::uint32_t name = kNone;  ///< in GraphTrace::texts
  std::uint8_t level = 0;      ///< of the outermost
  std::uint64_t calls = 0;
  std::int64_t duration_ns = 0;
  std::int64_t dram_allocated_bytes = 0;
  std::int64_t dram_freed_bytes = 0;
  std::int64_t l1_peak_per_core_bytes = 0;
  std::int64_t cb_peak_per_core_bytes = 0;
};
/// By name; those that use most first.
std::vector<CallGroup> call_groups(const SegmentProfile& profile);

}  // namespace ttscope::graph
