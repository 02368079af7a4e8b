#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "perf/analyse/ops/op_bounds.h"
#include "perf/analyse/ops/op_gaps.h"
#include "perf/analyse/ops/op_skew.h"
#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// How sure a gain is.
enum class GainBasis : std::uint8_t {
  kMeasured,  ///< recorded times alone
  kDerived,   ///< recorded times and what is known of the cause
  kModelled,  ///< against a peak
};
std::string_view key_of(GainBasis basis);

/// One thing to change, what it would bring, and the rows that say so.
struct OpAdvice {
  static constexpr std::size_t kRowsKept = 50;
  std::string key;     ///< `use_trace`, for other programs
  std::string title;   ///< one line
  std::string detail;  ///< what to do, and what the gain assumes
  double gain_us = 0;  ///< of the whole window; `once`: only the first time
  bool once = false;
  GainBasis basis = GainBasis::kDerived;
  std::vector<std::uint32_t> rows = {};  ///< of the table, the first ones
  std::uint64_t row_count = 0;
};

struct AdviceInput {
  const OpsReport& table;
  const ShownOps& ops;
  const OpBounds& bounds;
  const OpGaps& gaps;
  const OpSkew& skew;
};

/// Advice with a gain of more than nothing, the largest first; what costs time only once comes last. Gains of
/// different advice can overlap: they are not to be added.
std::vector<OpAdvice> find_advice(const AdviceInput& input);

}  // namespace ttscope::perf
