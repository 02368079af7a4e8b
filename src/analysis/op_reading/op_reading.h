#pragma once

#include <vector>

#include "analysis/op_advice/op_advice.h"
#include "analysis/op_stack/op_stack.h"

namespace ttscope::analysis {

/// Everything that is said about an ops report.
struct OpReading {
  OpTable ops;
  OpBounds bounds;
  OpGaps gaps;
  OpSkew skew;
  std::vector<OpAdvice> advice;
  std::vector<StackEntry> categories;  ///< by OpCategory; their device time adds up to the table's
};

Result<OpReading> read_ops(const OpsTable& table, const OpTableOptions& options);

}  // namespace ttscope::analysis
