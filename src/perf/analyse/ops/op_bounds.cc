#include "perf/analyse/ops/op_bounds.h"

#include <algorithm>

namespace ttscope::perf {
namespace {

/// The performance model writes 1 ns where it has nothing to say.
constexpr double kNoModelNs = 1;
/// An op cannot be faster than its bound.
constexpr double kRefutedPercent = 100;
/// Cores that start one after the other over this share of the kernel time: its launch is the op.
constexpr double kLaunchShare = 0.5;

struct Candidate {
  OpLimit limit = OpLimit::kUnknown;
  LimitModel model = LimitModel::kNone;
  double ideal_us = 0;
  double all_cores_us = 0;
};

class BoundFinder {
 public:
  BoundFinder(const OpsReport& table, const ShownOps& ops)
      : table_(table), ops_(ops), by_kind_(ops.facts.size()) {
    for (std::size_t kind = 0; kind < by_kind_.size(); ++kind) by_kind_[kind] = best_of_kind(kind);
  }

  OpBound find(const ShownOp& shown) const;

 private:
  Candidate best_of_kind(std::size_t kind) const;
  double compute_us(const ReportKind& kind, const KindFacts& facts) const;
  OpLimit what_is_left(const OpRow& row) const;
  static Candidate with_counters(const OpRow& row, double device_us, const Candidate& best);

  const OpsReport& table_;
  const ShownOps& ops_;
  std::vector<Candidate> by_kind_;  ///< from shapes and the performance model
};

double BoundFinder::compute_us(const ReportKind& kind, const KindFacts& facts) const {
  const double tflops = ops_.peaks.tflops_per_core(table_.text(kind.math_fidelity)) * facts.peak_cores;
  const double us = facts.flops / (tflops * 1e6);
  return us > 0 ? us : 0;
}

Candidate BoundFinder::best_of_kind(std::size_t index) const {
  const ReportKind& kind = table_.kinds[index];
  const KindFacts& facts = ops_.facts[index];
  const DevicePeaks& peaks = ops_.peaks;
  Candidate best;
  const auto offer = [&](OpLimit limit, LimitModel model, double ideal_us) {
    if (ideal_us > best.ideal_us) best = {limit, model, ideal_us, 0};
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
  const double without_compute_us = best.ideal_us;
  double all_cores_us = 0;
  if (const double us = compute_us(kind, facts); us > 0) {
    offer(OpLimit::kCompute, LimitModel::kShapes, us);
    if (peaks.worker_cores > 0)
      all_cores_us = std::max(without_compute_us, us * facts.peak_cores / peaks.worker_cores);
  } else if (facts.category == OpCategory::kCompute && kind.pm_compute_ns > kNoModelNs) {
    offer(OpLimit::kCompute, LimitModel::kPm, kind.pm_compute_ns / 1000);
  }
  if (best.limit == OpLimit::kUnknown && kind.pm_bandwidth_ns > kNoModelNs) {
    offer(OpLimit::kDram, LimitModel::kPm, kind.pm_bandwidth_ns / 1000);
  }
  if (best.limit == OpLimit::kUnknown && kind.pm_ideal_ns > kNoModelNs) {
    offer(kind.pm_compute_ns > kNoModelNs ? OpLimit::kCompute : OpLimit::kNoc, LimitModel::kPm,
          kind.pm_ideal_ns / 1000);
  }
  best.all_cores_us = all_cores_us;
  return best;
}

/// What is left where no model tells: an op without compute kernels moves data; one with them, whose tensors
/// stay where they are, computes. There is no ideal time then.
OpLimit BoundFinder::what_is_left(const OpRow& row) const {
  const OpTraffic& traffic = ops_.facts[row.kind].traffic;
  const auto ran = [&](std::size_t risc) { return row.risc_us[risc] > 0; };
  constexpr std::size_t kFirstMover = 0, kFirstCompute = 2, kEthernet = 5;
  if (ran(kFirstCompute) || ran(kFirstCompute + 1) || ran(kFirstCompute + 2)) {
    const ReportKind& kind = table_.kinds[row.kind];
    const bool stays = kind.input_count + kind.output_count > 0 && traffic.dram == 0 && traffic.noc == 0;
    return stays ? OpLimit::kCompute : OpLimit::kUnknown;
  }
  if (ran(kEthernet)) return OpLimit::kLink;
  if (!ran(kFirstMover) && !ran(kFirstMover + 1)) return OpLimit::kUnknown;
  return traffic.dram > 0 ? OpLimit::kDram : OpLimit::kNoc;
}

/// How long the matrix engine worked, where it was counted, instead of how long shapes say that it should.
Candidate BoundFinder::with_counters(const OpRow& row, double device_us, const Candidate& best) {
  const double percent = static_cast<double>(row.math_util_percent);
  if (!(percent > 0) || percent > 100) return best;
  const double busy_us = device_us * percent / 100;
  const bool decides = best.limit == OpLimit::kCompute || busy_us > best.ideal_us;
  return decides ? Candidate{OpLimit::kCompute, LimitModel::kCounters, busy_us, best.all_cores_us} : best;
}

OpBound BoundFinder::find(const ShownOp& shown) const {
  const OpRow& row = table_.rows[shown.row];
  OpBound bound;
  if (shown.is_signpost) return bound;
  if (shown.is_host) return {OpLimit::kHost, LimitModel::kTimes, 0, 0};
  if (!(shown.device_us > 0)) return bound;
  Candidate best = by_kind_[row.kind];
  // What was seen of this very run is better than a model of its shapes.
  const double dram = static_cast<double>(row.dram_util_percent);
  const double noc = static_cast<double>(row.noc_util_percent);
  if (dram > 0 || noc > 0) {
    const double percent = std::max(dram > 0 ? dram : 0, noc > 0 ? noc : 0);
    const double ideal_us = shown.device_us * std::min(percent, 100.0) / 100;
    const OpLimit limit = !(noc > 0) || dram >= noc ? OpLimit::kDram : OpLimit::kNoc;
    best = {limit, LimitModel::kNpe, ideal_us, best.all_cores_us};
  }
  best = with_counters(row, shown.device_us, best);
  bound.refuted = best.ideal_us > shown.device_us * kRefutedPercent / 100;
  if (bound.refuted || best.limit == OpLimit::kUnknown) {
    best = {what_is_left(row), LimitModel::kTimes, 0, 0};
    if (best.limit == OpLimit::kUnknown) best.model = LimitModel::kNone;
  }
  bound.limit = best.limit;
  bound.model = best.model;
  bound.ideal_us = static_cast<float>(best.ideal_us);
  bound.percent = static_cast<float>(best.ideal_us / shown.device_us * 100);
  bound.all_cores_us = static_cast<float>(best.all_cores_us);
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
  constexpr std::array<std::string_view, kLimitModelCount> kKeys = {"none", "npe",   "shapes",
                                                                    "pm",   "times", "counters"};
  return kKeys[static_cast<std::size_t>(model)];
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
  }
  return bounds;
}

}  // namespace ttscope::perf
