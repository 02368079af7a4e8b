#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace ttscope::gate {

/// What a figure is measured in. Times are in µs.
enum class Quantity : std::uint8_t { kTime, kBytes, kCount, kFlag };
std::string_view name_of(Quantity quantity);
/// The unit of values: `us`, `bytes`, `count` or `flag`.
std::string_view unit_of(Quantity quantity);

enum class Section : std::uint8_t { kMemory, kTime };
/// `memory` or `time`: a table of budgets files.
std::string_view name_of(Section section);

/// What a figure is of: the whole run, all ops of a name, or all ops of a layer.
enum class Scope : std::uint8_t { kRun, kOp, kLayer };

/// A figure that budgets may bound. All are declared in figure.cc.
struct BudgetFigure {
  Section section = Section::kMemory;
  Scope scope = Scope::kRun;
  std::string_view key;    ///< in its table of the budgets file
  std::string_view total;  ///< kRun: the total of a run that it is (diff::RunTotal); else what is added up
  Quantity quantity = Quantity::kBytes;
  std::string_view whole;  ///< what a share without a sign is a share of; empty: it has none
};

const std::vector<BudgetFigure>& all_figures();

}  // namespace ttscope::gate
