#pragma once

#include <cstddef>

#include "diff/report.h"

namespace ttscope::diff {

/// Finds the ops of one report that are those of another one, of the same two runs: by the location that a
/// compiler gave them, the first of a location with the first. Fills DiffOp::beside of `report`; returns how
/// many found their other half.
std::size_t join_ops(DiffReport& report, const DiffReport& other);

}  // namespace ttscope::diff
