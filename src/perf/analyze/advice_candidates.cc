#include "perf/analyze/advice_candidates.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/text.h"
#include "perf/analyze/op_groups.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

void AdviceCandidate::add_row(std::uint32_t place, double measured_us, double target_us) {
  advice.measured_us += measured_us;
  advice.target_us += target_us;
  max_us += std::max(0.0, measured_us - target_us);
  if (advice.row_count++ < OpAdvice::kRowsKept) advice.rows.push_back(place);
}

bool CandidateList::Key::operator<(const Key& other) const {
  return std::tie(cause, name, device) < std::tie(other.cause, other.name, other.device);
}

bool CandidateList::is_timed(std::uint32_t place) const {
  const ShownOp& row = in_.ops.rows[place];
  return !row.is_signpost && !row.is_host && row.device_us > 0;
}

const OpKind& CandidateList::kind_of(std::uint32_t place) const {
  return in_.table.kind_of(in_.table.rows[in_.ops.rows[place].row]);
}

std::uint32_t CandidateList::kind_number(std::uint32_t place) const {
  return in_.table.rows[in_.ops.rows[place].row].kind;
}

const KindFacts& CandidateList::facts_of(std::uint32_t place) const {
  return in_.ops.facts[kind_number(place)];
}

std::string_view CandidateList::name_of_op(std::uint32_t place) const {
  return in_.table.text(kind_of(place).op_code);
}

const std::string& CandidateList::distinct_name_of(std::uint32_t kind) {
  std::string& name = names_[kind];
  if (name.empty()) name = distinct_name(in_.table, in_.ops.facts[kind], in_.table.kinds[kind]);
  return name;
}

AdviceCandidate& CandidateList::candidate(AdviceCause cause, GainBasis basis, std::uint32_t kind,
                                          std::int32_t device) {
  AdviceCandidate& found = found_[{cause, kind == kNone ? std::string() : distinct_name_of(kind), device}];
  if (found.advice.row_count == 0) {
    found.advice.cause = cause;
    found.advice.basis = basis;
    found.advice.kind = kind;
    found.advice.device = device;
  }
  return found;
}

void CandidateList::add_times(AdviceCandidate& to, std::uint32_t place, double target_us) const {
  for_each_member(in_.table, in_.ops, in_.ops.rows[place], [&](std::uint32_t row) {
    if (in_.table.rows[row].kernel_duration_ns / 1000 > target_us)
      to.ops.push_back({row, static_cast<float>(target_us)});
  });
}

void CandidateList::make_uneven(const std::string& name, std::int32_t device) {
  const auto slow = found_.extract({AdviceCause::kSlowDevice, name, device});
  slow.mapped().advice.cause = AdviceCause::kUnevenDevices;
  const auto [all, is_new] = found_.try_emplace({AdviceCause::kUnevenDevices, name, -1}, slow.mapped());
  if (!is_new) join_devices(slow.mapped(), all->second);
}

std::vector<AdviceCandidate> CandidateList::take() {
  std::vector<AdviceCandidate> all;
  all.reserve(found_.size());
  for (auto& [key, candidate] : found_) all.push_back(std::move(candidate));
  return all;
}

void join_devices(const AdviceCandidate& from, AdviceCandidate& to) {
  to.ops.insert(to.ops.end(), from.ops.begin(), from.ops.end());
  to.max_us += from.max_us;
  to.advice.more_devices.push_back(from.advice.device);
  to.advice.measured_us += from.advice.measured_us;
  to.advice.target_us += from.advice.target_us;
  std::vector<std::uint32_t> rows;
  std::set_union(to.advice.rows.begin(), to.advice.rows.end(), from.advice.rows.begin(),
                 from.advice.rows.end(), std::back_inserter(rows));
  to.advice.row_count = std::max({to.advice.row_count, from.advice.row_count, std::uint64_t{rows.size()}});
  if (rows.size() > OpAdvice::kRowsKept) rows.resize(OpAdvice::kRowsKept);
  to.advice.rows = std::move(rows);
}

namespace {

/// What real optimization work has shown of ops, by their names.

/// What conversions take however little they move, in real reports: none is slow up to the second time, and
/// the first is what the fastest take.
struct TypicalCost {
  std::string_view word;  ///< in their names
  double min_us;
  double max_us;
};

/// Ops whose cores follow from the batch: one for each user.
bool has_core_per_user(std::string_view op_name) {
  return contains(op_name, "HeadsDecode") || contains(op_name, "UpdateCache") ||
         contains(op_name, "FillCache");
}

/// Ops that divide one row of tiles among cores: here the step off one or two cores was measured to win.
bool can_divide_rows(std::string_view op_name) {
  constexpr std::array<std::string_view, 7> kWords = {"Norm", "Softmax", "Reduce", "ArgMax",
                                                      "TopK", "Mean",    "Moe"};
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return contains(op_name, word); });
}

