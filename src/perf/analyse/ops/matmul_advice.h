#pragma once

#include <string>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// What could make a matmul faster, in the words that users of tt-perf-report know. Empty: nothing found.
/// With `compat` core counts read as that tool prints them, and a matmul without operands in DRAM gets no
/// advice.
std::vector<std::string> matmul_advice(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                       bool compat);

}  // namespace ttscope::perf
