#include "perf/analyze/zones.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {
namespace {

/// Deeper nesting does not fit into a processor's buffer; a limit keeps damaged logs from costing the square
/// of their rows.
constexpr std::size_t kMaxDepth = 128;
constexpr std::size_t kMaxTied = 16;

/// Each time is taken to be within half a turn of the one before it in the log.
void continue_times(std::vector<ZoneMarker>& markers) {
  if (markers.empty()) return;
  std::uint64_t least = UINT64_MAX;
  std::uint64_t last = markers.front().cycle + (kTimerSpan << 10);  // earlier ones may follow
  for (ZoneMarker& marker : markers) {
    last += static_cast<std::uint64_t>(timer_step(last, marker.cycle));
    marker.cycle = last;
    least = std::min(least, last);
  }
  const std::uint64_t base = least / kTimerSpan * kTimerSpan;
  for (ZoneMarker& marker : markers) marker.cycle -= base;
}

class Pairing {
 public:
  Pairing(const ZoneCatalog& catalog, ZoneSink& sink) : catalog_(catalog), sink_(sink) {}

  void run(const std::vector<ZoneMarker>& markers) {
    for (std::size_t i = 0; i < markers.size();) {
      std::size_t end = i + 1;
      while (end < markers.size() && markers[end].cycle == markers[i].cycle) ++end;
      if (end - i > 1 && end - i <= kMaxTied) {
        add_simultaneous(&markers[i], end - i);
      } else {
        for (std::size_t at = i; at < end; ++at) take(markers[at]);
      }
      i = end;
    }
    while (!open_.empty()) drop_last();
  }

 private:
  struct Open {
    ZoneMarker start;
    std::uint64_t inside_cycles = 0;  ///< of the zones directly inside
  };

  bool closes(const ZoneMarker& end, const ZoneMarker& start) const {
    if (end.is_start || catalog_.zones[end.zone].pair != catalog_.zones[start.zone].pair) return false;
    // The runtime gives the start of a dispatcher's zone the id of the program that it is about.
    return end.execution == start.execution || catalog_.zones[end.zone].kind == ZoneKind::kDispatch;
  }

  /// Markers of one moment stand in the order of their ids: what can be closed is closed first.
  void add_simultaneous(const ZoneMarker* markers, std::size_t count) {
    std::array<bool, kMaxTied> taken{};
    for (std::size_t n = 0; n < count; ++n) {
      std::size_t best = count;
      for (std::size_t i = 0; i < count; ++i) {
        if (taken[i]) continue;
        if (!open_.empty() && closes(markers[i], open_.back().start)) {
          best = i;
          break;
        }
        if (best == count || (markers[i].is_start && !markers[best].is_start)) best = i;
      }
      taken[best] = true;
      take(markers[best]);
    }
  }

  void take(const ZoneMarker& marker) {
    if (marker.is_start) {
      open_.push_back({marker, 0});
      return;
    }
    const std::size_t lowest = open_.size() > kMaxDepth ? open_.size() - kMaxDepth : 0;
    for (std::size_t at = open_.size(); at > lowest; --at) {
      if (!closes(marker, open_[at - 1].start)) continue;
      while (open_.size() > at) drop_last();
      close_last(marker.cycle);
      return;
    }
    sink_.take_unmatched(marker);
  }

  void close_last(std::uint64_t cycle) {
    const Open zone = open_.back();
    open_.pop_back();
    const std::uint64_t cycles = cycle - zone.start.cycle;
    sink_.take_zone(
        {zone.start.zone, zone.start.execution, cycles, cycles - zone.inside_cycles, zone.start.cycle});
    move_out(cycles);
  }

  /// A start without an end.
  void drop_last() {
    const Open zone = open_.back();
    open_.pop_back();
    sink_.take_unmatched(zone.start);
    move_out(zone.inside_cycles);
  }

  /// Cycles of paired zones are those of the next zone around them.
  void move_out(std::uint64_t cycles) {
    if (open_.empty()) {
      sink_.take_roots(cycles);
    } else {
      open_.back().inside_cycles += cycles;
    }
  }

  const ZoneCatalog& catalog_;
  ZoneSink& sink_;
  std::vector<Open> open_;
};

}  // namespace

void pair_zones(ZoneGroup& group, const ZoneCatalog& catalog, ZoneSink& sink) {
  std::vector<ZoneMarker>& markers = group.markers;
  if (group.wraps) continue_times(markers);
  const auto by_time = [](const ZoneMarker& a, const ZoneMarker& b) { return a.cycle < b.cycle; };
  if (!std::is_sorted(markers.begin(), markers.end(), by_time)) {
    std::stable_sort(markers.begin(), markers.end(), by_time);
  }
  Pairing(catalog, sink).run(markers);
}