/// Rows of tiles that an op gives: what most ops divide among cores. 0: unknown.
double tile_rows_of(const OpsReport& table, const OpKind& kind) {
  constexpr std::int64_t kTile = 32;
  const OpTensor* out = table.output(kind, 0);
  if (out == nullptr || !out->has_shape()) return 0;
  const std::int64_t tiles_down = (out->padded[2] + kTile - 1) / kTile;
  return static_cast<double>(out->padded[0]) * static_cast<double>(out->padded[1]) *
         static_cast<double>(tiles_down);
}

const TypicalCost& typical_cost(std::string_view op_name) {
  static constexpr std::array<TypicalCost, 6> kPrices = {{{"InterleavedToSharded", 1.2, 2.6},
                                                          {"ShardedToInterleaved", 1.5, 3.5},
                                                          {"Reshard", 1.4, 1.9},
                                                          {"Untilize", 6.7, 10},
                                                          {"Tilize", 6.7, 10},
                                                          {"", 1.2, 1.9}}};
  return *std::find_if(kPrices.begin(), kPrices.end(),
                       [&](const TypicalCost& price) { return contains(op_name, price.word); });
}

/// One or two cores are what hurts: the step off them wins, more cores beyond that hardly do.
constexpr double kFewCores = 2;
constexpr double kMinLargeChip = 8;

/// Where bytes and operations would take less than this, they are not what an op of a few of these takes:
/// starting its kernels, filling its buffers and waiting for memory are, of which there is no model.
constexpr double kMinModeledUs = 1;
constexpr double kMaxStartUs = 20;

class BoundFinder {
 public:
  explicit BoundFinder(CandidateList& list) : list_(list), in_(list.input()) {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (list.is_timed(i)) min_us_ = std::min(min_us_, in_.ops.rows[i].device_us);
    }
    find_latencies();
    find_missing_bounds();
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
  void find_missing_bounds();
  double latency_of(std::uint32_t place) const;
  void add_bound(std::uint32_t place);
  void add_fidelity(std::uint32_t place);
  double typical_us(std::uint32_t place) const;
  AdviceCause cause_of_bound(std::uint32_t place) const;
  bool has_cores_fixed_by_batch(std::uint32_t place) const;
  bool lacks_devices(std::uint32_t place) const;
  double floor_of(std::uint32_t place, AdviceCause cause, double reachable_us) const;
  std::vector<AdviceHint> hints_of(std::uint32_t place) const;

  CandidateList& list_;
  const AdviceInput& in_;
  std::vector<bool> is_lacking_;                  ///< by group: a device ran it without a row
  std::map<std::uint32_t, double> latencies_us_;  ///< by name of a collective: of the shortest of the run
  /// Kernels start, wait and end: however little it does, none takes less than the shortest of the run, or
  /// than this where all are longer.
  double min_us_ = 1;
};

/// A collective that takes ten times what its links need is as short as its start and its hops let it be: the
/// shortest of several of one name is what they take.
void BoundFinder::find_latencies() {
  constexpr double kMaxLinkShare = 0.1;
  /// More than any start of a collective takes: something else is wrong with it.
  constexpr double kMaxLatencyUs = 50;
  std::map<std::uint32_t, std::uint32_t> counts;
  for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
    const ShownOp& row = in_.ops.rows[i];
    if (!list_.is_timed(i)) continue;
    const OpBound& bound = in_.bounds.rows[i];
    if (list_.facts_of(i).category != OpCategory::kCcl || !(bound.ideal_us > 0)) continue;
    if (static_cast<double>(bound.ideal_us) > row.device_us * kMaxLinkShare) continue;
    const std::uint32_t name = list_.kind_of(i).op_code;
    ++counts[name];
    const double own_us = row.device_us - static_cast<double>(bound.ideal_us);
    const auto [known, is_new] = latencies_us_.try_emplace(name, own_us);
    if (!is_new) known->second = std::min(known->second, own_us);
  }
  for (const auto& [name, count] : counts)
    if (count < 2 || latencies_us_.at(name) > kMaxLatencyUs) latencies_us_.erase(name);
}

