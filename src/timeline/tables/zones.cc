// Tables of declared.h: tracks and what stands on them.
#include "timeline/tables/declared.h"

namespace ttscope::timeline {
namespace {

template <typename Get>
table::ColumnOf<Profile> of_track(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.timeline, profile.timeline.tracks[row]);
  });
}

template <typename Get>
table::ColumnOf<Profile> of_zone(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(
      name, unit, doc, [](const Profile& profile, std::size_t row) { return Get{}(profile.timeline, row); });
}

template <typename Get>
table::ColumnOf<Profile> of_message(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.timeline, profile.timeline.messages[row]);
  });
}

std::optional<std::uint32_t> known(std::uint32_t number) {
  return number == kNone ? std::nullopt : std::optional(number);
}

const ZoneDetail& detail_of(const Timeline& timeline, std::size_t zone) {
  return timeline.details[timeline.zones.detail[zone]];
}
const Location& place_of(const Timeline& timeline, std::size_t zone) {
  return timeline.locations[timeline.zones.location[zone]];
}

}  // namespace

const table::TableOf<Profile>& tracks_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "tracks",
      "A row of the timeline: a thread, a processor of a core, the ops of a device, the gaps between them, "
      "frames",
      {
          table::ascending(table::column<Profile>("track", "", "Number of the track, from 0",
                                                  [](const Profile&, std::size_t row) { return row; })),
          of_track("name", "", "What the track is called: a thread's name, `BRISC`",
                   [](const Timeline& timeline, const Track& track) { return timeline.text(track.name); }),
          of_track(
              "group_name", "", "What it belongs to, outermost first: `Device 0 / Core 1,2`",
              [](const Timeline& timeline, const Track& track) { return full_name(timeline, track.group); }),
          of_track("kind", "",
                   "`thread`, `frames`, `lane` (a processor of a core), `ops` or `gaps` (no op ran)",
                   [](const Timeline&, const Track& track) { return key_of(track.kind); }),
          of_track("id", "", "Of the thread or lane, as the program numbers it",
                   [](const Timeline&, const Track& track) { return track.id; }),
          of_track("device", "", "Device of a lane or of ops",
                   [](const Timeline&, const Track& track) { return known(track.device); }),
          of_track("core_x", "", "Of a lane: NOC0 column of its core",
                   [](const Timeline&, const Track& track) {
                     return track.device != kNone && track.kind == TrackKind::kLane
                                ? std::optional<std::uint32_t>(track.core_x)
                                : std::nullopt;
                   }),
          of_track("core_y", "", "Of a lane: NOC0 row of its core",
                   [](const Timeline&, const Track& track) {
                     return track.device != kNone && track.kind == TrackKind::kLane
                                ? std::optional<std::uint32_t>(track.core_y)
                                : std::nullopt;
                   }),
          of_track("zones", "", "How many zones it has",
                   [](const Timeline&, const Track& track) { return track.zone_count; }),
          of_track("most_depth", "", "How deep they lie in each other at most; 0: not at all",
                   [](const Timeline&, const Track& track) { return track.most_depth; }),
      });
  return kSpec;
}

const table::TableOf<Profile>& zones_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "timeline_zones", "One zone: a stretch of time on a track; measured",
      {
          table::ascending(table::column<Profile>("zone", "", "Number of the zone, from 0",
                                                  [](const Profile&, std::size_t row) { return row; })),
          table::ascending(of_zone(
              "track", "", "Number of its track, as in the table `tracks`",
              [](const Timeline& timeline, std::size_t zone) { return timeline.track_of_zone(zone); })),
          of_zone("name", "", "What it is called: its own name, or that of its place in the source",
                  [](const Timeline& timeline, std::size_t zone) { return timeline.name_of_zone(zone); }),
          of_zone("start_ns", "ns", "When it begins, on the axis of the timeline",
                  [](const Timeline& timeline, std::size_t zone) { return timeline.zones.start_ns[zone]; }),
          of_zone("length_ns", "ns", "How long it lasts",
                  [](const Timeline& timeline, std::size_t zone) { return timeline.zones.length_ns(zone); }),
          of_zone("depth", "", "In how many others it lies",
                  [](const Timeline& timeline, std::size_t zone) { return timeline.zones.depth[zone]; }),
          of_zone("text", "", "What the program said of it",
                  [](const Timeline& timeline, std::size_t zone) {
                    return text_or_null(timeline.text(detail_of(timeline, zone).text));
                  }),
          of_zone("op", "", "GLOBAL CALL COUNT of the op that it belongs to",
                  [](const Timeline& timeline, std::size_t zone) {
                    const std::uint64_t op = detail_of(timeline, zone).op;
                    return op == kNoOp ? std::nullopt : std::optional(op);
                  }),
          of_zone("file", "", "Source file",
                  [](const Timeline& timeline, std::size_t zone) {
                    return text_or_null(timeline.text(place_of(timeline, zone).file));
                  }),
          of_zone("line", "", "Line of it",
                  [](const Timeline& timeline, std::size_t zone) { return place_of(timeline, zone).line; }),
      });
  return kSpec;
}

const table::TableOf<Profile>& messages_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "messages", "A message of a program: signposts, what ops are, log lines",
      {
          table::ascending(
              of_message("time_ns", "ns", "When it was sent, on the axis of the timeline",
                         [](const Timeline&, const Message& message) { return message.time_ns; })),
          of_message(
              "text", "", "The whole message",
              [](const Timeline& timeline, const Message& message) { return timeline.text(message.text); }),
          of_message("track", "", "Number of its thread, as in the table `tracks`",
                     [](const Timeline&, const Message& message) { return known(message.track); }),
          of_message("color", "", "Colour that the program gave it, as 0xRRGGBB in decimal",
                     [](const Timeline&, const Message& message) { return message.color; }),
      });
  return kSpec;
}

}  // namespace ttscope::timeline
