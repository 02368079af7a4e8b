#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/figure.h"

namespace ttscope::gate {

/// How a bound is given.
enum class BoundKind : std::uint8_t {
  kMost,        ///< at most this
  kShare,       ///< at most this part of the whole: 0.9
  kRelative,    ///< at most the baseline and this part of it more: 0.03; below 0: it must be less
  kDifference,  ///< at most the baseline and this much more
  kMustBe,      ///< of flags: 1 or 0
};

/// One line of a budgets file.
struct Bound {
  const BudgetFigure* figure = nullptr;  ///< of all_figures()
  std::string name;                      ///< of the op or the layer; empty: of the run
  BoundKind kind = BoundKind::kMost;
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

}  // namespace ttscope::gate