namespace {

constexpr unsigned kStepBits = 5;
constexpr std::uint64_t kSteps = std::uint64_t{1} << kStepBits;  // of each power of two

}  // namespace

std::uint16_t CycleHistogram::bucket_of(std::uint64_t cycles) {
  if (cycles < kSteps) return static_cast<std::uint16_t>(cycles);
  const auto power = static_cast<unsigned>(std::bit_width(cycles)) - 1 - kStepBits;
  return static_cast<std::uint16_t>((power + 1) * kSteps + ((cycles >> power) & (kSteps - 1)));
}

double CycleHistogram::middle_of(std::uint16_t bucket) {
  if (bucket < kSteps) return bucket;
  const unsigned power = bucket / static_cast<unsigned>(kSteps) - 1;
  const double first = std::ldexp(static_cast<double>(kSteps + bucket % kSteps), static_cast<int>(power));
  return first + (std::ldexp(1.0, static_cast<int>(power)) - 1) / 2;
}

void CycleHistogram::add(const CycleHistogram& other) {
  for (const auto& [bucket, count] : other.buckets_) buckets_[bucket] += count;
}

double CycleHistogram::quantile(double fraction) const {
  std::vector<std::pair<std::uint16_t, std::uint64_t>> sorted(buckets_.begin(), buckets_.end());
  std::sort(sorted.begin(), sorted.end());
  std::uint64_t count = 0;
  for (const auto& [bucket, times] : sorted) count += times;
  if (count == 0) return 0;
  const auto rank = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count)));
  std::uint64_t seen = 0;
  for (const auto& [bucket, times] : sorted) {
    seen += times;
    if (seen >= std::max<std::uint64_t>(1, rank)) return middle_of(bucket);
  }
  return middle_of(sorted.back().first);
}

namespace {

/// A set of small numbers that mostly come in order.
class NumberSet {
 public:
  void insert(std::uint32_t number) {
    if (number == last_) return;
    last_ = number;
    words_[number / 64] |= std::uint64_t{1} << (number % 64);
  }
  std::uint64_t size() const;
  template <typename Take>
  void for_each(Take take) const {
    for (const auto& [word, bits] : words_) {
      for (std::uint32_t bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1) != 0) take(word * 64 + bit);
      }
    }
  }

 private:
  std::unordered_map<std::uint32_t, std::uint64_t> words_;
  std::uint32_t last_ = kNone;
};

/// Zones of one name in the executions of one op.
struct ZoneShare {
  std::uint64_t count = 0;
  std::uint64_t cycles = 0;
};

/// What is collected of one zone on the processors of one name of a device.
struct ZoneEntry {
  std::uint64_t count = 0;
  std::uint64_t total_cycles = 0;
  std::uint64_t self_cycles = 0;
  std::uint64_t min_cycles = UINT64_MAX;
  std::uint64_t max_cycles = 0;
  std::uint64_t unmatched_starts = 0;
  std::uint64_t unmatched_ends = 0;
  std::uint64_t cores = 0;
  std::size_t last_group = SIZE_MAX;
  CycleHistogram lengths;
  NumberSet executions;
  std::unordered_map<std::uint64_t, ZoneShare> by_op;  ///< by GLOBAL CALL COUNT; only of what users marked

  void add(std::uint64_t cycles, std::uint64_t self, std::uint32_t execution);
};

/// The zones of the processors of one name of a device, by their number.
struct ProcessorEntry {
  std::unordered_map<std::uint32_t, ZoneEntry> zones;
  std::uint64_t zone_cycles = 0;
};

/// Hostile logs may hold any number; sums stay at the most.
std::uint64_t add_up(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

std::uint64_t NumberSet::size() const {
  std::uint64_t count = 0;
  for (const auto& [word, bits] : words_) count += static_cast<std::uint64_t>(std::popcount(bits));
  return count;
}

void ZoneEntry::add(std::uint64_t cycles, std::uint64_t self, std::uint32_t execution) {
  ++count;
  total_cycles = add_up(total_cycles, cycles);
  self_cycles = add_up(self_cycles, self);
  min_cycles = std::min(min_cycles, cycles);
  max_cycles = std::max(max_cycles, cycles);
  lengths.add(cycles);
  if (execution != kNone) executions.insert(execution);
}

/// The ops that a zone is longest in.
std::vector<ZoneOfOp> ops_of(const ZoneEntry& entry, bool is_mark) {
  std::vector<ZoneOfOp> ops;
  ops.reserve(entry.by_op.size());
  for (const auto& [op, share] : entry.by_op) ops.push_back({op, share.count, is_mark ? 0 : share.cycles});
  std::sort(ops.begin(), ops.end(), [](const ZoneOfOp& a, const ZoneOfOp& b) {
    return std::tie(b.cycles, b.count, a.call_count) < std::tie(a.cycles, a.count, b.call_count);
  });
  if (ops.size() > ZoneFigures::kOpsKept) ops.resize(ZoneFigures::kOpsKept);
  return ops;
}

}  // namespace

