#include "diff/report.h"

#include <algorithm>
#include <array>

#include "diff/run.h"

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

}  // namespace ttscope::diff
