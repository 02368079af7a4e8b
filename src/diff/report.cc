#include "diff/report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "diff/compared_run.h"

namespace ttscope::diff {

std::string_view key_of(OpChange change) {
  constexpr std::array<std::string_view, 5> kKeys = {"same", "changed", "moved", "added", "removed"};
  return kKeys[static_cast<std::size_t>(change)];
}

std::string_view key_of(DiffChange::What what) {
  constexpr std::array<std::string_view, 6> kKeys = {"replaced", "removed", "added",
                                                     "cause",    "time",    "moved"};
  return kKeys[static_cast<std::size_t>(what)];
}

std::string_view key_of(Caution::What what) {
  constexpr std::array<std::string_view, 6> kKeys = {"setting", "replays", "repeats",
                                                     "empty",   "partial", "strangers"};
  return kKeys[static_cast<std::size_t>(what)];
}

double DiffReport::cost_change() const {
  double sum = 0;
  for (const DiffOp& op : ops) sum += op.change();
  return sum;
}

bool DiffReport::has_caution(Caution::What what) const {
  return std::any_of(cautions.begin(), cautions.end(),
                     [&](const Caution& caution) { return caution.what == what; });
}

bool DiffReport::has_unlike_costs() const {
  return std::any_of(cautions.begin(), cautions.end(), [](const Caution& caution) {
    return caution.what == Caution::What::kSetting && caution.name == kCostSetting;
  });
}

double gap_change(const DiffOp& op) { return op.gap_after - op.gap_before; }

std::vector<std::uint32_t> ops_by_gap_change(const DiffReport& report) {
  constexpr double kMinReportedUs = 0.5;  // us
  std::vector<std::uint32_t> ops;
  if (report.unit != "us") return ops;
  for (std::uint32_t i = 0; i < report.ops.size(); ++i) {
    const DiffOp& op = report.ops[i];
    // A single op's gap came or went with it.
    if (op.is_gap_beyond_noise || (!op.is_pair() && std::abs(gap_change(op)) >= kMinReportedUs))
      ops.push_back(i);
  }
  std::stable_sort(ops.begin(), ops.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::abs(gap_change(report.ops[a])) > std::abs(gap_change(report.ops[b]));
  });
  return ops;
}

}  // namespace ttscope::diff
