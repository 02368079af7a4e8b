#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "gate/budget.h"

namespace ttscope::gate {

/// A value of a budgets file, whatever its type there.
struct WrittenValue {
  std::optional<bool> flag{};
  std::optional<double> number{};
  std::optional<std::string> text{};
};

/// The figure whose key this is, alone or with a unit behind it (`wall_us`); null: none. `unit` is then the
/// unit of the key, empty where it has none.
const BudgetFigure* find_figure(Section section, Scope scope, std::string_view key, std::string_view& unit);

/// The bound that a value means: its kind and value. The error says what would be right, without a place.
Result<Bound> read_bound(const BudgetFigure& figure, std::string_view key_unit, const WrittenValue& value);

}  // namespace ttscope::gate
