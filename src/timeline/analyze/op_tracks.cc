#include "timeline/analyze/op_tracks.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "base/number_text.h"

namespace ttscope::timeline {
namespace {

/// What stands before the next comma, which is taken too.
std::string_view next_part(std::string_view& text) {
  const std::size_t comma = std::min(text.find(','), text.size());
  std::string_view part = text.substr(0, comma);
  text.remove_prefix(std::min(comma + 1, text.size()));
  const std::size_t begin = std::min(part.find_first_not_of(' '), part.size());
  part.remove_prefix(begin);
  return part.substr(0, part.find_last_not_of(' ') + 1);
}

}  // namespace

std::optional<MessageOp> parse_op_message_line(std::string_view message) {
  constexpr std::string_view kMark = "TT_DNN_DEVICE_OP: \"";
  const std::size_t at = message.substr(0, kMark.size() + 1).find(kMark);
  if (at == std::string_view::npos) return std::nullopt;
  message.remove_prefix(at + kMark.size());
  const std::size_t end = std::min(message.find('"'), message.size());
  MessageOp told;
  told.name = message.substr(0, end);
  std::string_view rest = message.substr(end);
  rest = rest.substr(0, rest.find_first_of("\n>`"));
  if (!rest.empty() && rest.back() == '-') rest.remove_suffix(1);
  next_part(rest);  // the quote
  next_part(rest);  // the hash
  told.device = next_part(rest);
  std::string_view last;
  while (!rest.empty()) last = next_part(rest);
  told.op = parse_unsigned(last).value_or(kNoOp);
  return told;
}

std::uint64_t op_of_text(std::string_view text) {
  constexpr std::string_view kMark = "id:";
  return text.starts_with(kMark) ? parse_unsigned(text.substr(kMark.size())).value_or(kNoOp) : kNoOp;
}

bool is_op_message(const Timeline& timeline, const Track& track, std::uint32_t location) {
  const std::string_view risc = timeline.text(track.name);
  return track.kind == TrackKind::kLane && (risc == "BRISC" || risc == "ERISC") &&
         timeline.name_of_location(location).ends_with("-FW");
}

namespace {

constexpr std::string_view kUnnamedOp = "op without a name";

/// The ops of the devices of a capture.
class LaneOps {
 public:
  explicit LaneOps(Timeline& timeline) : timeline_(timeline), tracks_(timeline) {}

  void add() {
    std::set<std::uint32_t> has_ops;
    for (const Track& track : timeline_.tracks) {
      if (track.kind == TrackKind::kOps) has_ops.insert(track.device);
    }
    const std::size_t recorded = timeline_.tracks.size();
    for (std::size_t i = 0; i < recorded; ++i) {
      const Track& track = timeline_.tracks[i];
      if (track.kind == TrackKind::kLane && !has_ops.contains(track.device)) take_lane(track);
    }
    if (executions_.empty()) return;
    take_names();
    std::map<std::uint32_t, std::vector<OpSpan>> by_device;
    for (const auto& [key, span] : executions_) {
      const auto& [device, op, execution] = key;
      by_device[device].push_back(span);
      by_device[device].back().name = name_of(op);
      by_device[device].back().key = execution;
    }
    for (auto& [device, spans] : by_device) {
      tracks_.add({device, groups_[device], true}, spans);
      for (const OpSpan& span : spans) {
        if (span.key == 0) first_zones_[span.op].push_back(span.zone);
      }
    }
    add_links(recorded);
  }

 private:
  /// A core runs the executions of an op in their order.
  void take_lane(const Track& track) {
    std::map<std::uint64_t, std::size_t> seen;
    const Zones& zones = timeline_.zones;
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      const std::uint64_t op = timeline_.details[zones.detail[zone]].op;
      if (op == kNoOp || !is_op_message(timeline_, track, zones.location[zone])) continue;
      const OpSpan own = {zones.start_ns[zone], zones.end_ns[zone], op};
      const auto [span, is_new] = executions_.try_emplace({track.device, op, seen[op]++}, own);
      if (is_new) continue;
      span->second.start_ns = std::min(span->second.start_ns, own.start_ns);
      span->second.end_ns = std::max(span->second.end_ns, own.end_ns);
    }
    const TrackGroup& core = timeline_.groups[track.group];
    groups_.try_emplace(track.device, core.parent == kNone ? track.group : core.parent);
  }

  void take_names() {
    for (const Message& message : timeline_.messages) {
      const auto told = parse_op_message_line(timeline_.text(message.text));
      if (told && told->op != kNoOp) names_.emplace(told->op, std::string(told->name));
    }
  }
  TextId name_of(std::uint64_t op) {
    const auto found = names_.find(op);
    return timeline_.texts.intern(found == names_.end() ? kUnnamedOp : std::string_view(found->second));
  }

  void add_links(std::size_t recorded) {
    for (std::size_t i = 0; i < recorded; ++i) {
      const Track& track = timeline_.tracks[i];
      if (track.kind != TrackKind::kThread) continue;
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        const ZoneDetail& detail = timeline_.details[timeline_.zones.detail[zone]];
        const auto begun = first_zones_.find(op_of_text(timeline_.text(detail.text)));
        if (begun == first_zones_.end()) continue;
        for (const std::size_t to : begun->second) link(zone, to);
        first_zones_.erase(begun);
      }
    }
    for (const auto& [device, delays] : delays_) add_alignment_doubt(device, delays);
  }

