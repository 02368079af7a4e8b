#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/clock/run_clock.h"

namespace ttscope::perf {

/// Which replays of traces are whole. A trace has the same ops each time: a replay with fewer of them on a
/// device is cut by an end of the window or of the recording, or lost markers.
class Replays {
 public:
  explicit Replays(const OpsReport& table);

  /// Whether a replay with so many ops on the device of `row`, which is one of them, lacks some.
  bool is_cut(std::uint32_t row, std::size_t ops) const;

  /// By row of the report: ops are missing between it and the one before it on its device. A gap there is the
  /// time of these ops, not a wait.
  std::vector<bool> find_holes(const RunClock& clock) const;

 private:
  const OpsReport& table_;
  std::vector<std::uint32_t> usual_ops_;  ///< by row of the report, of its trace on its device; 0: no replay
};

}  // namespace ttscope::perf
