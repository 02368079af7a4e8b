#pragma once

#include <cstdint>
#include <string_view>

#include "perf/model/perf_problems.h"

namespace ttscope::perf {

/// Looks for zones of zone_src_locations.log whose 16-bit marker ids are equal: their markers cannot be told
/// apart.
void find_zone_collisions(std::string_view text, PerfProblems& problems);

/// The marker id of `NAME,FILE,LINE,KERNEL_PROFILER`.
std::uint16_t zone_marker_id(std::string_view zone);

}  // namespace ttscope::perf