  /// How far ops are from the host's zones of them.
  struct Delays {
    std::int64_t min_from_begin_ns = INT64_MAX;
    std::int64_t min_from_end_ns = INT64_MAX;
  };

  void link(std::size_t sent, std::size_t begun) {
    const Zones& zones = timeline_.zones;
    timeline_.links.push_back({sent, begun});
    Delays& delays = delays_[timeline_.tracks[timeline_.track_of_zone(begun)].device];
    delays.min_from_begin_ns =
        std::min(delays.min_from_begin_ns, zones.start_ns[begun] - zones.start_ns[sent]);
    delays.min_from_end_ns = std::min(delays.min_from_end_ns, zones.start_ns[begun] - zones.end_ns[sent]);
  }

  /// A capture has the device's times whether or not the clocks were brought together before.
  void add_alignment_doubt(std::uint32_t device, const Delays& delays) {
    constexpr std::int64_t kMaxQueueDelayNs =
        1'000'000'000;  // no queue keeps a device from all of its ops so long
    const bool is_early = delays.min_from_begin_ns < 0;
    if (!is_early && delays.min_from_end_ns < kMaxQueueDelayNs) return;
    timeline_.findings.push_back(
        {.kind = is_early ? FindingKind::kOpBeforeHost : FindingKind::kOpsLongAfterHost,
         .distance_ns = is_early ? -delays.min_from_begin_ns : delays.min_from_end_ns,
         .device = device});
  }

  Timeline& timeline_;
  OpTracks tracks_;
  std::map<std::tuple<std::uint32_t, std::uint64_t, std::size_t>, OpSpan> executions_;
  std::map<std::uint32_t, std::uint32_t> groups_;  ///< of devices
  std::map<std::uint32_t, Delays> delays_;         ///< the same
  std::unordered_map<std::uint64_t, std::string> names_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> first_zones_;  ///< by op, one of each device
};

}  // namespace

void OpTracks::add(const OpDevice& device, std::vector<OpSpan>& spans) {
  std::stable_sort(spans.begin(), spans.end(),
                   [](const OpSpan& a, const OpSpan& b) { return a.start_ns < b.start_ns; });
  std::vector<std::vector<OpSpan*>> lanes;
  for (OpSpan& span : spans) {
    auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const std::vector<OpSpan*>& placed) {
      return placed.back()->end_ns <= span.start_ns;
    });
    if (lane == lanes.end()) lane = lanes.emplace(lanes.end());
    lane->push_back(&span);
  }
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    Track track = track_of(device, TrackKind::kOps);
    track.name = timeline_.texts.intern(i == 0 ? std::string("Ops") : fmt::format("Ops {}", i + 1));
    track.id = i;
    track.zone_count = lanes[i].size();
    for (OpSpan* span : lanes[i]) {
      span->zone = timeline_.zones.open(span->start_ns, place_of(span->name), detail_of(span->op), 0);
      timeline_.zones.end_ns.back() = span->end_ns;
    }
    timeline_.tracks.push_back(track);
  }
  add_gaps(device, spans);
}

/// A gap is told with the op that the device waited for.
void OpTracks::add_gaps(const OpDevice& device, const std::vector<OpSpan>& spans) {
  Track track = track_of(device, TrackKind::kGaps);
  track.name = timeline_.texts.intern("Gaps");
  const std::uint32_t place = place_of(timeline_.texts.intern("no op runs"));
  std::int64_t busy_until = spans.empty() ? 0 : spans.front().start_ns;
  for (const OpSpan& span : spans) {
    if (span.start_ns > busy_until) {
      timeline_.zones.open(busy_until, place, detail_of(span.op), 0);
      timeline_.zones.end_ns.back() = span.start_ns;
    }
    busy_until = std::max(busy_until, span.end_ns);
  }
  track.zone_count = timeline_.zones.size() - track.first_zone;
  if (track.zone_count > 0) timeline_.tracks.push_back(track);
}

Track OpTracks::track_of(const OpDevice& device, TrackKind kind) const {
  Track track;
  track.kind = kind;
  track.group = device.group;
  track.device = device.device;
  track.made = device.made;
  track.first_zone = timeline_.zones.size();
  return track;
}

std::uint32_t OpTracks::place_of(TextId name) {
  const auto [found, is_new] =
      places_.try_emplace(name, static_cast<std::uint32_t>(timeline_.locations.size()));
  if (is_new) timeline_.locations.push_back({.name = name});
  return found->second;
}

std::uint32_t OpTracks::detail_of(std::uint64_t op) {
  if (op == kNoOp) return 0;
  const auto [found, is_new] = details_.try_emplace(op, static_cast<std::uint32_t>(timeline_.details.size()));
  if (is_new) timeline_.details.push_back({.op = op});
  return found->second;
}

void add_ops_of_lanes(Timeline& timeline) { LaneOps(timeline).add(); }

}  // namespace ttscope::timeline