/// A catalog that grows while a log is read, or one of its own once others are joined.
class ZoneCollector::Store : public ZoneSink {
 public:
  explicit Store(const ZoneCatalog& catalog) : catalog_(&catalog) {}

  void take(ZoneGroup& group, std::size_t number);
  void join(const Store& other);
  ZoneStats stats() const;

  void take_zone(const PairedZone& zone) override {
    add(zone.zone, zone.cycles, zone.self_cycles, zone.execution);
  }
  void take_roots(std::uint64_t cycles) override {
    processor_->zone_cycles = add_up(processor_->zone_cycles, cycles);
  }
  void take_unmatched(const ZoneMarker& marker) override;

 private:
  using ProcessorKey = std::pair<std::uint32_t, std::string>;

  ZoneEntry& touch(std::uint32_t zone);
  void add(std::uint32_t zone, std::uint64_t cycles, std::uint64_t self, std::uint32_t execution);
  void join_entry(const ZoneEntry& from, const std::vector<std::uint32_t>& executions, ZoneEntry& to) const;
  void own_catalog();
  std::vector<std::uint32_t> number_zones(const ZoneCatalog& other);
  std::vector<std::uint32_t> number_executions(const ZoneCatalog& other);
  ZoneFigures figures_of(const ProcessorKey& key, std::uint32_t zone, const ZoneEntry& entry) const;

  const ZoneCatalog* catalog_;
  std::unique_ptr<ZoneCatalog> own_;
  std::map<std::tuple<ZoneKind, std::string, std::string, std::string>, std::uint32_t> zone_numbers_;
  std::map<ExecutionKey, std::uint32_t> execution_numbers_;
  std::map<ProcessorKey, ProcessorEntry> processors_;
  std::vector<std::pair<std::size_t, std::string>> places_;
  std::uint64_t unmatched_ = 0;

  const ZoneGroup* group_ = nullptr;
  std::size_t group_number_ = 0;
  ProcessorEntry* processor_ = nullptr;
};

ZoneEntry& ZoneCollector::Store::touch(std::uint32_t zone) {
  ZoneEntry& entry = processor_->zones[zone];
  if (entry.last_group != group_number_) ++entry.cores;
  entry.last_group = group_number_;
  return entry;
}

void ZoneCollector::Store::add(std::uint32_t zone, std::uint64_t cycles, std::uint64_t self,
                               std::uint32_t execution) {
  ZoneEntry& entry = touch(zone);
  entry.add(cycles, self, execution);
  if (execution == kNone || !is_of_user(catalog_->zones[zone].kind)) return;
  ZoneShare& share = entry.by_op[catalog_->executions[execution].op_id];
  ++share.count;
  share.cycles = add_up(share.cycles, cycles);
}

void ZoneCollector::Store::take(ZoneGroup& group, std::size_t number) {
  if (group.markers.empty() && group.totals.empty()) return;  // marks are among the totals
  group_ = &group;
  group_number_ = number;
  processor_ = &processors_[{group.device, group.risc}];
  pair_zones(group, *catalog_, *this);
  for (const ZoneTotal& total : group.totals) add(total.zone, total.cycles, 0, total.execution);
}

void ZoneCollector::Store::take_unmatched(const ZoneMarker& marker) {
  ZoneEntry& entry = touch(marker.zone);
  ++(marker.is_start ? entry.unmatched_starts : entry.unmatched_ends);
  ++unmatched_;
  if (places_.size() >= kPlacesKept) return;
  places_.emplace_back(group_number_, std::string(marker.is_start ? "start" : "end") + " of " +
                                          catalog_->zones[marker.zone].name + " on device " +
                                          std::to_string(group_->device) + ", core " +
                                          std::to_string(group_->x) + "-" + std::to_string(group_->y) + ", " +
                                          group_->risc);
}

