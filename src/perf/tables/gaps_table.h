#pragma once

#include <string_view>

#include "perf/analyse/ops/op_gaps.h"

namespace ttscope::perf {

/// The column `what` of the table of gaps, and what reports say: `first run of a program (cache miss or
/// compile)`.
std::string_view sentence_of(GapCause cause);

}  // namespace ttscope::perf
