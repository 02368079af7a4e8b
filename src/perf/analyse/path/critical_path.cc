#include "perf/analyse/path/critical_path.h"

#include <algorithm>
#include <array>

namespace ttscope::perf {
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
    const std::uint32_t row = kind == PathPartKind::kGap ? row_behind_gap() : op_at(place_).row;
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
  const TimedOp& op_at(const GraphPlace& place) const { return graph_.ops_of(place.lane)[place.index]; }
  /// What the device was not seen to do is a gap before the next op that it was.
  std::uint32_t row_behind_gap() const {
    GraphPlace place = place_;
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
        return leave_for_op_before();
      }
    } else {
      add(op.is_absent ? PathPartKind::kGap : PathPartKind::kOp, std::max(op.start_ns, own_frontier));
    }
    return leave_for_op_before();
  }

  /// From the start of the op at `place_` to the end of the op before it.
  bool leave_for_op_before() {
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
  GraphPlace place_;
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
