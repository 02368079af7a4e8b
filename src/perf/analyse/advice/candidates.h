#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "perf/analyse/advice/op_advice.h"

namespace ttscope::perf {

/// A change of the run that could be advised, before its gain is known.
struct AdviceCandidate {
  struct NewTime {
    std::uint32_t row = 0;  ///< in OpsReport::rows
    float kernel_us = 0;    ///< that its kernels would take
  };
  OpAdvice advice;
  std::vector<NewTime> ops;
  std::vector<std::uint32_t> gaps;   ///< rows of the report whose gap would be that of a usual launch
  std::vector<std::uint32_t> lanes;  ///< that would begin with the first, of the run's clock
  bool is_removed = false;           ///< the ops are gone, with their firmware and launches
  double most_us = 0;  ///< the gain is hardly larger: what the kernels of the shown rows would save
};

/// All that could be advised, by cause and op.
std::vector<AdviceCandidate> find_candidates(const AdviceInput& input);

/// `LayerNorm 1x32x3072 BF16 L1`: tells ops of one name apart by what they work on.
std::string distinct_name(const OpsReport& table, const KindFacts& facts, const ReportKind& kind);

}  // namespace ttscope::perf
