#include "perf/analyse/path/run_graph.h"

#include <algorithm>

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
    meetings_.resize(graph_.arrivals_.size());
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      const double start_ns = ops_of(i).front().start_ns;
      states_[i].measured_frontier_ns = start_ns;
      states_[i].frontier_ns = limited(change_.most_start_us, i, start_ns);
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
  struct Meeting {
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
  static double limited(const std::vector<float>& most_us, std::size_t at, double ns) {
    if (most_us.empty()) return ns;
    const double most_ns = static_cast<double>(most_us[at]) * 1000;
    return most_ns < ns ? most_ns : ns;
  }
  double start_of(LaneState& state, const TimedOp& op) const {
    // Nothing is known of the gaps before ops that were not seen.
    const double measured_ns = op.start_ns - state.measured_frontier_ns;
    const double gap_ns = op.is_absent ? measured_ns : limited(change_.most_gap_us, op.row, measured_ns);
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
  double end_of_collective(const LaneState& state, const TimedOp& op, const Meeting& meeting) const {
    const double behind_last_ns = op.end_ns - graph_.arrivals_[op.collective].last_ns;
    if (behind_last_ns <= 0)
      return state.arrived_ns + limited(change_.most_us, op.row, op.end_ns - op.start_ns);
    return meeting.last_ns + limited(change_.most_us, op.row, behind_last_ns);
  }

  bool advance(std::size_t lane) {
    LaneState& state = states_[lane];
    const std::vector<TimedOp>& ops = ops_of(lane);
    const std::size_t before = state.next;
    bool came = false;
    while (state.next < ops.size()) {
      const TimedOp& op = ops[state.next];
      if (op.collective == kNone) {
        finish(state, op, start_of(state, op) + limited(change_.most_us, op.row, op.end_ns - op.start_ns));
        continue;
      }
      Meeting& meeting = meetings_[op.collective];
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
  std::vector<Meeting> meetings_;
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

}  // namespace ttscope::perf
