#include "perf/analyze/advice.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <string>

#include "perf/analyze/advice_candidates.h"
#include "perf/analyze/critical_path.h"
#include "perf/analyze/op_groups.h"

namespace ttscope::perf {
namespace {

/// Of the counted time: less is not worth a line.
constexpr double kMinShare = 0.005;
constexpr double kWarningShare = 0.02;
constexpr double kCriticalShare = 0.15;

/// The clock of a report without cycles: its rows one after the other, as their times and gaps say.
RunClock clock_of_sums(const ShownOps& ops) {
  RunClock clock;
  DeviceLane lane;
  double at_ns = 0;
  for (const ShownOp& row : ops.rows) {
    if (row.is_signpost || row.is_host || !has_number(row.device_us)) continue;
    const double start = at_ns + (has_number(row.gap_us) ? row.gap_us * 1000 : 0);
    at_ns = start + row.device_us * 1000;
    lane.ops.push_back({row.row, kNone, start, at_ns});
  }
  if (lane.ops.empty()) return clock;
  measure_lane(lane);
  clock.lanes.push_back(std::move(lane));
  return clock;
}

/// Replays the run with changes, and takes those that bring something.
class AdviceRanker {
 public:
  explicit AdviceRanker(const AdviceInput& input)
      : in_(input),
        sums_(input.ops.clock.is_known() ? RunClock() : clock_of_sums(input.ops)),
        graph_(input.ops.clock.is_known() ? input.ops.clock : sums_) {}

  std::vector<OpAdvice> rank() {
    std::vector<OpAdvice> found;
    if (graph_.clock().lanes.empty() || !(in_.ops.counted_us() > 0)) return found;
    std::vector<AdviceCandidate> candidates = worthwhile();
    if (candidates.empty()) return found;
    change_.max_us.assign(in_.table.rows.size(), std::numeric_limits<float>::quiet_NaN());
    change_.max_gap_us = change_.max_us;
    change_.max_start_us.assign(graph_.clock().lanes.size(), std::numeric_limits<float>::quiet_NaN());
    close_compile_gaps();
    // Without compiling a device can be last that was not: what is not counted is nobody's gain.
    const double base_ns = std::min(graph_.replay_ns(change_), in_.ops.counted_us() * 1000);
    wall_ns_ = base_ns;
    for (AdviceCandidate& candidate : candidates) candidate.advice.gain_us = gain_now_us(candidate);
    merge_devices_that_hide_each_other(candidates);
    keep_largest(candidates);
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.advice.gain_us > b.advice.gain_us; });
    apply_by_priority(candidates, found);
    std::stable_sort(found.begin(), found.end(), [](const OpAdvice& a, const OpAdvice& b) {
      return a.is_after_others != b.is_after_others ? b.is_after_others : a.gain_us > b.gain_us;
    });
    return found;
  }

 private:
  struct Undo {
    float* limit = nullptr;
    float value = 0;
  };

  static constexpr int kTurns = 3;
  /// Devices that are slower than others and gaps are measured: what a model says of an op counts only what
  /// is left. What is said of one conversion goes before what is said of all of them.
  static int priority_of(AdviceCause cause) {
    switch (cause) {
      case AdviceCause::kSlowDevice:
      case AdviceCause::kUnevenDevices:
      case AdviceCause::kLateStart:
      case AdviceCause::kHostLate:
      case AdviceCause::kHostSync:
      case AdviceCause::kHostOps:
      case AdviceCause::kTraceGaps:
      case AdviceCause::kUnknownGaps:
        return 0;
      case AdviceCause::kConversions:
        return 2;
      default:
        return 1;
    }
  }

  double min_us() const { return in_.ops.counted_us() * kMinShare; }

  /// By how much the run becomes shorter with it, all else as it is now.
  double gain_now_us(const AdviceCandidate& candidate) {
    const std::vector<Undo> before = apply(candidate);
    const double changed_ns = graph_.replay_ns(change_);
    revert(before);
    return (wall_ns_ - changed_ns) / 1000;
  }

