#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

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

/// How a bound is given.
enum class BoundKind : std::uint8_t {
  kAtMost,      ///< at most this
  kShare,       ///< at most this part of the whole: 0.9
  kRelative,    ///< at most the baseline and this part of it more: 0.03; below 0: it must be less
  kDifference,  ///< at most the baseline and this much more
  kMustBe,      ///< of flags: 1 or 0
};

/// One line of a budgets file.
struct Bound {
  const BudgetFigure* figure = nullptr;  ///< of all_figures()
  std::string name;                      ///< of the op or the layer; empty: of the run
  BoundKind kind = BoundKind::kAtMost;
  double value = 0;     ///< in the unit of the figure, or a part
  std::string written;  ///< the value as the file has it
  std::uint32_t line = 0;

  bool needs_baseline() const { return kind == BoundKind::kRelative || kind == BoundKind::kDifference; }
  /// `memory.dram_peak`, `time.ops.Matmul.device`.
  std::string path() const;
};

/// A budgets file (docs/gate.md).
struct Budget {
  std::string path;
  std::vector<std::string> baseline;  ///< as written; from the folder of the file
  std::vector<Bound> bounds;          ///< in the order of the file
};

/// Reads a budgets file. All that is wrong with it is in the error, a line each: `budgets.toml:3: ...`.
Result<Budget> read_budget(const std::string& path, std::string_view text);

}  // namespace ttscope::gate
