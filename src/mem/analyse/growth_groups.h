#pragma once

#include <cstdint>
#include <vector>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// The executions of one op (same text and location, any run, any rank) that made a memory grow.
struct GrowthGroup {
  std::uint32_t rank = 0;  ///< of the execution that grew most, the first if several did
  std::uint32_t op = 0;
  std::uint8_t memory = 0;
  std::int64_t bytes_per_bank = 0;  ///< own growth of that execution
  std::uint64_t times = 0;
  Confidence confidence = Confidence::kNone;
};

/// The `limit` largest groups. Repeated runs would fill a plain list with copies of one op.
std::vector<GrowthGroup> top_growth(const RuntimeTrace& trace, const MemoryProfile& profile, Memory memory,
                                    std::size_t limit);

}  // namespace ttscope::mem
