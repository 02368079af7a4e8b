#include "app/timeline/device_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>

#include "app/timeline/noc_tracks.h"
#include "base/number_text.h"
#include "perf/lane_zones.h"
#include "timeline/analyse/op_tracks.h"

namespace ttscope::app {
namespace {

using timeline::kNoOp;
using timeline::Timeline;
using timeline::TimelineProblem;
using timeline::Track;
using timeline::TrackKind;

constexpr double kTimerTurn = 17592186044416.0;  // 44 bits

/// The processors as tt-metal numbers them in Tracy, and the colours that it gives them.
struct ProcessorStyle {
  std::string_view name;
  std::uint32_t color;
};
constexpr std::array<ProcessorStyle, 6> kProcessors = {{{"BRISC", 0xEE9A00},
                                                        {"NCRISC", 0x43CD80},
                                                        {"TRISC_0", 0x6CA6CD},
                                                        {"TRISC_1", 0x00E5EE},
                                                        {"TRISC_2", 0x98F5FF},
                                                        {"ERISC", 0xCDCD00}}};
constexpr std::uint32_t kOtherColor = 0x79CDCD;
constexpr std::uint32_t kProfilerColor = 0xCD4F39;
constexpr std::uint32_t kMarkColor = 0xFFD700;

std::size_t processor_number(std::string_view risc) {
  for (std::size_t i = 0; i < kProcessors.size(); ++i) {
    if (kProcessors[i].name == risc) return i;
  }
  return kProcessors.size();
}

class DeviceTracks {
 public:
  DeviceTracks(DeviceRun& given, Timeline& timeline)
      : run_(given.run), given_(given), clocks_(given.clocks), timeline_(timeline) {}

  void add() {
    add_ops();
    for (const perf::Capture& capture : run_.captures) {
      if (!capture.log) continue;
      perf::read_lane_zones(capture.log_text.bytes(), given_.threads,
                            [&](const perf::LaneZones& lane) { add_lane(capture, lane); });
      known_zones_.clear();
    }
    add_links();
    add_noc_tracks(run_, clocks_, timeline_);
    std::stable_sort(
        timeline_.messages.begin(), timeline_.messages.end(),
        [](const timeline::Message& a, const timeline::Message& b) { return a.time_ns < b.time_ns; });
    for (const auto& [device, clock] : clocks_) timeline_.alignments.push_back(clock.alignment);
  }

 private:
  std::uint32_t add_group(std::string_view name, std::uint32_t parent) {
    timeline_.groups.push_back({timeline_.texts.intern(name), parent});
    return static_cast<std::uint32_t>(timeline_.groups.size() - 1);
  }
  std::uint32_t device_group(std::uint32_t device) {
    const auto [found, is_new] = device_groups_.try_emplace(device, 0);
    if (is_new) found->second = add_group(fmt::format("Device {}", device), kNone);
    return found->second;
  }
  std::uint32_t core_group(std::uint32_t device, std::uint16_t x, std::uint16_t y) {
    const std::uint32_t parent = device_group(device);
    const auto [found, is_new] = core_groups_.try_emplace({device, x, y}, 0);
    if (is_new) found->second = add_group(fmt::format("Core {},{}", x, y), parent);
    return found->second;
  }

  std::uint32_t detail_of_op(std::uint64_t op) {
    if (op == kNoOp) return 0;
    const auto [found, is_new] =
        op_details_.try_emplace(op, static_cast<std::uint32_t>(timeline_.details.size()));
    if (is_new) timeline_.details.push_back({.op = op});
    return found->second;
  }

  std::uint32_t location_of(const timeline::Location& place) {
    const auto [found, is_new] =
        locations_.try_emplace(fmt::format("{},{},{},{}", place.name, place.file, place.line, place.color),
                               static_cast<std::uint32_t>(timeline_.locations.size()));
    if (is_new) timeline_.locations.push_back(place);
    return found->second;
  }

