#pragma once

#include <vector>

#include "perf/analyse/advice/movement.h"
#include "perf/analyse/advice/op_advice.h"
#include "perf/analyse/clock/iterations.h"
#include "perf/analyse/ops/op_stack.h"

namespace ttscope::perf {

/// Everything that is said about an ops report.
struct OpReading {
  ShownOps ops;
  Iterations iterations;
  OpBounds bounds;
  OpGaps gaps;
  OpSkew skew;
  std::vector<OpAdvice> advice;
  MovementBudget movement;
  std::vector<StackEntry> categories;  ///< by OpCategory; their device time adds up to the table's
};

Result<OpReading> read_ops(const OpsReport& table, const ShownOptions& options);

}  // namespace ttscope::perf
