#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// What the critical path has of one op on one device. Gaps are one sum on each device, and those of
/// compiling another one: which ops they stand before is a question of its own.
struct PathSum {
  double us = 0;
  std::uint64_t parts = 0;
  std::uint32_t kind = 0;  ///< of the last part
  std::int32_t device = -1;
  PathPartKind part = PathPartKind::kOp;
  bool is_compile = false;
};

/// The longest first.
std::vector<PathSum> path_sums(const OpsReport& table, const ShownOps& ops);

}  // namespace ttscope::perf