  void add_ops() {
    std::map<std::uint32_t, std::vector<timeline::OpSpan>> by_device;
    for (std::uint32_t i = 0; i < run_.report.rows.size(); ++i) {
      const perf::OpRow& row = run_.report.rows[i];
      if (!perf::has_cycles(row) || row.device < 0) continue;
      const auto clock = clocks_.find(static_cast<std::uint32_t>(row.device));
      if (clock == clocks_.end() || !clock->second.is_known() || std::isnan(clock->second.anchor_cycle))
        continue;
      const std::string_view name = run_.report.text(run_.report.kind_of(row).op_code);
      by_device[clock->first].push_back(
          {to_axis(clock->second, row.fw_start_cycle), to_axis(clock->second, row.fw_end_cycle), op_id(row),
           timeline_.texts.intern(name.empty() ? "op without a name" : name), i});
    }
    timeline::OpTracks tracks(timeline_);
    for (auto& [device, spans] : by_device) {
      tracks.add({device, device_group(device)}, spans);
      for (const timeline::OpSpan& span : spans) row_zones_[static_cast<std::uint32_t>(span.key)] = span.zone;
    }
  }

  static std::uint64_t op_id(const perf::OpRow& row) {
    return row.call_count >= 0 && row.call_count < 1e18 ? static_cast<std::uint64_t>(row.call_count) : kNoOp;
  }

  static std::int64_t to_axis(const DeviceClock& clock, double cycle) {
    constexpr double kMost = 4e18;
    return std::llround(std::clamp(clock.ns_at(cycle), -kMost, kMost));
  }

  void add_lane(const perf::Capture& capture, const perf::LaneZones& lane) {
    const auto device = static_cast<std::uint32_t>(lane.device + capture.device_offset);
    if (lane.unmatched > 0) {
      timeline_.problems.add_count(TimelineProblem::kMarkerUnmatched, lane.unmatched);
      timeline_.problems.add_place(
          TimelineProblem::kMarkerUnmatched,
          fmt::format("device {}, core {},{}, {}", device, lane.x, lane.y, lane.risc));
    }
    if (lane.zones.empty() && lane.marks.empty()) return;
    DeviceClock& clock = clocks_[device];
    if (!clock.is_known()) {
      timeline_.problems.add_count(TimelineProblem::kWithoutClock, lane.zones.size() + lane.marks.size());
      return;
    }
    const auto first =
        static_cast<double>(lane.zones.empty() ? lane.marks.front().cycle : lane.zones.front().start_cycle);
    if (std::isnan(clock.anchor_cycle)) clock.anchor_cycle = first;
    // The timer may have begun again before this processor was first seen.
    const double turns = std::round((clock.anchor_cycle - first) / kTimerTurn) * kTimerTurn;
    Track track;
    track.name = timeline_.texts.intern(lane.risc);
    track.kind = TrackKind::kLane;
    track.group = core_group(device, lane.x, lane.y);
    const std::size_t number = processor_number(lane.risc);
    track.id = (number & 7) | (lane.x & 15U) << 3 | (lane.y & 15U) << 7 | (std::uint64_t{device} & 255) << 11;
    track.device = device;
    track.core_x = lane.x;
    track.core_y = lane.y;
    track.first_zone = timeline_.zones.size();
    track.zone_count = lane.zones.size();
    Known& known = known_zones_[lane.catalog];
    for (const perf::LaneZone& zone : lane.zones) {
      const std::uint32_t place = place_of(known, *lane.catalog, zone.zone, number);
      const std::uint32_t detail = detail_of(known, *lane.catalog, zone.execution);
      timeline_.zones.open(to_axis(clock, static_cast<double>(zone.start_cycle) + turns), place, detail,
                           zone.depth);
      timeline_.zones.end_ns.back() = to_axis(clock, static_cast<double>(zone.end_cycle) + turns);
      track.most_depth = std::max(track.most_depth, zone.depth);
    }
    add_marks(lane, clock, turns);
    timeline_.tracks.push_back(track);
  }

