#pragma once

#include <cstdint>
#include <vector>

#include "diff/align/align_runs.h"
#include "diff/report.h"

namespace ttscope::diff {

/// Which items of both runs became which of DiffReport::ops.
struct PairedOps {
  const ItemAlignment& alignment;
  const std::vector<std::uint32_t>& op_of_before;
  const std::vector<std::uint32_t>& op_of_after;
};

/// Fills DiffReport::changes from its ops, which must be judged: neighbours that became others, ops that
/// moved, properties that changed, and costs that changed alone. Every op that is not `same` is in one of
/// them.
void add_changes(const PairedOps& pairs, DiffReport& report);

}  // namespace ttscope::diff
