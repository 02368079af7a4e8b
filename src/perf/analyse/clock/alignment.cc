#include "perf/analyse/clock/alignment.h"

#include <algorithm>
#include <unordered_map>

namespace ttscope::perf {
namespace {

double median_of_offsets(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void shift(DeviceLane& lane, double by_ns) {
  for (TimedOp& op : lane.ops) {
    op.start_ns += by_ns;
    op.end_ns += by_ns;
  }
}

/// Brings lanes to the clock of those that are already on it.
class LaneAligner {
 public:
  LaneAligner(const ClockInput& input, RunClock& clock) : in_(input), clock_(clock) {
    is_aligned_.resize(clock.lanes.size());
  }

  void align() {
    if (!align_by_sync()) is_aligned_[longest_lane()] = true;
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i)
      if (is_aligned_[i]) learn(clock_.lanes[i]);
    // Whoever meets a lane that has just been aligned goes by that: rows of a mesh that never meet are
    // brought together by one device each.
    while (join(ClockBasis::kCollectives) || join(ClockBasis::kSharedOps) || join_by_host()) {
    }
    double first = clock_.lanes.front().ops.front().start_ns;
    for (const DeviceLane& lane : clock_.lanes) first = std::min(first, lane.ops.front().start_ns);
    for (DeviceLane& lane : clock_.lanes) shift(lane, -first);
  }

 private:
  /// Clocks that were synchronised with the host's need nothing else. False: not even two were.
  bool align_by_sync() {
    std::vector<std::size_t> known;
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i) {
      const std::int32_t device = clock_.lanes[i].device;
      if (device >= 0 && in_.table.sync.contains(static_cast<std::uint32_t>(device))) known.push_back(i);
    }
    if (known.size() < 2) return false;
    for (const std::size_t i : known) {
      DeviceLane& lane = clock_.lanes[i];
      const DeviceClockLine& line = in_.table.sync.at(static_cast<std::uint32_t>(lane.device));
      lane.cycles_per_ns = line.cycles_per_ns;
      for (TimedOp& op : lane.ops) {
        op.start_ns = line.ns_at(in_.table.rows[op.row].fw_start_cycle);
        op.end_ns = line.ns_at(in_.table.rows[op.row].fw_end_cycle);
      }
      measure_lane(lane);
      is_aligned_[i] = true;
    }
    clock_.basis = ClockBasis::kSync;
    return true;
  }

  std::size_t longest_lane() const {
    std::size_t longest = 0;
    for (std::size_t i = 1; i < clock_.lanes.size(); ++i) {
      if (clock_.lanes[i].ops.size() > clock_.lanes[longest].ops.size()) longest = i;
    }
    return longest;
  }

  /// What both lanes have in common, and when: the end of a collective, or the start of an op.
  std::uint32_t key_of_op(const TimedOp& op, ClockBasis basis) const {
    if (basis == ClockBasis::kCollectives) return op.collective;
    return in_.groups.empty() || op.collective != kNone ? kNone : in_.groups[op.row];
  }
  static double time_of(const TimedOp& op, ClockBasis basis) {
    return basis == ClockBasis::kCollectives ? op.end_ns : op.start_ns;
  }

  void learn(const DeviceLane& lane) {
    for (const ClockBasis basis : {ClockBasis::kCollectives, ClockBasis::kSharedOps}) {
      for (const TimedOp& op : lane.ops) {
        const std::uint32_t key = key_of_op(op, basis);
        if (key != kNone) known_of(basis).try_emplace(key, time_of(op, basis));
      }
    }
  }
  std::unordered_map<std::uint32_t, double>& known_of(ClockBasis basis) {
    return basis == ClockBasis::kCollectives ? known_ends_ns_ : known_starts_ns_;
  }
  void add(std::size_t lane, double offset_ns, ClockBasis basis) {
    shift(clock_.lanes[lane], offset_ns);
    is_aligned_[lane] = true;
    if (clock_.basis == ClockBasis::kNone) clock_.basis = basis;
    learn(clock_.lanes[lane]);
  }

  /// Adds the first lane that has something in common with those that are aligned.
  bool join(ClockBasis basis) {
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i) {
      if (is_aligned_[i]) continue;
      std::vector<double> offsets;
      for (const TimedOp& op : clock_.lanes[i].ops) {
        const auto found = known_of(basis).find(key_of_op(op, basis));
        if (found != known_of(basis).end()) offsets.push_back(found->second - time_of(op, basis));
      }
      if (offsets.empty()) continue;
      add(i, median_of_offsets(offsets), basis);
      return true;
    }
    return false;
  }

  /// The earliest that the host allows: no op begins before it was sent. Replayed ops carry the time of their
  /// capture and tell nothing.
  double host_offset(const DeviceLane& lane) const {
    double offset = kNoNumber;
    for (const TimedOp& op : lane.ops) {
      const OpRow& row = in_.table.rows[op.row];
      if (!has_number(row.host_start_ns) || has_number(static_cast<double>(row.replay_session))) continue;
      const double least = row.host_start_ns - op.start_ns;
      if (!has_number(offset) || least > offset) offset = least;
    }
    return offset;
  }

  bool join_by_host() {
    double base = kNoNumber;
    for (std::size_t i = 0; i < clock_.lanes.size() && !has_number(base); ++i) {
      if (is_aligned_[i]) base = host_offset(clock_.lanes[i]);
    }
    for (std::size_t i = 0; i < clock_.lanes.size(); ++i) {
      if (is_aligned_[i]) continue;
      const double offset = host_offset(clock_.lanes[i]) - base;
      if (!has_number(offset)) continue;
      add(i, offset, ClockBasis::kHost);
      return true;
    }
    return false;
  }

  const ClockInput& in_;
  RunClock& clock_;
  std::vector<bool> is_aligned_;
  std::unordered_map<std::uint32_t, double> known_ends_ns_;    ///< of collectives, on the clock of the run
  std::unordered_map<std::uint32_t, double> known_starts_ns_;  ///< of groups
};

}  // namespace

void align_lanes(const ClockInput& input, RunClock& clock) { LaneAligner(input, clock).align(); }

}  // namespace ttscope::perf
