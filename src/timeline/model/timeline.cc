#include "timeline/model/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

namespace ttscope::timeline {

std::string_view key_of(TrackKind kind) {
  constexpr std::array<std::string_view, 5> kKeys = {"thread", "frames", "lane", "ops", "gaps"};
  return kKeys[static_cast<std::size_t>(kind)];
}

std::string_view key_of(PlotUnit unit) {
  constexpr std::array<std::string_view, 3> kKeys = {"number", "bytes", "percent"};
  return kKeys[static_cast<std::size_t>(unit)];
}

std::string_view key_of(AlignmentBasis basis) {
  constexpr std::array<std::string_view, 9> kKeys = {
      "axis", "recorded", "sync", "host_ops", "collectives", "device_ops", "shared_ops", "stamps", "start"};
  return kKeys[static_cast<std::size_t>(basis)];
}

std::string_view key_of(PeerExchanges::ToHost to_host) {
  constexpr std::array<std::string_view, 3> kKeys = {"own_ops", "other_ops", "not_known"};
  return kKeys[static_cast<std::size_t>(to_host)];
}

void Zones::reserve(std::size_t count) {
  start_ns.reserve(count);
  end_ns.reserve(count);
  location.reserve(count);
  detail.reserve(count);
  depth.reserve(count);
}

std::size_t Zones::open(std::int64_t start, std::uint32_t place, std::uint32_t note, std::size_t nesting) {
  start_ns.push_back(start);
  end_ns.push_back(start);
  location.push_back(place);
  detail.push_back(note);
  depth.push_back(static_cast<std::uint16_t>(std::min<std::size_t>(nesting, UINT16_MAX)));
  return start_ns.size() - 1;
}

std::uint64_t TimelineSource::captured_at_s() const {
  constexpr std::int64_t kNsPerS = 1'000'000'000;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(captured_at_ns, 0) / kNsPerS);
}

Timeline::Timeline() : details(1) { texts.intern(""); }

std::string_view Timeline::name_of_location(std::uint32_t location) const {
  const Location& place = locations[location];
  return texts[place.name != 0 ? place.name : place.function];
}

std::string_view Timeline::name_of_zone(std::size_t zone) const {
  const TextId own = details[zones.detail[zone]].name;
  return own != 0 ? texts[own] : name_of_location(zones.location[zone]);
}

std::uint32_t Timeline::track_of_zone(std::size_t zone) const {
  const auto behind =
      std::upper_bound(tracks.begin(), tracks.end(), zone,
                       [](std::size_t number, const Track& track) { return number < track.first_zone; });
  // Tracks without zones begin where the next one does.
  auto found = behind - 1;
  while (found->zone_count == 0) --found;
  return static_cast<std::uint32_t>(found - tracks.begin());
}

bool Timeline::has_simulated_chips() const {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.kind == FindingKind::kSimulatedChips; });
}

void Timeline::find_span() {
  std::int64_t first = INT64_MAX;
  std::int64_t last = last_ns;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    first = std::min(first, from);
    last = std::max(last, to);
  };
  for (const Track& track : tracks) {
    // Zones that lie in no other are in order: only they can be the last ones.
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      if (zones.depth[zone] == 0) add(zones.start_ns[zone], zones.end_ns[zone]);
    }
  }
  for (const Message& message : messages) add(message.time_ns, message.time_ns);
  for (const Plot& plot : plots) {
    if (!plot.points.empty()) add(plot.points.front().time_ns, plot.points.back().time_ns);
  }
  first_ns = first == INT64_MAX ? 0 : first;
  last_ns = std::max(last, first_ns);
}

void Timeline::merge_equal_locations() {
  using Key = std::tuple<TextId, TextId, TextId, std::uint32_t, std::uint32_t>;
  std::map<Key, std::uint32_t> known;
  std::vector<Location> kept;
  std::vector<std::uint32_t> places;
  for (const Location& place : locations) {
    const auto next = static_cast<std::uint32_t>(kept.size());
    const Key key{place.name, place.function, place.file, place.line, place.color};
    // Places that no file tells of are not the same.
    const std::uint32_t number = place == Location{} ? next : known.try_emplace(key, next).first->second;
    if (number == next) kept.push_back(place);
    places.push_back(number);
  }
  for (std::uint32_t& place : zones.location) place = places[place];
  locations = std::move(kept);
}

std::string full_name(const Timeline& timeline, std::uint32_t group) {
  std::string name;
  for (std::uint32_t at = group; at != kNone; at = timeline.groups[at].parent) {
    const std::string_view own = timeline.text(timeline.groups[at].name);
    name = name.empty() ? std::string(own) : fmt::format("{} / {}", own, name);
  }
  return name;
}

std::string full_name(const Timeline& timeline, const Track& track) {
  const std::string group = full_name(timeline, track.group);
  const std::string_view own = timeline.text(track.name);
  return group.empty() ? std::string(own) : group + " / " + std::string(own);
}

std::string_view key_of(FindingKind kind) {
  switch (kind) {  // a kind that is forgotten does not compile
    case FindingKind::kReaderWarning:
      return "reader_warning";
    case FindingKind::kBadRecords:
      return "bad_records";
    case FindingKind::kCaptureCut:
      return "capture_cut";
    case FindingKind::kCaptureRestUnread:
      return "capture_rest_unread";
    case FindingKind::kEventsDroppedDisk:
      return "marks_dropped_disk";
    case FindingKind::kEventsDroppedRoom:
      return "marks_dropped_room";
    case FindingKind::kRecordingDamaged:
      return "recording_damaged";
    case FindingKind::kRecordingCut:
      return "recording_cut";
    case FindingKind::kThreadsCut:
      return "threads_cut";
    case FindingKind::kOpBeforeHost:
      return "op_before_host";
    case FindingKind::kOpsLongAfterHost:
      return "ops_long_after_host";
    case FindingKind::kNoSuchCore:
      return "no_such_core";
    case FindingKind::kZonesReachOver:
      return "zones_reach_over";
    case FindingKind::kNocEventsDamaged:
      return "noc_events_damaged";
    case FindingKind::kLogWithoutTimes:
      return "log_without_times";
    case FindingKind::kHostGuessed:
      return "host_guessed";
    case FindingKind::kLogWithoutMemory:
      return "log_without_memory";
    case FindingKind::kDeviceZonesDropped:
      return "device_zones_dropped";
    case FindingKind::kOpsWithoutHost:
      return "ops_without_host";
    case FindingKind::kOpsWithoutDevice:
      return "ops_without_device";
    case FindingKind::kSimulatedChips:
      return "simulated_chips";
  }
  return {};
}

const ProblemInfo& info_of(TimelineProblem problem) {
  static constexpr std::array<ProblemInfo, kTimelineProblemCount> kInfos = {{
      {"zone_without_end", "zones have no end; they are drawn up to the last time known of their track",
       true},
      {"zone_of_child_without_end",
       "zones have no end in processes that others of the run began, which a signal ended or which left at "
       "once; they are drawn up to the last time known of their track",
       true},
      {"zone_outside", "zones do not lie inside of the zone around them; they are cut to it", true},
      {"unknown_text", "texts are named that the file does not hold; they are empty", true},
      {"unknown_location", "zones stand at a place of the source that the file does not hold", true},
      {"unknown_thread", "messages are of a thread that the file does not hold", true},
      {"row_unreadable", "rows of a table have no time", false},
      {"marker_unmatched", "starts without an end, or ends without a start, on a device", false},
      {"without_clock", "zones are of a device whose clock is not known", false},
      {"free_unknown", "times memory was freed that was not allocated while recording", false},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

}  // namespace ttscope::timeline
