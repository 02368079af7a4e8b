#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mem/model/runtime_trace.h"

namespace ttscope::mem {

/// The measured side of a rank: states before ops and which change can only be one op's.
class MeasuredCurve {
 public:
  explicit MeasuredCurve(const RankTrace& rank);

  /// Allocated bytes per bank before op `i`, if its block was printed with every view that this log has.
  std::optional<PerTensorMemory> before(std::uint32_t op) const;
  /// Change from before op `i` to before op `i + 1` when nothing but op `i` happened in between.
  std::optional<PerTensorMemory> change_by(std::uint32_t op) const;

 private:
  const RankTrace& rank_;
  std::uint8_t views_seen_ = 0;  ///< tensor memories of which any view was printed
  std::vector<bool>
      boundary_before_;  ///< [op]: a program starts or ends, or a submit block stands, right before it
};

}  // namespace ttscope::mem