void BoundFinder::find_missing_bounds() {
  std::vector<bool> is_lacked(in_.table.rows.size());
  for (const DeviceLane& lane : in_.ops.clock.lanes) {
    for (const AbsentOp& absent : lane.absent) is_lacked[absent.op.row] = true;
    for (const std::uint32_t row : lane.missing_at_end) is_lacked[row] = true;
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
bool BoundFinder::has_cores_fixed_by_batch(std::uint32_t place) const {
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
    const TypicalCost& price = typical_cost(list_.name_of_op(place));
    return device_us > price.max_us ? std::max(min_us_, price.min_us) : kNoNumber;
  }
  const bool is_start = reachable_us < kMinModeledUs && device_us <= kMaxStartUs;
  const bool is_known_to_win = cause == AdviceCause::kFewCores;
  return is_start && !is_known_to_win ? kNoNumber : min_us_;
}

AdviceCause BoundFinder::cause_of_bound(std::uint32_t place) const {
  const KindFacts& facts = list_.facts_of(place);
  const MovementClass movement = movement_of(list_.name_of_op(place), facts.category);
  if (movement == MovementClass::kCollective) return AdviceCause::kCollectiveBelowPeak;
  if (movement == MovementClass::kLayout || movement == MovementClass::kStructural)
    return AdviceCause::kSlowConversion;
  const bool has_few = facts.cores > 0 && facts.cores <= kFewCores && !facts.is_dram_sharded &&
                       in_.ops.peaks.worker_cores >= kMinLargeChip && !has_cores_fixed_by_batch(place);
  if (has_few) return AdviceCause::kFewCores;
  return facts.is_matmul ? AdviceCause::kMatmulBelowPeak : AdviceCause::kOpBelowPeak;
}

std::vector<AdviceHint> BoundFinder::hints_of(std::uint32_t place) const {
  std::vector<AdviceHint> hints;
  const KindFacts& facts = list_.facts_of(place);
  const bool could_take_more = in_.ops.peaks.worker_cores > facts.cores && !facts.is_multi_device;
  if (could_take_more && has_cores_fixed_by_batch(place)) hints.push_back(AdviceHint::kCoresFixedByBatch);
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
  constexpr std::int64_t kMaxRows = 256;
  const bool has_few_rows = facts.product.m > 0 && facts.product.m <= kMaxRows;
  const OpTensor* in1 = in_.table.input(list_.kind_of(place), 1);
  const std::string_view weights = in1 == nullptr ? std::string_view{} : in_.table.text(in1->memory);
  const bool has_interleaved_weights = contains(weights, "DRAM") && contains(weights, "INTERLEAVED");
  if (in_.bounds.rows[place].limit == OpLimit::kDram && has_interleaved_weights && has_few_rows)
    hints.push_back(AdviceHint::kTryDramSharded);
  return hints;
}

/// What an op takes on the device in the middle: what one device takes longer is that device's fault.
double BoundFinder::typical_us(std::uint32_t place) const {
  const ShownOp& row = in_.ops.rows[place];
  if (row.group == kNone || list_.facts_of(place).is_multi_device) return row.device_us;
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
  const double own_us = typical_us(place);
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
  AdviceCandidate& to = list_.candidate(cause, GainBasis::kModeled, list_.kind_number(place));
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
  to.advice.is_floor |= target_us > reachable_us + latency_us;
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
      list_.candidate(AdviceCause::kHighFidelity, GainBasis::kModeled, list_.kind_number(place));
  to.add_row(place, device_us, target_us);
  list_.add_times(to, place, target_us);
}

/// Ops that take longer than what limits them allows, and those that would be allowed less with fewer passes.
void add_ops_below_bounds(CandidateList& list) { BoundFinder(list).find(); }

/// What an op took on one device.
struct DeviceTime {
  double us = 0;
  std::uint32_t row = 0;  ///< in OpsReport::rows
};

/// A device that took longer for an op than those that are not at fault.
struct SlowTime {
  std::uint32_t row = 0;
  double us = 0;
  double typical_us = 0;  ///< the median of the others
};

/// A device that is slower than the others by less is not at fault.
constexpr double kMinSlowdown = 1.05;
/// A few devices are quicker than all others by chance more easily than one is slower: they count from here.
constexpr double kMinSpeedup = 1.25;

/// Between two middle times; where these part clearly it is the lower one, since nobody took what lies
/// between.
double middle_of(double lower, double upper) {
  return upper >= lower * kMinSpeedup ? lower : (lower + upper) / 2;
}

/// Where the times part most clearly among the quicker half; 0: nowhere.
std::size_t count_quick(const std::vector<DeviceTime>& times) {
  std::size_t quick = 0;
  double widest = kMinSpeedup;
  for (std::size_t i = 1; i <= times.size() / 2; ++i) {
    const double step = times[i].us / times[i - 1].us;
    if (!(step >= widest)) continue;
    widest = step;
    quick = i;
  }
  return quick;
}

/// Who is slow at an op, by its times on all devices: each that is over the median of the others. Where most
/// are slow in the same way no median says so: then those that are clearly slower than the quick ones are.
std::vector<SlowTime> find_slow_times(std::vector<DeviceTime> times) {
  std::vector<SlowTime> slow;
  if (times.size() < 2) return slow;
  std::stable_sort(times.begin(), times.end(),
                   [](const DeviceTime& a, const DeviceTime& b) { return a.us < b.us; });
  for (std::size_t i = times.size(); i-- > times.size() / 2;) {
    const std::size_t others = times.size() - 1;
    const auto other = [&](std::size_t at) { return times[at < i ? at : at + 1].us; };
    const double typical_us = middle_of(other((others - 1) / 2), other(others / 2));
    if (!(typical_us > 0) || !(times[i].us > typical_us * kMinSlowdown)) break;
    slow.push_back({times[i].row, times[i].us, typical_us});
  }
  if (!slow.empty() || !(times.front().us > 0)) return slow;
  const std::size_t quick = count_quick(times);
  for (std::size_t i = times.size(); quick > 0 && i-- > quick;) {
    const double typical_us = middle_of(times[(quick - 1) / 2].us, times[quick / 2].us);
    slow.push_back({times[i].row, times[i].us, typical_us});
  }
  return slow;
}

/// All executions of an op that every device has.
struct DeviceTimes {
  std::map<std::int32_t, double> took_us;  ///< by device
  std::map<std::int32_t, double> over_us;  ///< by device: where it was slower than the others, by how much

  /// A device is slow where it is in all of them together. One that was slower in some and quicker in others
  /// is not: times scatter, or work is divided anew each time.
  bool is_slow(std::int32_t device) const;
};

bool DeviceTimes::is_slow(std::int32_t device) const {
  constexpr double kMajorityShare = 0.75;
  const auto over = over_us.find(device);
  if (over == over_us.end()) return true;  // nothing shows that it is not
  double net_us = 0;
  std::vector<DeviceTime> all;
  std::vector<double> others;
  for (const auto& [one, us] : took_us) {
    all.push_back({us, static_cast<std::uint32_t>(one)});
    if (one != device) others.push_back(us);
  }
  std::sort(others.begin(), others.end());
  if (!others.empty())
    net_us = took_us.at(device) - middle_of(others[(others.size() - 1) / 2], others[others.size() / 2]);
  for (const SlowTime& slow : find_slow_times(std::move(all))) {
    if (slow.row == static_cast<std::uint32_t>(device)) net_us = std::max(net_us, slow.us - slow.typical_us);
  }
  return net_us > over->second * kMajorityShare;
}

/// Who is slow at each op, and at which ops nobody in particular.
class SlowDeviceFinder {
 public:
  explicit SlowDeviceFinder(CandidateList& list) : list_(list), in_(list.input()) {}

  void find() {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (list_.is_timed(i)) add_op(i);
    }
    part_uneven_devices();
  }

 private:
  void add_op(std::uint32_t place);
  void part_uneven_devices();

  CandidateList& list_;
  const AdviceInput& in_;
  std::map<std::string, DeviceTimes> on_devices_;  ///< by name
};

