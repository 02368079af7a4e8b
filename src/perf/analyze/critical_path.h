#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "perf/analyze/run_clock.h"

namespace ttscope::perf {

/// An op in the graph of the run, by lane and place in it.
struct GraphNode {
  std::uint32_t lane = kNone;
  std::uint32_t index = 0;
};

/// What would be different when the run is replayed. Empty lists: nothing.
struct ReplayChange {
  std::vector<float> max_us;      ///< by row of the report: the op takes no longer; NaN: as measured
  std::vector<float> max_gap_us;  ///< by row of the report: the device waits no longer before it
  /// By lane: the device begins no later, on the clock of the run.
  std::vector<float> max_start_us;
};

/// Ops, gaps and collectives of all devices as one graph: an op waits for the one before it on its device, a
/// collective for all devices that take part in it. Ops that the report lacks on a device are in it.
class RunGraph {
 public:
  explicit RunGraph(const RunClock& clock);

  /// Wall of the device that takes longest, in ns. Without a change that is the measured one.
  double replay_ns(const ReplayChange& change) const;
  double wall_ns() const;
  /// The lane with the largest wall.
  std::uint32_t longest_lane() const;

  /// When the last device came to a collective, and who it was.
  double last_arrival_ns(std::uint32_t collective) const { return arrivals_[collective].last_ns; }
  GraphNode last_to_arrive(std::uint32_t collective) const { return arrivals_[collective].last; }
  const RunClock& clock() const { return clock_; }
  /// Of a lane, in order, with those that the report lacks.
  const std::vector<TimedOp>& ops_of(std::uint32_t lane) const {
    return whole_lanes_[lane].empty() ? clock_.lanes[lane].ops : whole_lanes_[lane];
  }
  /// The first op of a lane that the report has: walls begin there.
  std::uint32_t first_seen(std::uint32_t lane) const;

 private:
  struct Arrival {
    double last_ns = 0;
    GraphNode last;
    std::uint32_t devices = 0;
  };
  friend class GraphReplay;

  const RunClock& clock_;
  std::vector<std::vector<TimedOp>> whole_lanes_;  ///< only of lanes that lack some
  std::vector<Arrival> arrivals_;                  ///< by collective
};

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
