#include "perf/lane_zones.h"

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "perf/analyse/zones/zone_pairing.h"
#include "perf/model/device_timer.h"
#include "perf/read/device_log/zone_groups.h"

namespace ttscope::perf {
namespace {

/// Keeps what pairing finds.
class LaneSink final : public ZoneSink {
 public:
  explicit LaneSink(LaneZones& lane) : lane_(lane) {}
  void take_zone(const PairedZone& zone) override {
    lane_.zones.push_back({zone.start_cycle, zone.start_cycle + zone.cycles, zone.zone, zone.execution, 0});
  }
  void take_roots(std::uint64_t /*cycles*/) override {}
  void take_unmatched(const ZoneMarker& /*marker*/) override { ++lane_.unmatched; }

 private:
  LaneZones& lane_;
};

/// Pairing gives zones in the order of their ends, so that what lies inside comes first.
void put_in_order(std::vector<LaneZone>& zones) {
  std::reverse(zones.begin(), zones.end());
  std::stable_sort(zones.begin(), zones.end(), [](const LaneZone& a, const LaneZone& b) {
    return a.start_cycle != b.start_cycle ? a.start_cycle < b.start_cycle : a.end_cycle > b.end_cycle;
  });
  std::vector<std::uint64_t> ends;
  for (LaneZone& zone : zones) {
    while (!ends.empty() && (ends.back() <= zone.start_cycle || ends.back() < zone.end_cycle))
      ends.pop_back();
    zone.depth = static_cast<std::uint16_t>(std::min<std::size_t>(ends.size(), UINT16_MAX));
    ends.push_back(zone.end_cycle);
  }
}

/// The timer begins again after 44 bits, the zones around the marks tell how often it had.
void add_marks(const ZoneGroup& group, LaneZones& lane) {
  constexpr std::uint64_t kTurn = std::uint64_t{1} << kTimerBits;
  std::uint64_t last = 0;
  for (const LaneZone& zone : lane.zones) last = std::max(last, zone.end_cycle);
  const std::uint64_t first = lane.zones.empty() ? 0 : lane.zones.front().start_cycle;
  for (const ZoneTotal& mark : group.totals) {
    const ZoneKind kind = lane.catalog->zones[mark.zone].kind;
    if (kind != ZoneKind::kData && kind != ZoneKind::kEvent) continue;
    std::uint64_t cycle = mark.cycle;
    while (group.wraps && cycle < first && cycle + kTurn <= last) cycle += kTurn;
    lane.marks.push_back({cycle, mark.cycles, mark.zone, mark.execution});
  }
  std::stable_sort(lane.marks.begin(), lane.marks.end(),
                   [](const LaneMark& a, const LaneMark& b) { return a.cycle < b.cycle; });
}

LaneZones lane_of(ZoneGroupReader& reader, const ZonePlace& place) {
  ZoneGroup& group = reader.read(place);
  LaneZones lane;
  lane.device = place.device;
  lane.x = place.x;
  lane.y = place.y;
  lane.risc = place.risc;
  lane.catalog = &reader.catalog();
  lane.zones.reserve(group.markers.size() / 2);
  LaneSink sink(lane);
  pair_zones(group, reader.catalog(), sink);
  put_in_order(lane.zones);
  add_marks(group, lane);
  return lane;
}

}  // namespace

void read_lane_zones(std::string_view log, unsigned threads,
                     const std::function<void(const LaneZones&)>& take) {
  const ZonePlaces places(log, threads);
  const std::size_t workers = std::clamp<std::size_t>(places.size(), 1, std::max(1u, threads));
  std::vector<std::unique_ptr<ZoneGroupReader>> readers;
  readers.reserve(workers);
  for (std::size_t i = 0; i < workers; ++i) readers.push_back(std::make_unique<ZoneGroupReader>(places));
  // A few lanes at a time: all of them would be the timeline twice.
  for (std::size_t first = 0; first < places.size(); first += workers) {
    std::vector<LaneZones> lanes(std::min(workers, places.size() - first));
    run_parallel(lanes.size(), threads,
                 [&](std::size_t i) { lanes[i] = lane_of(*readers[i], places[first + i]); });
    for (const LaneZones& lane : lanes) take(lane);
  }
}

}  // namespace ttscope::perf