/// From here on numbers are its own: those of the catalog that was read with, and those of others after them.
void ZoneCollector::Store::own_catalog() {
  if (own_ != nullptr) return;
  own_ = std::make_unique<ZoneCatalog>();
  const ZoneCatalog& read = *catalog_;
  catalog_ = own_.get();
  number_zones(read);
  number_executions(read);
}

std::vector<std::uint32_t> ZoneCollector::Store::number_zones(const ZoneCatalog& other) {
  std::vector<std::uint32_t> numbers;
  for (const ZoneSource& zone : other.zones) {
    const auto [slot, added] = zone_numbers_.try_emplace({zone.kind, zone.name, zone.file, zone.line},
                                                         static_cast<std::uint32_t>(own_->zones.size()));
    if (added) own_->zones.push_back(zone);
    numbers.push_back(slot->second);
  }
  return numbers;
}

std::vector<std::uint32_t> ZoneCollector::Store::number_executions(const ZoneCatalog& other) {
  std::vector<std::uint32_t> numbers;
  for (const ExecutionKey& key : other.executions) {
    const auto [slot, added] =
        execution_numbers_.try_emplace(key, static_cast<std::uint32_t>(own_->executions.size()));
    if (added) own_->executions.push_back(key);
    numbers.push_back(slot->second);
  }
  return numbers;
}

void ZoneCollector::Store::join_entry(const ZoneEntry& from, const std::vector<std::uint32_t>& executions,
                                      ZoneEntry& to) const {
  to.count += from.count;
  to.total_cycles = add_up(to.total_cycles, from.total_cycles);
  to.self_cycles = add_up(to.self_cycles, from.self_cycles);
  to.min_cycles = std::min(to.min_cycles, from.min_cycles);
  to.max_cycles = std::max(to.max_cycles, from.max_cycles);
  to.unmatched_starts += from.unmatched_starts;
  to.unmatched_ends += from.unmatched_ends;
  to.cores += from.cores;
  to.lengths.add(from.lengths);
  for (const auto& [op, share] : from.by_op) {
    ZoneShare& sum = to.by_op[op];
    sum.count += share.count;
    sum.cycles = add_up(sum.cycles, share.cycles);
  }
  from.executions.for_each([&](std::uint32_t number) { to.executions.insert(executions[number]); });
}

