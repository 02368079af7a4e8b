#include "perf/analyze/op_bounds.h"

#include <algorithm>
#include <cstdint>

namespace ttscope::perf {
namespace {

/// Which side of an op the other one waits for.
enum class LimitSide : std::uint8_t {
  kUnknown,    ///< neither clearly
  kComputing,  ///< data are there in time: compute limits
  kMoving,     ///< compute waits for data or for room: moving them limits
};

struct StallSide {
  LimitSide side = LimitSide::kUnknown;
  LimitModel model = LimitModel::kNone;  ///< kWaits or kZones
};

/// Of the kernel time: from here on compute mostly waits.
constexpr double kHighWaitShare = 0.5;
/// Of the kernel time: below it waiting is the filling of buffers at the start.
constexpr double kLowWaitShare = 0.25;
/// A side that was done in less than this share of the other's time did not hold it up.
constexpr double kDoneEarly = 0.5;

/// What a core waited of its kernel time on average; none where nobody can say. The reference writes the sum
/// over all cores: what is longer than the kernels can only be that, what is shorter may be either.
double share_of_wait(const OpsReport& table, double wait_us, double kernel_us, double cores) {
  if (!(wait_us >= 0) || !(kernel_us > 0)) return kNoNumber;
  const double share = wait_us / kernel_us;
  if (table.cb_waits_are_means || cores == 1) return share;
  if (share > 1) return cores > 1 ? share / cores : kNoNumber;
  return share < kLowWaitShare ? share : kNoNumber;
}

StallSide by_buffers(const OpsReport& table, const OpRow& row, double cores) {
  const double kernel_us = row.kernel_duration_ns / 1000;
  const double for_input = share_of_wait(table, static_cast<double>(row.cb_wait_us), kernel_us, cores);
  const double for_room = share_of_wait(table, static_cast<double>(row.cb_reserve_us), kernel_us, cores);
  if (for_input >= kHighWaitShare || for_room >= kHighWaitShare)
    return {LimitSide::kMoving, LimitModel::kWaits};
  // A wait that may be a sum or a mean is not a small one.
  const bool is_room_wait_small = !(row.cb_reserve_us >= 0) || for_room < kLowWaitShare;
  if (for_input < kLowWaitShare && is_room_wait_small) return {LimitSide::kComputing, LimitModel::kWaits};
  return {};
}

StallSide by_zones(const OpRow& row) {
  constexpr std::size_t kMovers = 2, kEthernet = 5;
  float moving_us = 0;
  float computing_us = 0;
  for (std::size_t i = 0; i < kEthernet; ++i) {
    float& side = i < kMovers ? moving_us : computing_us;
    if (row.risc_us[i] > side) side = row.risc_us[i];
  }
  if (!(moving_us > 0) || !(computing_us > 0) || row.risc_us[kEthernet] > 0) return {};
  if (static_cast<double>(moving_us) < static_cast<double>(computing_us) * kDoneEarly)
    return {LimitSide::kComputing, LimitModel::kZones};
  if (static_cast<double>(computing_us) < static_cast<double>(moving_us) * kDoneEarly)
    return {LimitSide::kMoving, LimitModel::kZones};
  return {};
}

/// Measured, of this execution: by waits for circular buffers where they were summed up, else by the zones of
/// its kernels, which tell when one side was done long before the other.
StallSide find_stall_side(const OpsReport& table, const OpRow& row, double cores) {
  const StallSide by_wait = by_buffers(table, row, cores);
  return by_wait.side == LimitSide::kUnknown ? by_zones(row) : by_wait;
}

/// The performance model writes 1 ns where it has nothing to say.
constexpr double kNoModelNs = 1;
/// Cores that start one after the other over this share of the kernel time: its launch is the op.
constexpr double kLaunchShare = 0.5;

/// How long each resource would be busy at its peak, and where that is known from.
struct Ideal {
  double us = 0;
  LimitModel model = LimitModel::kNone;
};

using Ideals = std::array<Ideal, kOpLimitCount>;

struct KindIdeals {
  Ideals ideals{};
  double all_cores_us = 0;
};

class BoundFinder {
 public:
  BoundFinder(const OpsReport& table, const ShownOps& ops)
      : report_(table), ops_(ops), by_kind_(ops.facts.size()) {
    for (std::size_t kind = 0; kind < by_kind_.size(); ++kind) by_kind_[kind] = ideals_of_kind(kind);
  }