/// A device that takes longer for an op than the others, whatever they wait for.
void SlowDeviceFinder::add_op(std::uint32_t place) {
  const ShownOp& row = in_.ops.rows[place];
  if (row.group == kNone || list_.facts_of(place).is_multi_device) return;
  std::vector<DeviceTime> times;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    const double ns = in_.table.rows[one].kernel_duration_ns;
    if (has_number(ns)) times.push_back({ns / 1000, one});
  });
  const bool is_on_all = times.size() == in_.ops.clock.lanes.size();
  const std::uint32_t kind = list_.kind_number(place);
  DeviceTimes& op = on_devices_[list_.distinct_name_of(kind)];
  for (const DeviceTime& time : times)
    if (is_on_all) op.took_us[in_.table.rows[time.row].device] += time.us;
  for (const SlowTime& slow : find_slow_times(std::move(times))) {
    const std::int32_t device = in_.table.rows[slow.row].device;
    AdviceCandidate& to = list_.candidate(AdviceCause::kSlowDevice, GainBasis::kMeasured, kind, device);
    to.add_row(place, slow.us, slow.typical_us);
    to.ops.push_back({slow.row, static_cast<float>(slow.typical_us)});
    if (is_on_all) op.over_us[device] += slow.us - slow.typical_us;
  }
}

