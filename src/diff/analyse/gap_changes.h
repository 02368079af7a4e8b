#pragma once

#include <cstdint>
#include <vector>

#include "diff/report.h"

namespace ttscope::diff {

/// By how much the gap before an op grew.
double gap_change(const DiffOp& op);

/// Ops whose gap changed beyond noise, or by half a microsecond or more with a single op, most first; none
/// where the runs are of no time. Into DiffReport::ops.
std::vector<std::uint32_t> ops_by_gap_change(const DiffReport& report);

}  // namespace ttscope::diff
