#pragma once

#include <cstdint>

#include "perf/model/ops_report.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// M x K times K x N, each with its padding; all 0 where the shapes are not known.
struct MatmulSize {
  std::int64_t m = 0;
  std::int64_t k = 0;
  std::int64_t n = 0;
};

/// What a matmul multiplies. `transpose_a` and `transpose_b` do not say how the tensors of a report lie:
/// older tt-metal turned such an operand before the op, newer turns it inside. The shapes tell them apart: an
/// operand counts turned where only so the inner sizes meet; where both ways would do, the output decides.
MatmulSize matmul_size(const OpsReport& table, const ReportKind& kind, const Rules& rules);

}  // namespace ttscope::perf