/// Those that are slow now and then are one cause for each op: whoever is it next time.
void SlowDeviceFinder::part_uneven_devices() {
  for (const auto& [name, op] : on_devices_) {
    for (const auto& [device, over_us] : op.over_us) {
      if (!op.is_slow(device)) list_.make_uneven(name, device);
    }
  }
}

/// Devices that take longer for an op than the others, whatever they wait for.
void add_slow_devices(CandidateList& list) { SlowDeviceFinder(list).find(); }

GainBasis basis_of_gap(AdviceCause cause) {
  const bool is_derived = cause != AdviceCause::kTraceGaps && cause != AdviceCause::kUnknownGaps;
  return is_derived ? GainBasis::kDerived : GainBasis::kMeasured;
}

/// By row of the report: the lanes that begin latest, by their first ops. Those that are late by less than
/// half of it are not what others wait for. When a device began whose first rows are lost is not known.
std::map<std::uint32_t, std::uint32_t> late_lanes(const std::vector<DeviceLane>& lanes) {
  constexpr double kMinShareOfLatest = 0.5;
  std::map<std::uint32_t, std::uint32_t> late;
  const auto start_ns = [&](std::uint32_t lane) {
    const bool is_known = lanes[lane].absent.empty() || lanes[lane].absent.front().before > 0;
    return is_known ? lanes[lane].ops.front().start_ns : 0;
  };
  double max_ns = 0;
  for (std::uint32_t i = 0; i < lanes.size(); ++i) max_ns = std::max(max_ns, start_ns(i));
  for (std::uint32_t i = 0; i < lanes.size(); ++i) {
    if (start_ns(i) > kHighGapUs * 1000 && start_ns(i) >= max_ns * kMinShareOfLatest)
      late.emplace(lanes[i].ops.front().row, i);
  }
  return late;
}

class WaitAdviceFinder {
 public:
  explicit WaitAdviceFinder(CandidateList& list) : list_(list), in_(list.input()) {}

  void find() {
    for (std::uint32_t i = 0; i < in_.ops.rows.size(); ++i) {
      if (!in_.ops.rows[i].is_signpost) add_gap(i);
    }
    add_hidden_gaps();
    add_late_starts();
  }

 private:
  std::optional<AdviceCause> cause_of_gap(std::uint32_t place, GapCause gap) const;
  std::int32_t single_late_device(const ShownOp& row) const;
  void add_gap(std::uint32_t place);
  void add_hidden_gaps();
  void add_late_starts();
  bool misses_first_ops(const ShownOp& row) const;

  CandidateList& list_;
  const AdviceInput& in_;
};

std::optional<AdviceCause> WaitAdviceFinder::cause_of_gap(std::uint32_t place, GapCause gap) const {
  switch (gap) {
    case GapCause::kDispatch:
      return AdviceCause::kHostLate;
    case GapCause::kTrace:
      return AdviceCause::kTraceGaps;
    case GapCause::kSync:
      return place > 0 && in_.ops.rows[place - 1].is_host ? AdviceCause::kHostOps : AdviceCause::kHostSync;
    case GapCause::kUnknown:
      return AdviceCause::kUnknownGaps;
    default:
      return std::nullopt;
  }
}

/// The device that alone waits before an op while all others begin it in time; -1: several wait, or there is
/// only one device.
std::int32_t WaitAdviceFinder::single_late_device(const ShownOp& row) const {
  std::int32_t device = -1;
  std::size_t late = 0;
  std::size_t members = 0;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    ++members;
    if (!(in_.table.rows[one].op_to_op_ns > kHighGapUs * 1000)) return;
    ++late;
    device = in_.table.rows[one].device;
  });
  return late == 1 && members > 1 ? device : -1;
}

void WaitAdviceFinder::add_gap(std::uint32_t place) {
  const ShownOp& row = in_.ops.rows[place];
  const std::optional<AdviceCause> cause = cause_of_gap(place, in_.gaps.causes[place]);
  if (!cause) return;
  AdviceCandidate& to = list_.candidate(*cause, basis_of_gap(*cause), kNone, single_late_device(row));
  to.add_row(place, row.gap_us, kTypicalGapUs);
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) { to.gaps.push_back(one); });
}

