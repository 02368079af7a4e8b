#pragma once

#include <cstdint>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// Sorts rows by HOST START TS as tt-perf-report's library does: by a quicksort that leaves rows of equal
/// times in an order of its own, the same each time. Rows without a time come last, in their order.
void sort_like_reference(const OpsReport& table, std::vector<std::uint32_t>& rows);

}  // namespace ttscope::perf
