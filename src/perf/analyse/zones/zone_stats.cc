#include "perf/analyse/zones/zone_stats.h"

#include <algorithm>
#include <tuple>

#include "perf/analyse/zones/zone_store.h"

namespace ttscope::perf {

namespace {

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
    figures.least_value = entry.count > 0 ? entry.min_cycles : 0;
    figures.most_value = entry.max_cycles;
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

}  // namespace ttscope::perf
