#include "perf/analyse/advice/bound_candidates.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/text_search.h"
#include "perf/analyse/advice/movement.h"
#include "perf/analyse/advice/op_practice.h"

namespace ttscope::perf {
namespace {

/// One or two cores are what hurts: the step off them wins, more cores beyond that hardly do.
constexpr double kFewCores = 2;
constexpr double kManyWorkerCores = 8;

/// Where bytes and operations would take less than this, they are not what an op of a few of these takes:
/// starting its kernels, filling its buffers and waiting for memory are, of which there is no model.
constexpr double kLeastModelledUs = 1;
constexpr double kMostStartUs = 20;

class BoundFinder {
 public:
  explicit BoundFinder(CandidateList& list) : list_(list), in_(list.input()) {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (list.is_timed(i)) least_us_ = std::min(least_us_, in_.ops.rows[i].device_us);
    }
    find_latencies();
    find_lacking();
  }

  void find() {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (!list_.is_timed(i)) continue;
      add_bound(i);
      add_fidelity(i);
    }
  }

 private:
  void find_latencies();
  void find_lacking();
  double latency_of(std::uint32_t place) const;
  void add_bound(std::uint32_t place);
  void add_fidelity(std::uint32_t place);
  double usual_us(std::uint32_t place) const;
  AdviceCause cause_of_bound(std::uint32_t place) const;
  bool has_cores_by_meaning(std::uint32_t place) const;
  bool lacks_devices(std::uint32_t place) const;
  double floor_of(std::uint32_t place, AdviceCause cause, double reachable_us) const;
  std::vector<AdviceHint> hints_of(std::uint32_t place) const;

  CandidateList& list_;
  const AdviceInput& in_;
  std::vector<bool> is_lacking_;                  ///< by group: a device ran it without a row
  std::map<std::uint32_t, double> latencies_us_;  ///< by name of a collective: of the shortest of the run
  /// Kernels start, wait and end: however little it does, none takes less than the shortest of the run, or
  /// than this where all are longer.
  double least_us_ = 1;
};

/// A collective that takes ten times what its links need is as short as its start and its hops let it be: the
/// shortest of several of one name is what they take.
void BoundFinder::find_latencies() {
  constexpr double kHardlyLimited = 0.1;
  /// More than any start of a collective takes: something else is wrong with it.
  constexpr double kMostLatencyUs = 50;
  std::map<std::uint32_t, std::uint32_t> counts;
  for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
    const ShownOp& row = in_.ops.rows[i];
    if (!list_.is_timed(i)) continue;
    const OpBound& bound = in_.bounds.rows[i];
    if (list_.facts_of(i).category != OpCategory::kCcl || !(bound.ideal_us > 0)) continue;
    if (static_cast<double>(bound.ideal_us) > row.device_us * kHardlyLimited) continue;
    const std::uint32_t name = list_.kind_of(i).op_code;
    ++counts[name];
    const double own_us = row.device_us - static_cast<double>(bound.ideal_us);
    const auto [known, is_new] = latencies_us_.try_emplace(name, own_us);
    if (!is_new) known->second = std::min(known->second, own_us);
  }
  for (const auto& [name, count] : counts)
    if (count < 2 || latencies_us_.at(name) > kMostLatencyUs) latencies_us_.erase(name);
}

void BoundFinder::find_lacking() {
  std::vector<bool> is_lacked(in_.table.rows.size());
  for (const DeviceLane& lane : in_.ops.clock.lanes) {
    for (const AbsentOp& absent : lane.absent) is_lacked[absent.op.row] = true;
    for (const std::uint32_t row : lane.lacks_at_end) is_lacked[row] = true;
  }
  is_lacking_.resize(in_.ops.groups.size());
  for (std::size_t i = 0; i < in_.ops.groups.size(); ++i) {
    const OpGroup& group = in_.ops.groups[i];
    for (std::uint32_t k = 0; k < group.count; ++k)
      if (is_lacked[in_.ops.members[group.first + k]]) is_lacking_[i] = true;
  }
}

/// No collective is faster than its start and its hops, whatever its links could carry.
double BoundFinder::latency_of(std::uint32_t place) const {
  const auto measured = latencies_us_.find(list_.kind_of(place).op_code);
  if (measured != latencies_us_.end()) return measured->second;
  return std::max(1.0, list_.facts_of(place).link_hops) * kHopLatencyUs;
}