  /// Adds the advice if the run with it is shorter by enough; else all is as before.
  bool take(AdviceCandidate& candidate, std::vector<OpAdvice>& found) {
    const std::vector<Undo> before = apply(candidate);
    const double changed_ns = graph_.replay_ns(change_);
    const double gain_us = (wall_ns_ - changed_ns) / 1000;
    if (gain_us < min_us()) {
      revert(before);
      return false;
    }
    wall_ns_ = changed_ns;
    if (!candidate.gaps.empty() && candidate.advice.device < 0)
      candidate.advice.device = waiting_device(candidate.gaps);
    candidate.advice.is_after_others = candidate.advice.gain_us + min_us() < gain_us;
    found.push_back(finished(std::move(candidate.advice), gain_us));
    return true;
  }

  /// A fix uncovers what was hidden behind it: a device that came second is the last one now. So all that is
  /// left is looked at again, until nothing more is found.
  void apply_by_priority(std::vector<AdviceCandidate>& candidates, std::vector<OpAdvice>& found) {
    std::vector<AdviceCandidate> left;
    for (int turn = 0; turn < kTurns; ++turn) {
      const auto later = std::stable_partition(candidates.begin(), candidates.end(), [&](const auto& one) {
        return priority_of(one.advice.cause) == turn;
      });
      std::vector<AdviceCandidate> now(std::make_move_iterator(candidates.begin()),
                                       std::make_move_iterator(later));
      candidates.erase(candidates.begin(), later);
      take_all(now, found);
      std::move(now.begin(), now.end(), std::back_inserter(left));
    }
    take_all(left, found);
  }

  /// All that bring something, one by one, then several devices together; those that do not are left.
  void take_all(std::vector<AdviceCandidate>& candidates, std::vector<OpAdvice>& found) {
    do {
      take_singles(candidates, found);
    } while (take_devices_together(candidates, found));
  }

  void take_singles(std::vector<AdviceCandidate>& candidates, std::vector<OpAdvice>& found) {
    const auto is_alone_worthwhile = [&](const AdviceCandidate& one) {
      return one.advice.gain_us >= min_us();
    };
    for (bool is_first = true, has_more = true; has_more; is_first = false) {
      std::vector<AdviceCandidate> left;
      for (AdviceCandidate& candidate : candidates) {
        const bool is_taken = (!is_first || is_alone_worthwhile(candidate)) && take(candidate, found);
        if (!is_taken) left.push_back(std::move(candidate));
      }
      // The first time looks at those that need no other.
      has_more = is_first || left.size() < candidates.size();
      candidates = std::move(left);
    }
  }

  /// Several devices that are slow at one op hide each other: hardly one of them gains anything alone, all
  /// together do. That is one cause.
  void merge_devices_that_hide_each_other(std::vector<AdviceCandidate>& candidates) {
    constexpr double kMinRemainingGain = 0.5;
    for (const std::vector<std::size_t>& places : slow_at_one_op(candidates)) {
      AdviceCandidate all = joined(candidates, places);
      double alone_us = 0;
      for (const std::size_t place : places) alone_us += std::max(0.0, candidates[place].advice.gain_us);
      all.advice.gain_us = gain_now_us(all);
      if (all.advice.gain_us < min_us() || alone_us > all.advice.gain_us * kMinRemainingGain) continue;
      candidates[places.front()] = std::move(all);
      for (std::size_t i = 1; i < places.size(); ++i) candidates[places[i]].ops.clear();
    }
    std::erase_if(candidates, [](const AdviceCandidate& one) {
      return one.advice.cause == AdviceCause::kSlowDevice && one.ops.empty();
    });
  }

