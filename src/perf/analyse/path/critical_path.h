#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/analyse/path/run_graph.h"

namespace ttscope::perf {

enum class PathPartKind : std::uint8_t { kOp, kCollective, kGap };
std::string_view key_of(PathPartKind kind);

/// A stretch of the path that decides how long the run takes.
struct PathPart {
  std::int32_t device = -1;
  std::uint32_t row = 0;  ///< in OpsReport::rows; of a gap the op behind it
  PathPartKind kind = PathPartKind::kOp;
  double us = 0;
  bool is_compile = false;  ///< a gap in which programs were made: in no percentage
};

/// From the start of the device that took longest to its end, part after part without a hole: they add up to
/// its wall. Where a collective waited for a late device, the path goes on there.
struct CriticalPath {
  std::int32_t device = -1;  ///< that took longest
  double wall_us = kNoNumber;
  std::vector<PathPart> parts;

  double compile_us() const;
  /// What shares of the path are of.
  double counted_us() const { return wall_us - compile_us(); }
};

CriticalPath find_critical_path(const RunGraph& graph);

}  // namespace ttscope::perf