/// More cores would have nothing to do.
bool BoundFinder::has_cores_by_meaning(std::uint32_t place) const {
  const std::string_view name = list_.name_of_op(place);
  if (has_core_per_user(name)) return true;
  const KindFacts& facts = list_.facts_of(place);
  const double rows = tile_rows_of(in_.table, list_.kind_of(place));
  return rows > 0 && rows <= facts.cores && !facts.is_matmul && !facts.is_conv && !can_divide_rows(name);
}

/// Whether a device that took part has no row of it: nobody knows when it came.
bool BoundFinder::lacks_devices(std::uint32_t place) const {
  const ShownOp& row = in_.ops.rows[place];
  return row.group != kNone && row.group < is_lacking_.size() && is_lacking_[row.group];
}

/// The shortest time that is believed; none: how long it takes says nothing against the op.
double BoundFinder::floor_of(std::uint32_t place, AdviceCause cause, double reachable_us) const {
  const double device_us = in_.ops.rows[place].device_us;
  if (cause == AdviceCause::kSlowConversion) {
    const UsualPrice& price = usual_price(list_.name_of_op(place));
    return device_us > price.most_us ? std::max(least_us_, price.least_us) : kNoNumber;
  }
  const bool is_start = reachable_us < kLeastModelledUs && device_us <= kMostStartUs;
  const bool is_known_to_win = cause == AdviceCause::kFewCores;
  return is_start && !is_known_to_win ? kNoNumber : least_us_;
}

AdviceCause BoundFinder::cause_of_bound(std::uint32_t place) const {
  const KindFacts& facts = list_.facts_of(place);
  const MovementClass movement = movement_of(list_.name_of_op(place), facts.category);
  if (movement == MovementClass::kCollective) return AdviceCause::kCollectiveBelowPeak;
  if (movement == MovementClass::kLayout || movement == MovementClass::kStructural)
    return AdviceCause::kSlowConversion;
  const bool has_few = facts.cores > 0 && facts.cores <= kFewCores && !facts.is_dram_sharded &&
                       in_.ops.peaks.worker_cores >= kManyWorkerCores && !has_cores_by_meaning(place);
  if (has_few) return AdviceCause::kFewCores;
  return facts.is_matmul ? AdviceCause::kMatmulBelowPeak : AdviceCause::kOpBelowPeak;
}

std::vector<AdviceHint> BoundFinder::hints_of(std::uint32_t place) const {
  std::vector<AdviceHint> hints;
  const KindFacts& facts = list_.facts_of(place);
  const bool could_take_more = in_.ops.peaks.worker_cores > facts.cores && !facts.meets_devices;
  if (could_take_more && has_cores_by_meaning(place)) hints.push_back(AdviceHint::kCoresAreItsMeaning);
  // A minimal matmul has knobs of its own, and reads interleaved DRAM by design.
  if (!facts.is_matmul || facts.is_minimal) return hints;
  const OpTensor* in0 = in_.table.input(list_.kind_of(place), 0);
  const std::string_view memory = in0 == nullptr ? std::string_view{} : in_.table.text(in0->memory);
  if (!memory.empty() && !contains(memory, "L1")) hints.push_back(AdviceHint::kInputOutsideL1);
  // A table has no attributes: nothing says who chose it.
  const bool has_attributes = in_.table.format != ReportFormat::kTable;
  if (!facts.has_program_config && has_attributes) hints.push_back(AdviceHint::kNoProgramConfig);
  if (facts.in0_block_w >= 0 && facts.in0_block_w < 2) hints.push_back(AdviceHint::kSmallInnerBlock);
  if (facts.out_subblock_h == 1 && facts.out_subblock_w == 1) hints.push_back(AdviceHint::kSmallSubblock);
  // Only matmuls of few rows are worth it: the weights are what they read.
  constexpr std::int64_t kMostRows = 256;
  const bool has_few_rows = facts.product.m > 0 && facts.product.m <= kMostRows;
  const OpTensor* in1 = in_.table.input(list_.kind_of(place), 1);
  const std::string_view weights = in1 == nullptr ? std::string_view{} : in_.table.text(in1->memory);
  const bool has_interleaved_weights = contains(weights, "DRAM") && contains(weights, "INTERLEAVED");
  if (in_.bounds.rows[place].limit == OpLimit::kDram && has_interleaved_weights && has_few_rows)
    hints.push_back(AdviceHint::kTryDramSharded);
  return hints;
}

