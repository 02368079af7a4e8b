#include "diff/analyse/gap_changes.h"

#include <algorithm>
#include <cmath>

namespace ttscope::diff {

double gap_change(const DiffOp& op) { return op.gap_after - op.gap_before; }

std::vector<std::uint32_t> ops_by_gap_change(const DiffReport& report) {
  constexpr double kWorthTelling = 0.5;  // us
  std::vector<std::uint32_t> ops;
  if (report.unit != "us") return ops;
  for (std::uint32_t i = 0; i < report.ops.size(); ++i) {
    const DiffOp& op = report.ops[i];
    // A single op's gap came or went with it.
    if (op.is_gap_beyond_noise || (!op.is_pair() && std::abs(gap_change(op)) >= kWorthTelling))
      ops.push_back(i);
  }
  std::stable_sort(ops.begin(), ops.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(gap_change(report.ops[a])) > std::abs(gap_change(report.ops[b]));
  });
  return ops;
}

}  // namespace ttscope::diff
