#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyze/roofline.h"
#include "perf/analyze/shown_ops.h"
#include "perf/model/ops_report.h"
#include "perf/model/reference_rules.h"

namespace ttscope::perf {

/// The architecture that tt-perf-report takes a report for, with what it says on the way: Wormhole where none
/// is recorded, and what the user gives only where the report has no column for it.
std::string reference_arch(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes);

/// Sorts rows by HOST START TS as tt-perf-report's library does: by a quicksort that leaves rows of equal
/// times in an order of its own, the same each time. Rows without a time come last, in their order.
void sort_like_reference(const OpsReport& table, std::vector<std::uint32_t>& rows);

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