/// What an op takes on the device in the middle: what one device takes longer is that device's fault.
double BoundFinder::usual_us(std::uint32_t place) const {
  const ShownOp& row = in_.ops.rows[place];
  if (row.group == kNone || list_.facts_of(place).meets_devices) return row.device_us;
  std::vector<double> times;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    const double ns = in_.table.rows[one].kernel_duration_ns;
    if (ns > 0) times.push_back(ns / 1000);
  });
  if (times.empty()) return row.device_us;
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::nth_element(times.begin(), middle, times.end());
  return std::min(*middle, row.device_us);
}

/// Ops below 65 % of their bound; those on one or two cores against the bound that they would have with all.
void BoundFinder::add_bound(std::uint32_t place) {
  const OpBound& bound = in_.bounds.rows[place];
  if (bound.ideal_us <= 0) return;
  const double own_us = usual_us(place);
  const AdviceCause cause = cause_of_bound(place);
  if (cause == AdviceCause::kSlowConversion && is_view(list_.name_of_op(place))) return;
  const bool takes_all_cores = cause == AdviceCause::kFewCores && bound.all_cores_us > 0;
  const double ideal_us = static_cast<double>(takes_all_cores ? bound.all_cores_us : bound.ideal_us);
  const double reachable_us = ideal_us / kBoundPercent * 100;
  const double floor_us = floor_of(place, cause, reachable_us);
  if (!has_number(floor_us)) return;
  if (cause == AdviceCause::kCollectiveBelowPeak && lacks_devices(place)) return;
  double target_us = std::max(reachable_us, floor_us);
  const double latency_us = cause == AdviceCause::kCollectiveBelowPeak ? latency_of(place) : 0;
  target_us = std::max(target_us, reachable_us + latency_us);
  if (!(own_us > target_us)) return;
  AdviceCandidate& to = list_.candidate(cause, GainBasis::kModelled, list_.kind_number(place));
  if (latency_us > 0) {
    const bool is_measured = latencies_us_.count(list_.kind_of(place).op_code) > 0;
    to.advice.latency_us += latency_us;
    to.advice.latency_basis = is_measured ? LatencyBasis::kShortestOfRun : LatencyBasis::kPerHop;
  }
  if (to.advice.row_count == 0) {
    to.advice.limit = bound.limit;
    to.advice.model = bound.model;
    to.advice.figure = bound.figure;
    to.advice.hints = hints_of(place);
  }
  if (cause == AdviceCause::kSlowConversion) to.advice.bytes += moved_bytes(in_.table, list_.kind_of(place));
  to.advice.is_kept_from_zero |= target_us > reachable_us + latency_us;
  to.advice.ideal_us += static_cast<double>(bound.ideal_us);
  to.advice.all_cores_us += static_cast<double>(bound.all_cores_us);
  to.add_row(place, own_us, target_us);
  list_.add_times(to, place, target_us);
}

/// Half the passes take half the time, where compute is what limits.
void BoundFinder::add_fidelity(std::uint32_t place) {
  const OpBound& bound = in_.bounds.rows[place];
  const bool is_limited =
      bound.limit == OpLimit::kCompute && static_cast<double>(bound.percent) >= kBoundPercent / 2;
  if (list_.facts_of(place).fidelity_advice.verdict != FidelityVerdict::kTooHigh || !is_limited) return;
  const double device_us = in_.ops.rows[place].device_us;
  const double target_us = device_us - static_cast<double>(bound.ideal_us) / 2;
  AdviceCandidate& to =
      list_.candidate(AdviceCause::kHighFidelity, GainBasis::kModelled, list_.kind_number(place));
  to.add_row(place, device_us, target_us);
  list_.add_times(to, place, target_us);
}

}  // namespace

void add_ops_below_bounds(CandidateList& list) { BoundFinder(list).find(); }

}  // namespace ttscope::perf