  /// Places of devices that are slow at the same op, for each op that has several; those that are hardly slow
  /// beside the slowest are no part of it.
  std::vector<std::vector<std::size_t>> slow_at_one_op(const std::vector<AdviceCandidate>& candidates) const {
    constexpr double kMinShareOfSlowest = 0.25;
    std::map<std::string, std::vector<std::size_t>> by_op;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const OpAdvice& advice = candidates[i].advice;
      if (advice.cause != AdviceCause::kSlowDevice || !advice.more_devices.empty()) continue;
      by_op[distinct_name(in_.table, in_.ops.facts[advice.kind], in_.table.kinds[advice.kind])].push_back(i);
    }
    std::vector<std::vector<std::size_t>> found;
    for (auto& [name, places] : by_op) {
      double max_us = 0;
      for (const std::size_t place : places) max_us = std::max(max_us, candidates[place].max_us);
      std::erase_if(places,
                    [&](std::size_t at) { return candidates[at].max_us < max_us * kMinShareOfSlowest; });
      std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) {
        return candidates[a].advice.device < candidates[b].advice.device;
      });
      if (places.size() > 1) found.push_back(std::move(places));
    }
    return found;
  }
  static AdviceCandidate joined(const std::vector<AdviceCandidate>& candidates,
                                const std::vector<std::size_t>& places) {
    AdviceCandidate all = candidates[places.front()];
    for (std::size_t i = 1; i < places.size(); ++i) join_devices(candidates[places[i]], all);
    return all;
  }

  /// What was left because others hid it can be several devices together as well.
  bool take_devices_together(std::vector<AdviceCandidate>& candidates, std::vector<OpAdvice>& found) {
    for (const std::vector<std::size_t>& places : slow_at_one_op(candidates)) {
      AdviceCandidate all = joined(candidates, places);
      all.advice.gain_us = gain_now_us(all);
      if (!take(all, found)) continue;
      std::vector<std::size_t> taken = places;
      std::sort(taken.begin(), taken.end());
      for (std::size_t i = taken.size(); i-- > 0;)
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(taken[i]));
      return true;
    }
    return false;
  }
  /// Those that could bring enough, the largest first.
  std::vector<AdviceCandidate> worthwhile() const {
    std::vector<AdviceCandidate> candidates = find_candidates(in_);
    std::erase_if(candidates, [&](const AdviceCandidate& one) { return one.max_us < min_us(); });
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const AdviceCandidate& a, const AdviceCandidate& b) { return a.max_us > b.max_us; });
    // Of one op there can be as many as devices.
    keep_largest(candidates, 4);
    return candidates;
  }

  /// Each costs some replays of the whole run.
  void keep_largest(std::vector<AdviceCandidate>& candidates, std::size_t times = 1) const {
    constexpr std::size_t kMax = 60;
    constexpr std::size_t kMaxInLongRuns = 16;
    constexpr std::size_t kLongRun = 100'000;
    const std::size_t most = times * (in_.table.rows.size() > kLongRun ? kMaxInLongRuns : kMax);
    if (candidates.size() > most) candidates.resize(most);
  }

  /// What compiling takes is not counted, so nothing may hide behind it.
  void close_compile_gaps() {
    for (std::size_t row = 0; row < in_.ops.compile_rows.size(); ++row)
      if (in_.ops.compile_rows[row]) change_.max_gap_us[row] = 0;
  }

  std::vector<Undo> apply(const AdviceCandidate& candidate) {
    std::vector<Undo> before;
    const auto set = [&](float& limit, double us) {
      before.push_back({&limit, limit});
      limit = static_cast<float>(us);
    };
    for (const AdviceCandidate::NewTime& time : candidate.ops) {
      float& max_us = change_.max_us[time.row];
      const double target_us = candidate.is_removed ? 0 : limit_of(time);
      if (!(static_cast<double>(max_us) < target_us)) set(max_us, target_us);
      if (candidate.is_removed && is_launch(time.row)) set(change_.max_gap_us[time.row], 0);
    }
    for (const std::uint32_t row : candidate.gaps) set(change_.max_gap_us[row], kTypicalGapUs);
    for (const std::uint32_t lane : candidate.lanes) set(change_.max_start_us[lane], 0);
    return before;
  }
  /// Whether the gap before an op is only its launch, which goes where the op does.
  bool is_launch(std::uint32_t row) const { return in_.table.rows[row].op_to_op_ns <= kHighGapUs * 1000; }
  /// The firmware around the kernels stays.
  double limit_of(const AdviceCandidate::NewTime& time) const {
    const OpRow& row = in_.table.rows[time.row];
    const double around_us = (row.fw_duration_ns - row.kernel_duration_ns) / 1000;
    return static_cast<double>(time.kernel_us) + (in_.ops.clock.is_known() && around_us > 0 ? around_us : 0);
  }
  static void revert(const std::vector<Undo>& before) {
    for (std::size_t i = before.size(); i-- > 0;) *before[i].limit = before[i].value;
  }

  /// The device that has nearly all of what is too long in these gaps; -1: several, or there is only one.
  std::int32_t waiting_device(const std::vector<std::uint32_t>& gaps) const {
    constexpr double kMinWaitingShare = 0.9;
    const std::vector<DeviceLane>& lanes = in_.ops.clock.lanes;
    if (lanes.size() < 2) return -1;
    std::vector<bool> is_asked(in_.table.rows.size());
    for (const std::uint32_t row : gaps) is_asked[row] = true;
    double all_us = 0;
    double max_us = 0;
    std::int32_t device = -1;
    for (const DeviceLane& lane : lanes) {
      double lane_us = 0;
      double frontier_ns = lane.ops.front().start_ns;
      for (const TimedOp& op : lane.ops) {
        if (is_asked[op.row]) lane_us += std::max(0.0, (op.start_ns - frontier_ns) / 1000 - kTypicalGapUs);
        frontier_ns = std::max(frontier_ns, op.end_ns);
      }
      all_us += lane_us;
      if (lane_us <= max_us) continue;
      max_us = lane_us;
      device = lane.device;
    }
    return max_us >= all_us * kMinWaitingShare ? device : -1;
  }

  OpAdvice finished(OpAdvice advice, double gain_us) const {
    const double share = gain_us / in_.ops.counted_us();
    advice.gain_us = gain_us;
    // A replay of times that nobody measured cannot be surer than they are.
    if (in_.table.has_modeled_times()) advice.basis = GainBasis::kModeled;
    advice.severity = share >= kCriticalShare  ? Severity::kCritical
                      : share >= kWarningShare ? Severity::kWarning
                                               : Severity::kOk;
    return advice;
  }

  const AdviceInput& in_;
  RunClock sums_;
  RunGraph graph_;
  ReplayChange change_;
  double wall_ns_ = 0;  ///< of the run with all that was taken so far
};

}  // namespace

std::string_view key_of(GainBasis basis) {
  constexpr std::array<std::string_view, 3> kKeys = {"measured", "derived", "modelled"};
  return kKeys[static_cast<std::size_t>(basis)];
}

std::string_view key_of(LatencyBasis basis) {
  constexpr std::array<std::string_view, 3> kKeys = {"none", "shortest_of_run", "per_hop"};
  return kKeys[static_cast<std::size_t>(basis)];
}

std::string_view key_of(AdviceCause cause) {
  constexpr std::array<std::string_view, kAdviceCauseCount> kKeys = {
      "balance_devices",       "uneven_devices", "start_together", "use_trace",       "avoid_sync",
      "move_to_device",        "trace_gaps",     "unknown_gaps",   "op_below_peak",   "matmul_below_peak",
      "collective_below_peak", "few_cores",      "lower_fidelity", "slow_conversion", "view_costs_time",
      "keep_layouts"};
  return kKeys[static_cast<std::size_t>(cause)];
}

std::vector<OpAdvice> find_advice(const AdviceInput& input) { return AdviceRanker(input).rank(); }

}  // namespace ttscope::perf
