#pragma once

#include <string>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// What could make a matmul faster, in the words that users of tt-perf-report know. Empty: nothing found.
std::vector<std::string> matmul_advice(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                       const Rules& rules);

}  // namespace ttscope::perf
