#include "perf/analyze/critical_path.h"

#include <algorithm>
#include <array>

namespace ttscope::perf {
namespace {

std::vector<TimedOp> with_absent(const DeviceLane& lane) {
  std::vector<TimedOp> ops;
  ops.reserve(lane.ops.size() + lane.absent.size());
  auto next = lane.absent.begin();
  for (std::uint32_t i = 0; i < lane.ops.size(); ++i) {
    for (; next != lane.absent.end() && next->before == i; ++next) ops.push_back(next->op);
    ops.push_back(lane.ops[i]);
  }
  return ops;
}

}  // namespace

/// Runs the graph once more, lane after lane, each as far as its collectives allow.
class GraphReplay {
 public:
  GraphReplay(const RunGraph& graph, const ReplayChange& change)
      : graph_(graph), lanes_(graph.clock_.lanes), change_(change) {}

  double run_ns() {
    states_.resize(lanes_.size());
    collective_states_.resize(graph_.arrivals_.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const double start_ns = ops_of(i).front().start_ns;
      states_[i].measured_frontier_ns = start_ns;
      states_[i].frontier_ns = limited(change_.max_start_us, i, start_ns);
      states_[i].first_seen = graph_.first_seen(static_cast<std::uint32_t>(i));
    }
    for (bool moves = true; moves;) {
      moves = false;
      for (std::size_t i = 0; i < lanes_.size(); ++i) moves = advance(i) || moves;
      // Devices that take part in collectives in different orders would wait for ever; the run did not.
      if (!moves && !all_done()) moves = is_stuck_ = true;
    }
    double wall = 0;
    for (const LaneState& state : states_) wall = std::max(wall, state.frontier_ns - state.begin_ns);
    return wall;
  }

 private:
  struct LaneState {
    std::size_t next = 0;
    std::size_t first_seen = 0;       ///< the wall begins with this op
    double begin_ns = 0;              ///< when that is
    double frontier_ns = 0;           ///< the device is done with all ops before
    double measured_frontier_ns = 0;  ///< when that was in the run
    bool is_waiting = false;          ///< it has come to the collective that is next
    double arrived_ns = 0;
  };
  struct CollectiveState {
    double last_ns = 0;
    std::uint32_t arrived = 0;
  };

  const std::vector<TimedOp>& ops_of(std::size_t lane) const {
    return graph_.ops_of(static_cast<std::uint32_t>(lane));
  }
  bool all_done() const {
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      if (states_[i].next < ops_of(i).size()) return false;
    return true;
  }
  static double limited(const std::vector<float>& max_us, std::size_t at, double ns) {
    if (max_us.empty()) return ns;
    const double max_ns = static_cast<double>(max_us[at]) * 1000;
    return max_ns < ns ? max_ns : ns;
  }
  double start_of(LaneState& state, const TimedOp& op) const {
    // Nothing is known of the gaps before ops that were not seen.
    const double measured_ns = op.start_ns - state.measured_frontier_ns;
    const double gap_ns = op.is_absent ? measured_ns : limited(change_.max_gap_us, op.row, measured_ns);
    const double start_ns = state.frontier_ns + gap_ns;
    if (state.next == state.first_seen) state.begin_ns = start_ns;
    return start_ns;
  }
  static void finish(LaneState& state, const TimedOp& op, double end_ns) {
    state.frontier_ns = std::max(state.frontier_ns, end_ns);
    state.measured_frontier_ns = std::max(state.measured_frontier_ns, op.end_ns);
    state.is_waiting = false;
    ++state.next;
  }

  /// The end of a collective on one device once all have come. A device that left before the last one came
  /// did not wait for it.
  double end_of_collective(const LaneState& state, const TimedOp& op, const CollectiveState& meeting) const {
    const double after_last_ns = op.end_ns - graph_.arrivals_[op.collective].last_ns;
    if (after_last_ns <= 0)
      return state.arrived_ns + limited(change_.max_us, op.row, op.end_ns - op.start_ns);
    return meeting.last_ns + limited(change_.max_us, op.row, after_last_ns);
  }