  /// Moments that a kernel's author marked are messages of the lane, which is the next track.
  void add_marks(const perf::LaneZones& lane, const DeviceClock& clock, double turns) {
    const auto track = static_cast<std::uint32_t>(timeline_.tracks.size());
    for (const perf::LaneMark& mark : lane.marks) {
      const perf::ZoneSource& source = lane.catalog->zones[mark.zone];
      const bool has_value = source.kind == perf::ZoneKind::kData;
      const timeline::TextId text = timeline_.texts.intern(
          has_value ? fmt::format("{} = {}", source.name, mark.value) : std::string_view(source.name));
      timeline_.messages.push_back(
          {to_axis(clock, static_cast<double>(mark.cycle) + turns), text, track, kMarkColor});
    }
  }

  /// What the numbers of a catalog are here.
  struct Known {
    std::array<std::vector<std::uint32_t>, kProcessors.size() + 1> places;  ///< by processor, for its colour
    std::vector<std::uint32_t> details;
  };

  std::uint32_t place_of(Known& known, const perf::ZoneCatalog& catalog, std::uint32_t zone,
                         std::size_t processor) {
    std::vector<std::uint32_t>& places = known.places[processor];
    if (places.size() < catalog.zones.size()) places.resize(catalog.zones.size(), kNone);
    if (places[zone] != kNone) return places[zone];
    const perf::ZoneSource& source = catalog.zones[zone];
    timeline::Location place;
    place.name = timeline_.texts.intern(source.name);
    place.file = timeline_.texts.intern(source.file);
    place.line = static_cast<std::uint32_t>(parse_unsigned(source.line).value_or(0));
    place.color = source.kind == perf::ZoneKind::kProfiler ? kProfilerColor
                  : processor < kProcessors.size()         ? kProcessors[processor].color
                                                           : kOtherColor;
    return places[zone] = location_of(place);
  }

  std::uint32_t detail_of(Known& known, const perf::ZoneCatalog& catalog, std::uint32_t execution) {
    if (execution == kNone) return 0;
    if (known.details.size() < catalog.executions.size())
      known.details.resize(catalog.executions.size(), kNone);
    std::uint32_t& detail = known.details[execution];
    if (detail == kNone) detail = detail_of_op(catalog.executions[execution].op_id);
    return detail;
  }

  void add_links() {
    for (const auto& [row, zone] : row_zones_) {
      const perf::OpRow& op = run_.report.rows[row];
      if (!std::isnan(op.trace_id) || !(op.call_count >= 0) || op.call_count > 1e18) continue;
      const HostOpZones* sent = host_zones_of(op.device);
      if (sent == nullptr) continue;
      const auto host = sent->find(static_cast<std::uint64_t>(op.call_count));
      if (host != sent->end()) timeline_.links.push_back({host->second, zone});
    }
    std::map<std::uint32_t, std::size_t> collectives;
    for (const perf::DeviceLane& lane : run_.reading.ops.clock.lanes) {
      for (const perf::TimedOp& op : lane.ops) {
        const auto zone = row_zones_.find(op.row);
        if (op.collective == kNone || zone == row_zones_.end()) continue;
        const auto [first, is_new] = collectives.try_emplace(op.collective, zone->second);
        if (!is_new) timeline_.links.push_back({first->second, zone->second});
      }
    }
  }

  const HostOpZones* host_zones_of(std::int32_t device) const {
    const HostOpZones* found = nullptr;
    for (std::size_t i = 0; i < run_.captures.size() && i < given_.host_zones.size(); ++i) {
      if (run_.captures[i].device_offset <= device) found = &given_.host_zones[i];
    }
    return found;
  }

  const perf::Profile& run_;
  DeviceRun& given_;
  std::map<std::uint32_t, DeviceClock>& clocks_;
  Timeline& timeline_;
  std::map<std::uint32_t, std::uint32_t> device_groups_;
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, std::uint32_t> core_groups_;
  std::unordered_map<std::uint64_t, std::uint32_t> op_details_;
  std::unordered_map<std::string, std::uint32_t> locations_;
  std::map<std::uint32_t, std::size_t> row_zones_;
  std::map<const perf::ZoneCatalog*, Known> known_zones_;
};

}  // namespace

void add_device_tracks(DeviceRun run, timeline::Timeline& timeline) { DeviceTracks(run, timeline).add(); }

}  // namespace ttscope::app
