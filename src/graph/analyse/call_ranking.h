#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/analyse/segment_profile.h"

namespace ttscope::graph {

/// Outermost calls first by what they add to the peaks: the `most` that allocate or hold most, in their order
/// of execution, in SegmentProfile::calls.
std::vector<std::uint32_t> ranked_calls(const SegmentProfile& profile, std::size_t most);

}  // namespace ttscope::graph