  bool advance(std::size_t lane) {
    LaneState& state = states_[lane];
    const std::vector<TimedOp>& ops = ops_of(lane);
    const std::size_t before = state.next;
    bool came = false;
    while (state.next < ops.size()) {
      const TimedOp& op = ops[state.next];
      if (op.collective == kNone) {
        finish(state, op, start_of(state, op) + limited(change_.max_us, op.row, op.end_ns - op.start_ns));
        continue;
      }
      CollectiveState& meeting = collective_states_[op.collective];
      if (!state.is_waiting) {
        state.is_waiting = came = true;
        state.arrived_ns = start_of(state, op);
        meeting.last_ns =
            meeting.arrived++ == 0 ? state.arrived_ns : std::max(meeting.last_ns, state.arrived_ns);
      }
      if (meeting.arrived < graph_.arrivals_[op.collective].devices && !is_stuck_) break;
      is_stuck_ = false;
      finish(state, op, end_of_collective(state, op, meeting));
    }
    return came || state.next > before;
  }

  const RunGraph& graph_;
  const std::vector<DeviceLane>& lanes_;
  const ReplayChange& change_;
  std::vector<LaneState> states_;
  std::vector<CollectiveState> collective_states_;
  bool is_stuck_ = false;
};

RunGraph::RunGraph(const RunClock& clock)
    : clock_(clock), whole_lanes_(clock.lanes.size()), arrivals_(clock.collectives) {
  for (std::uint32_t lane = 0; lane < clock.lanes.size(); ++lane) {
    const DeviceLane& seen = clock.lanes[lane];
    if (!seen.absent.empty()) whole_lanes_[lane] = with_absent(seen);
  }
  for (std::uint32_t lane = 0; lane < clock.lanes.size(); ++lane) {
    const std::vector<TimedOp>& ops = ops_of(lane);
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i].collective == kNone) continue;
      Arrival& arrival = arrivals_[ops[i].collective];
      if (arrival.devices++ == 0 || ops[i].start_ns > arrival.last_ns) {
        arrival.last_ns = ops[i].start_ns;
        arrival.last = {lane, i};
      }
    }
  }
}

std::uint32_t RunGraph::first_seen(std::uint32_t lane) const {
  std::uint32_t first = 0;
  while (ops_of(lane)[first].is_absent) ++first;
  return first;
}

double RunGraph::replay_ns(const ReplayChange& change) const { return GraphReplay(*this, change).run_ns(); }

std::uint32_t RunGraph::longest_lane() const {
  std::uint32_t longest = 0;
  for (std::uint32_t i = 1; i < clock_.lanes.size(); ++i) {
    if (clock_.lanes[i].wall_ns > clock_.lanes[longest].wall_ns) longest = i;
  }
  return longest;
}

double RunGraph::wall_ns() const { return clock_.lanes.empty() ? 0 : clock_.lanes[longest_lane()].wall_ns; }

namespace {

/// Walks from the end of the longest device back to its start.
class PathWalker {
 public:
  explicit PathWalker(const RunGraph& graph) : graph_(graph), lanes_(graph.clock().lanes) {
    frontiers_.resize(lanes_.size());
  }

  CriticalPath walk() {
    CriticalPath path;
    if (lanes_.empty()) return path;
    const std::uint32_t longest = graph_.longest_lane();
    path.device = lanes_[longest].device;
    path.wall_us = lanes_[longest].wall_ns / 1000;
    begin_ns_ = lanes_[longest].ops.front().start_ns;
    at_ns_ = begin_ns_ + lanes_[longest].wall_ns;
    place_ = {longest, last_before(longest, at_ns_)};
    while (at_ns_ > begin_ns_ && step()) {
    }
    std::reverse(parts_.begin(), parts_.end());
    path.parts = std::move(parts_);
    return path;
  }

