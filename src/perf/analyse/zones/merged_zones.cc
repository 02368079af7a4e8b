#include "perf/analyse/zones/merged_zones.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace ttscope::perf {
namespace {

int rank_of(const MergedZone& zone) {
  const bool is_own = !zone.has_self() || zone.source->kind == ZoneKind::kUser;
  return is_own ? 0 : zone.source->kind == ZoneKind::kKernel ? 1 : 2;
}

double own_time(const MergedZone& zone) { return zone.is_sum() ? zone.total : zone.self; }

class Merging {
 public:
  explicit Merging(const CaptureZones& zones) : zones_(zones) {
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
    merged.least_value = std::min(merged.least_value, zone.least_value);
    merged.most_value = std::max(merged.most_value, zone.most_value);
  }

  const CaptureZones& zones_;
  bool in_us_ = true;
  std::map<std::string, double> wholes_;
  std::map<Key, MergedZone> by_key_;
};

}  // namespace

MergedZones merged_zones(const CaptureZones& zones) { return Merging(zones).result(); }

}  // namespace ttscope::perf
