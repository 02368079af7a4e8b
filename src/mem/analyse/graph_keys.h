#pragma once

#include <cstdint>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// What the runs of one graph share, by [rank][program instance]: their name and the texts of their own ops
/// (nested programs not counted, so that a run with const-eval misses and one with hits are the same graph).
/// A run that was cut off has the key of the graph whose beginning it is: of several, the one that came after
/// the same graph before, else the one that ran last.
std::vector<std::vector<std::uint64_t>> graph_keys(const RuntimeTrace& trace);

}  // namespace ttscope::mem
