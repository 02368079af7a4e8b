#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/analyse/graph_profile.h"

namespace ttscope::graph {

/// Outermost calls first by what they add to the peaks: the `most` that allocate or hold most, in their order
/// of execution, in GraphProfile::calls.
std::vector<std::uint32_t> ranked_calls(const GraphProfile& profile, std::size_t most);

}  // namespace ttscope::graph
