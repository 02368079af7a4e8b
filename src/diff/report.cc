#include "diff/report.h"

#include <array>

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
  constexpr std::array<std::string_view, 5> kKeys = {"setting", "repeats", "empty", "partial", "other"};
  return kKeys[static_cast<std::size_t>(what)];
}

double DiffReport::cost_change() const {
  double sum = 0;
  for (const DiffOp& op : ops) sum += op.change();
  return sum;
}

}  // namespace ttscope::diff