  OpBound find(const ShownOp& shown) const;

 private:
  KindIdeals ideals_of_kind(std::size_t kind) const;
  double compute_us(const OpKind& kind, const KindFacts& facts) const;
  OpLimit remaining_limit(const OpRow& row) const;
  void take_measured(const ShownOp& shown, Ideals& ideals) const;
  OpBound bound_of(const ShownOp& shown) const;

  const OpsReport& report_;
  const ShownOps& ops_;
  std::vector<KindIdeals> by_kind_;  ///< from shapes and the performance model
};

Ideal& ideal_of(Ideals& ideals, OpLimit limit) { return ideals[static_cast<std::size_t>(limit)]; }

OpLimit largest_of(const Ideals& ideals) {
  const auto most = std::max_element(ideals.begin(), ideals.end(),
                                     [](const Ideal& a, const Ideal& b) { return a.us < b.us; });
  return most->us > 0 ? static_cast<OpLimit>(most - ideals.begin()) : OpLimit::kUnknown;
}

double BoundFinder::compute_us(const OpKind& kind, const KindFacts& facts) const {
  const double tflops = ops_.peaks.tflops_per_core(report_.text(kind.math_fidelity)) * facts.peak_cores;
  const double us = facts.flops / (tflops * 1e6);
  return us > 0 ? us : 0;
}

KindIdeals BoundFinder::ideals_of_kind(std::size_t index) const {
  const OpKind& kind = report_.kinds[index];
  const KindFacts& facts = ops_.facts[index];
  const DevicePeaks& peaks = ops_.peaks;
  KindIdeals result;
  const auto offer = [&](OpLimit limit, LimitModel model, double us) {
    if (us > 0) ideal_of(result.ideals, limit) = {us, model};
  };
  if (peaks.dram_gb_s > 0)
    offer(OpLimit::kDram, LimitModel::kShapes, facts.traffic.dram / peaks.dram_gb_s / 1e3);
  if (peaks.noc_gb_s_per_core > 0 && facts.cores > 0) {
    offer(OpLimit::kNoc, LimitModel::kShapes,
          facts.traffic.noc / (peaks.noc_gb_s_per_core * facts.cores) / 1e3);
  }
  if (peaks.link_gb_s > 0 && has_number(facts.link_bytes)) {
    offer(OpLimit::kLink, LimitModel::kShapes, facts.link_bytes / (peaks.link_gb_s * facts.links) / 1e3);
  }
  const OpLimit moving = largest_of(result.ideals);
  const double moving_us = moving == OpLimit::kUnknown ? 0 : ideal_of(result.ideals, moving).us;
  if (const double us = compute_us(kind, facts); us > 0) {
    offer(OpLimit::kCompute, LimitModel::kShapes, us);
    if (peaks.worker_cores > 0)
      result.all_cores_us = std::max(moving_us, us * facts.peak_cores / peaks.worker_cores);
  } else if (facts.category == OpCategory::kCompute && kind.pm_compute_ns > kNoModelNs) {
    offer(OpLimit::kCompute, LimitModel::kPm, kind.pm_compute_ns / 1000);
    // Without tensors only that model tells what the op moves: computing alone is no bound then.
    const bool has_tensors = kind.input_count + kind.output_count > 0;
    if (!has_tensors && kind.pm_bandwidth_ns > kNoModelNs)
      offer(OpLimit::kDram, LimitModel::kPm, kind.pm_bandwidth_ns / 1000);
  }
  if (largest_of(result.ideals) == OpLimit::kUnknown && kind.pm_bandwidth_ns > kNoModelNs) {
    offer(OpLimit::kDram, LimitModel::kPm, kind.pm_bandwidth_ns / 1000);
  }
  if (largest_of(result.ideals) == OpLimit::kUnknown && kind.pm_ideal_ns > kNoModelNs) {
    offer(kind.pm_compute_ns > kNoModelNs ? OpLimit::kCompute : OpLimit::kNoc, LimitModel::kPm,
          kind.pm_ideal_ns / 1000);
  }
  return result;
}

/// What brings the data of an op that waits for them.
OpLimit movement_limit(const KindFacts& facts) {
  if (facts.category == OpCategory::kCcl) return OpLimit::kLink;
  return facts.traffic.dram > 0 ? OpLimit::kDram : OpLimit::kNoc;
}

/// What is left where no model tells: an op without compute kernels moves data; one with them, whose tensors
/// stay where they are, computes. There is no ideal time then.
OpLimit BoundFinder::remaining_limit(const OpRow& row) const {
  const OpTraffic& traffic = ops_.facts[row.kind].traffic;
  const auto ran = [&](std::size_t risc) { return row.risc_us[risc] > 0; };
  constexpr std::size_t kFirstMover = 0, kFirstCompute = 2, kEthernet = 5;
  if (ran(kFirstCompute) || ran(kFirstCompute + 1) || ran(kFirstCompute + 2)) {
    const OpKind& kind = report_.kinds[row.kind];
    const bool stays = kind.input_count + kind.output_count > 0 && traffic.dram == 0 && traffic.noc == 0;
    return stays ? OpLimit::kCompute : OpLimit::kUnknown;
  }
  if (ran(kEthernet)) return OpLimit::kLink;
  if (!ran(kFirstMover) && !ran(kFirstMover + 1)) return OpLimit::kUnknown;
  return traffic.dram > 0 ? OpLimit::kDram : OpLimit::kNoc;
}

/// How long a resource really worked in this run replaces how long a model says that it should.
void BoundFinder::take_measured(const ShownOp& shown, Ideals& ideals) const {
  const OpRow& row = report_.rows[shown.row];
  const auto busy = [&](OpLimit limit, LimitModel model, float percent) {
    if (percent > 0)
      ideal_of(ideals, limit) = {shown.device_us * std::min<double>(percent, 100) / 100, model};
  };
  if (row.dram_util_percent > 0 || row.noc_util_percent > 0) {
    // tt-npe looked at all traffic of the run: what it does not see was not there. It is a simulation: what
    // was measured comes after it.
    ideal_of(ideals, OpLimit::kDram) = ideal_of(ideals, OpLimit::kNoc) = {};
    busy(OpLimit::kDram, LimitModel::kNpe, row.dram_util_percent);
    busy(OpLimit::kNoc, LimitModel::kNpe, row.noc_util_percent);
  }
  if (shown.row < report_.noc_core_bytes.size() && ops_.peaks.noc_gb_s_per_core > 0) {
    const auto bytes = static_cast<double>(report_.noc_core_bytes[shown.row]);
    if (bytes > 0)
      ideal_of(ideals, OpLimit::kNoc) = {bytes / ops_.peaks.noc_gb_s_per_core / 1e3, LimitModel::kNocTrace};
  }
  busy(OpLimit::kNoc, LimitModel::kCounters, row.noc_counter_percent);
  if (row.math_util_percent <= 100) busy(OpLimit::kCompute, LimitModel::kCounters, row.math_util_percent);
}

OpBound BoundFinder::bound_of(const ShownOp& shown) const {
  const OpRow& row = report_.rows[shown.row];
  const KindIdeals& of_kind = by_kind_[row.kind];
  Ideals ideals = of_kind.ideals;
  take_measured(shown, ideals);
  OpBound bound;
  const StallSide who = find_stall_side(report_, row, ops_.facts[row.kind].cores);
  if (who.side == LimitSide::kMoving) ideal_of(ideals, OpLimit::kCompute) = {};
  if (who.side == LimitSide::kComputing) {
    for (const OpLimit limit : {OpLimit::kDram, OpLimit::kNoc, OpLimit::kLink}) ideal_of(ideals, limit) = {};
  }
  bound.limit = largest_of(ideals);
  Ideal ideal = ideal_of(ideals, bound.limit);
  bound.refuted = ideal.us > shown.device_us;
  if (bound.refuted || bound.limit == OpLimit::kUnknown) {
    ideal = {};
    bound.limit = who.side == LimitSide::kComputing ? OpLimit::kCompute
                  : who.side == LimitSide::kMoving  ? movement_limit(ops_.facts[row.kind])
                                                    : remaining_limit(row);
    ideal.model = bound.limit == OpLimit::kUnknown ? LimitModel::kNone : LimitModel::kTimes;
  }
  bound.figure = ideal.model;
  bound.model = who.side == LimitSide::kUnknown ? ideal.model : who.model;
  bound.ideal_us = static_cast<float>(ideal.us);
  bound.percent = static_cast<float>(ideal.us / shown.device_us * 100);
  if (!bound.refuted) bound.all_cores_us = static_cast<float>(of_kind.all_cores_us);
  return bound;
}

OpBound BoundFinder::find(const ShownOp& shown) const {
  const OpRow& row = report_.rows[shown.row];
  if (shown.is_signpost) return {};
  if (shown.is_host) return {OpLimit::kHost, LimitModel::kTimes, 0, 0};
  if (!(shown.device_us > 0)) return {};
  OpBound bound = bound_of(shown);
  double dispatch_us = shown.gap_us > kHighGapUs && !is_compile_gap(shown) ? shown.gap_us - kTypicalGapUs : 0;
  if (row.first_to_last_start_ns > row.kernel_duration_ns * kLaunchShare) {
    dispatch_us += row.first_to_last_start_ns / 1000;
    if (bound.limit == OpLimit::kUnknown) bound = {OpLimit::kDispatch, LimitModel::kTimes};
  }
  bound.dispatch_us = static_cast<float>(dispatch_us);
  return bound;
}

}  // namespace

std::string_view key_of(OpLimit limit) {
  constexpr std::array<std::string_view, kOpLimitCount> kKeys = {"unknown", "compute",  "dram", "noc",
                                                                 "link",    "dispatch", "host"};
  return kKeys[static_cast<std::size_t>(limit)];
}

std::string_view key_of(LimitModel model) {
  constexpr std::array<std::string_view, kLimitModelCount> kKeys = {
      "none", "npe", "shapes", "pm", "times", "counters", "waits", "zones", "noc_trace"};
  return kKeys[static_cast<std::size_t>(model)];
}

bool is_measured(LimitModel model) {
  switch (model) {
    case LimitModel::kCounters:
    case LimitModel::kWaits:
    case LimitModel::kZones:
    case LimitModel::kNocTrace:
      return true;
    default:
      return false;
  }
}

OpBounds find_bounds(const OpsReport& table, const ShownOps& ops) {
  const BoundFinder finder(table, ops);
  OpBounds bounds;
  bounds.rows.reserve(ops.rows.size());
  for (const ShownOp& row : ops.rows) {
    bounds.rows.push_back(finder.find(row));
    if (row.is_signpost) continue;
    const OpBound& bound = bounds.rows.back();
    LimitTotal& total = bounds.totals[static_cast<std::size_t>(bound.limit)];
    total.device_us += has_number(row.device_us) ? row.device_us : 0;
    total.ideal_us += static_cast<double>(bound.ideal_us);
    ++total.rows;
    bounds.refuted += bound.refuted ? 1 : 0;
    bounds.measured += is_measured(bound.model) ? 1 : 0;
  }
  return bounds;
}

}  // namespace ttscope::perf