void ZoneCollector::Store::join(const Store& other) {
  own_catalog();
  const std::vector<std::uint32_t> zones = number_zones(*other.catalog_);
  const std::vector<std::uint32_t> executions = number_executions(*other.catalog_);
  for (const auto& [key, from] : other.processors_) {
    ProcessorEntry& to = processors_[key];
    to.zone_cycles = add_up(to.zone_cycles, from.zone_cycles);
    for (const auto& [zone, entry] : from.zones) join_entry(entry, executions, to.zones[zones[zone]]);
  }
  unmatched_ += other.unmatched_;
  places_.insert(places_.end(), other.places_.begin(), other.places_.end());
  std::stable_sort(places_.begin(), places_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (places_.size() > kPlacesKept) places_.resize(kPlacesKept);
}

ZoneFigures ZoneCollector::Store::figures_of(const ProcessorKey& key, std::uint32_t zone,
                                             const ZoneEntry& entry) const {
  ZoneFigures figures;
  figures.device = key.first;
  figures.risc = key.second;
  figures.source = catalog_->zones[zone];
  figures.count = entry.count;
  figures.cores = entry.cores;
  figures.executions = entry.executions.size();
  figures.ops = ops_of(entry, figures.is_mark());
  if (figures.is_mark()) {
    figures.min_value = entry.count > 0 ? entry.min_cycles : 0;
    figures.max_value = entry.max_cycles;
    return figures;
  }
  figures.total_cycles = entry.total_cycles;
  figures.self_cycles = entry.self_cycles;
  figures.unmatched_starts = entry.unmatched_starts;
  figures.unmatched_ends = entry.unmatched_ends;
  if (entry.count == 0) return figures;
  figures.min_cycles = entry.min_cycles;
  figures.max_cycles = entry.max_cycles;
  const auto within = [&](double cycles) {
    return std::clamp(cycles, static_cast<double>(entry.min_cycles), static_cast<double>(entry.max_cycles));
  };
  figures.p50_cycles = within(entry.lengths.quantile(0.5));
  figures.p99_cycles = within(entry.lengths.quantile(0.99));
  return figures;
}

ZoneStats ZoneCollector::Store::stats() const {
  ZoneStats stats;
  for (const auto& [key, processor] : processors_) {
    stats.processors.push_back({key.first, key.second, processor.zone_cycles});
    const auto first = static_cast<std::ptrdiff_t>(stats.zones.size());
    for (const auto& [zone, entry] : processor.zones) stats.zones.push_back(figures_of(key, zone, entry));
    std::sort(stats.zones.begin() + first, stats.zones.end(), [](const ZoneFigures& a, const ZoneFigures& b) {
      if (a.own_cycles() != b.own_cycles()) return a.own_cycles() > b.own_cycles();
      return std::tie(a.source.name, a.source.file, a.source.line, a.source.kind) <
             std::tie(b.source.name, b.source.file, b.source.line, b.source.kind);
    });
  }
  stats.unmatched = unmatched_;
  for (const auto& [group, place] : places_) stats.unmatched_places.push_back(place);
  return stats;
}

const ProcessorFigures& ZoneStats::processor_of(const ZoneFigures& zone) const {
  return *std::lower_bound(processors.begin(), processors.end(), zone,
                           [](const ProcessorFigures& processor, const ZoneFigures& wanted) {
                             return std::tie(processor.device, processor.risc) <
                                    std::tie(wanted.device, wanted.risc);
                           });
}

double ZoneStats::self_share(const ZoneFigures& zone) const {
  const std::uint64_t whole = processor_of(zone).zone_cycles;
  if (!zone.has_self() || whole == 0) return 0;
  return static_cast<double>(zone.self_cycles) / static_cast<double>(whole);
}

ZoneCollector::ZoneCollector(const ZoneCatalog& catalog) : store_(std::make_unique<Store>(catalog)) {}

ZoneCollector::ZoneCollector(ZoneCollector&&) noexcept = default;
ZoneCollector::~ZoneCollector() = default;

void ZoneCollector::take(ZoneGroup& group, std::size_t number) { store_->take(group, number); }

void ZoneCollector::join(const ZoneCollector& other) { store_->join(*other.store_); }

ZoneStats ZoneCollector::stats() const { return store_->stats(); }

namespace {

int rank_of(const MergedZone& zone) {
  const bool is_own = !zone.has_self() || zone.source->kind == ZoneKind::kUser;
  return is_own ? 0 : zone.source->kind == ZoneKind::kKernel ? 1 : 2;
}

double own_time(const MergedZone& zone) { return zone.is_sum() ? zone.total : zone.self; }

class ZoneMerger {
 public:
  explicit ZoneMerger(const CaptureZones& zones) : zones_(zones) {
    for (const ProcessorFigures& processor : zones.stats.processors)
      in_us_ &= zones.clock_of(processor.device) > 0;
    for (const ProcessorFigures& processor : zones.stats.processors)
      wholes_[processor.risc] += time_of(processor.device, static_cast<double>(processor.zone_cycles));
    for (const ZoneFigures& zone : zones.stats.zones) add(zone);
  }

  MergedZones result() && {
    MergedZones merged{in_us_, {}};
    merged.list.reserve(by_key_.size());
    for (auto& [key, zone] : by_key_) merged.list.push_back(std::move(zone));
    std::stable_sort(merged.list.begin(), merged.list.end(), [](const MergedZone& a, const MergedZone& b) {
      return rank_of(a) != rank_of(b) ? rank_of(a) < rank_of(b) : own_time(a) > own_time(b);
    });
    return merged;
  }

 private:
  using Key = std::tuple<std::string, ZoneKind, std::string, std::string, std::string>;

  double time_of(std::uint32_t device, double cycles) const {
    return in_us_ ? cycles / zones_.clock_of(device) : cycles;
  }

  void add(const ZoneFigures& zone) {
    if (zone.count == 0) return;
    const ZoneSource& source = zone.source;
    MergedZone& merged = by_key_[{zone.risc, source.kind, source.name, source.file, source.line}];
    merged.source = &source;
    merged.risc = zone.risc;
    merged.devices.push_back(zone.device);
    merged.count += zone.count;
    merged.cores += zone.cores;
    merged.self += time_of(zone.device, static_cast<double>(zone.self_cycles));
    merged.total += time_of(zone.device, static_cast<double>(zone.total_cycles));
    merged.p99 = std::max(merged.p99, time_of(zone.device, zone.p99_cycles));
    merged.whole = wholes_[zone.risc];
    merged.min_value = std::min(merged.min_value, zone.min_value);
    merged.max_value = std::max(merged.max_value, zone.max_value);
  }

  const CaptureZones& zones_;
  bool in_us_ = true;
  std::map<std::string, double> wholes_;
  std::map<Key, MergedZone> by_key_;
};

}  // namespace

MergedZones merged_zones(const CaptureZones& zones) { return ZoneMerger(zones).result(); }

}  // namespace ttscope::perf
