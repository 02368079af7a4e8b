#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// What could make a matmul faster, as tt-perf-report sees it; the words are in
/// perf/write/words/matmul_text.h.
enum class MatmulRemark : std::uint8_t {
  kTryDramSharded,
  kIncreaseGrid,    ///< of its cores
  kPlaceInputInL1,  ///< where its first input is now
  kNoProgramConfig,
  kSmallInnerBlock,
  kNoInnerBlock,
  kSmallSubblock,
  kNoSubblock,
  kBlocksLookGood,
  kFidelity,  ///< what FidelityAdvice says
};

/// Empty: nothing found.
std::vector<MatmulRemark> matmul_advice(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                        const Rules& rules);

}  // namespace ttscope::perf