/// Gaps of devices that are late, but not the last.
void WaitAdviceFinder::add_hidden_gaps() {
  for (const HiddenGap& gap : in_.gaps.hidden) {
    const std::optional<AdviceCause> cause = cause_of_gap(gap.place, gap.cause);
    if (!cause) continue;
    AdviceCandidate& to =
        list_.candidate(*cause, basis_of_gap(*cause), kNone, in_.table.rows[gap.row].device);
    to.add_row(gap.place, gap.gap_us, kTypicalGapUs);
    to.gaps.push_back(gap.row);
  }
}

/// Of the first op of a device: whether the one that began first ran others before it. Then rows of this
/// device are lost, or it runs another program: nobody knows when it would have begun.
bool WaitAdviceFinder::misses_first_ops(const ShownOp& row) const {
  const std::vector<DeviceLane>& lanes = in_.ops.clock.lanes;
  const DeviceLane& first =
      *std::min_element(lanes.begin(), lanes.end(), [](const DeviceLane& a, const DeviceLane& b) {
        return a.ops.front().start_ns < b.ops.front().start_ns;
      });
  bool lacks = false;
  for_each_member(in_.table, in_.ops, row, [&](std::uint32_t one) {
    lacks |= in_.table.rows[one].device == first.device && one != first.ops.front().row;
  });
  return lacks;
}

/// Devices that begin later than the first one. What they did before lies outside the window, so it is no
/// gap; but whoever meets them waits. All together: of several that begin one after the other the last
/// decides.
void WaitAdviceFinder::add_late_starts() {
  const std::vector<DeviceLane>& lanes = in_.ops.clock.lanes;
  if (in_.ops.clock.collectives == 0) return;
  const std::map<std::uint32_t, std::uint32_t> late = late_lanes(lanes);
  for (std::uint32_t place = 0; place < in_.ops.rows.size() && !late.empty(); ++place) {
    for_each_member(in_.table, in_.ops, in_.ops.rows[place], [&](std::uint32_t row) {
      const auto found = late.find(row);
      if (found == late.end() || misses_first_ops(in_.ops.rows[place])) return;
      const DeviceLane& lane = lanes[found->second];
      AdviceCandidate& to = list_.candidate(AdviceCause::kLateStart, GainBasis::kDerived, kNone);
      to.lanes.push_back(found->second);
      if (to.lanes.size() == 1) {
        to.advice.device = lane.device;
      } else {
        to.advice.more_devices.push_back(lane.device);
      }
      to.max_us = to.advice.measured_us = std::max(to.max_us, lane.ops.front().start_ns / 1000);
      std::vector<std::uint32_t>& rows = to.advice.rows;
      if (rows.size() < OpAdvice::kRowsKept && (rows.empty() || rows.back() != place)) rows.push_back(place);
      to.advice.row_count = rows.size();
    });
  }
}

/// What devices wait for outside of ops: gaps, also those of devices that are late but not the last, and
/// devices that begin late.
void add_waits(CandidateList& list) { WaitAdviceFinder(list).find(); }

/// Conversions as such: without them nothing of their time is left. That is an upper limit.
void add_conversion(std::uint32_t place, CandidateList& list) {
  const MovementClass movement = movement_of(list.name_of_op(place), list.facts_of(place).category);
  const bool is_copying_view = movement == MovementClass::kStructural && is_view(list.name_of_op(place));
  if (!is_copying_view && movement != MovementClass::kLayout) return;
  AdviceCandidate& to =
      is_copying_view
          ? list.candidate(AdviceCause::kViewCostsTime, GainBasis::kMeasured, list.kind_number(place))
          : list.candidate(AdviceCause::kConversions, GainBasis::kMeasured, kNone);
  to.is_removed = true;
  if (is_copying_view) to.advice.bytes += moved_bytes(list.input().table, list.kind_of(place));
  to.add_row(place, list.input().ops.rows[place].device_us, 0);
  list.add_times(to, place, 0);
}

}  // namespace

std::vector<AdviceCandidate> find_candidates(const AdviceInput& input) {
  CandidateList list(input);
  add_waits(list);
  add_slow_devices(list);
  add_ops_below_bounds(list);
  for (std::uint32_t i = 0; i < input.ops.rows.size(); ++i) {
    if (list.is_timed(i)) add_conversion(i, list);
  }
  return list.take();
}

}  // namespace ttscope::perf
