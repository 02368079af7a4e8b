#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "gate/budget.h"

namespace ttscope::gate {

/// Reads a budgets file. All that is wrong with it is in the error, a line each: `budgets.toml:3: ...`.
Result<Budget> read_budget(const std::string& path, std::string_view text);

}  // namespace ttscope::gate
