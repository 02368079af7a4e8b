#pragma once

#include <cstdint>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Before each row of a report the last signpost of the same file: its place in OpsReport::rows + 1; 0 where
/// there is none. A signpost counts as inside the part that it begins.
std::vector<std::uint32_t> last_signposts(const OpsReport& table);

}  // namespace ttscope::perf