 private:
  /// For each op of a lane the one before it that ended last: the device was busy until then.
  const std::vector<std::uint32_t>& frontier_of(std::uint32_t lane) {
    std::vector<std::uint32_t>& before = frontiers_[lane];
    if (!before.empty()) return before;
    const std::vector<TimedOp>& ops = graph_.ops_of(lane);
    before.resize(ops.size(), kNone);
    std::uint32_t last = 0;
    for (std::uint32_t i = 1; i < ops.size(); ++i) {
      before[i] = last;
      if (ops[i].end_ns > ops[last].end_ns) last = i;
    }
    return before;
  }
  /// The op of a lane that ended last.
  std::uint32_t last_before(std::uint32_t lane, double ns) const {
    const std::vector<TimedOp>& ops = graph_.ops_of(lane);
    std::uint32_t last = 0;
    for (std::uint32_t i = 0; i < ops.size(); ++i) {
      if (ops[i].end_ns > ops[last].end_ns && ops[i].end_ns <= ns) last = i;
    }
    return last;
  }
  void add(PathPartKind kind, double from_ns) {
    from_ns = std::max(from_ns, begin_ns_);
    if (from_ns >= at_ns_) return;
    const std::int32_t device = lanes_[place_.lane].device;
    const std::uint32_t row = kind == PathPartKind::kGap ? row_after_gap() : op_at(place_).row;
    const double us = (at_ns_ - from_ns) / 1000;
    at_ns_ = from_ns;
    const bool goes_on = kind == PathPartKind::kGap && !parts_.empty() && parts_.back().kind == kind &&
                         parts_.back().row == row && parts_.back().device == device;
    if (goes_on) {
      parts_.back().us += us;
    } else {
      parts_.push_back({device, row, kind, us, false});
    }
  }
  const TimedOp& op_at(const GraphNode& place) const { return graph_.ops_of(place.lane)[place.index]; }
  /// What the device was not seen to do is a gap before the next op that it was.
  std::uint32_t row_after_gap() const {
    GraphNode place = place_;
    while (op_at(place).is_absent && place.index + 1 < graph_.ops_of(place.lane).size()) ++place.index;
    return op_at(place).row;
  }

  /// Goes on from the end of one op to that of the one which it waited for; false: there is none.
  bool step() {
    const TimedOp& op = op_at(place_);
    const std::uint32_t before = frontier_of(place_.lane)[place_.index];
    const double own_frontier = before == kNone ? op.start_ns : op_at({place_.lane, before}).end_ns;
    if (op.collective != kNone) {
      const double last_ns = graph_.last_arrival_ns(op.collective);
      const bool has_waited = op.end_ns > last_ns && last_ns > std::max(op.start_ns, own_frontier);
      add(PathPartKind::kCollective, has_waited ? last_ns : std::max(op.start_ns, own_frontier));
      if (has_waited) {
        place_ = graph_.last_to_arrive(op.collective);
        return move_to_previous_op();
      }
    } else {
      add(op.is_absent ? PathPartKind::kGap : PathPartKind::kOp, std::max(op.start_ns, own_frontier));
    }
    return move_to_previous_op();
  }

  /// From the start of the op at `place_` to the end of the op before it.
  bool move_to_previous_op() {
    const std::uint32_t before = frontier_of(place_.lane)[place_.index];
    if (before == kNone) {
      // The device began later than the one that took longest.
      add(PathPartKind::kGap, begin_ns_);
      return false;
    }
    add(PathPartKind::kGap, std::min(at_ns_, op_at({place_.lane, before}).end_ns));
    place_.index = before;
    return true;
  }

  const RunGraph& graph_;
  const std::vector<DeviceLane>& lanes_;
  std::vector<std::vector<std::uint32_t>> frontiers_;  ///< by lane; made when the path comes there
  GraphNode place_;
  double begin_ns_ = 0;
  double at_ns_ = 0;  ///< all behind it is in parts_
  std::vector<PathPart> parts_;
};

}  // namespace

std::string_view key_of(PathPartKind kind) {
  constexpr std::array<std::string_view, 3> kKeys = {"op", "collective", "gap"};
  return kKeys[static_cast<std::size_t>(kind)];
}

double CriticalPath::compile_us() const {
  double sum = 0;
  for (const PathPart& part : parts) sum += part.is_compile ? part.us : 0;
  return sum;
}

CriticalPath find_critical_path(const RunGraph& graph) { return PathWalker(graph).walk(); }

}  // namespace ttscope::perf
