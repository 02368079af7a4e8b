#include "timeline/tables/tables.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "base/absent.h"
#include "ui/text.h"

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

namespace {

template <typename Get>
table::ColumnOf<Profile> of_stat(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.timeline, profile.stats[row]);
  });
}

template <typename Get>
table::ColumnOf<Profile> of_plot(std::string_view name, std::string_view unit, std::string_view doc, Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.timeline, profile.timeline.plots[row]);
  });
}

template <typename Get>
table::ColumnOf<Profile> of_alignment(std::string_view name, std::string_view unit, std::string_view doc,
                                      Get) {
  return table::column<Profile>(name, unit, doc, [](const Profile& profile, std::size_t row) {
    return Get{}(profile.timeline.alignments[row]);
  });
}

}  // namespace

const table::TableOf<Profile>& zone_stats_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "zone_stats", "All zones of one place of the source on tracks of one kind",
      {
          of_stat("name", "", "What they are called",
                  [](const Timeline& timeline, const ZoneStat& stat) {
                    return timeline.name_of_location(stat.location);
                  }),
          of_stat("kind", "", "Kind of their tracks: `thread`, `frames`, `lane`, `ops` or `gaps`",
                  [](const Timeline&, const ZoneStat& stat) { return key_of(stat.kind); }),
          of_stat("file", "", "Source file",
                  [](const Timeline& timeline, const ZoneStat& stat) {
                    return text_or_null(timeline.text(timeline.locations[stat.location].file));
                  }),
          of_stat("line", "", "Line of it",
                  [](const Timeline& timeline, const ZoneStat& stat) {
                    return timeline.locations[stat.location].line;
                  }),
          of_stat("count", "", "Zones that have a length; the other figures are of these",
                  [](const Timeline&, const ZoneStat& stat) { return stat.count; }),
          of_stat("without_length", "", "Zones that begin and end in the same nanosecond",
                  [](const Timeline&, const ZoneStat& stat) { return stat.without_length; }),
          of_stat("tracks", "", "Tracks that have one",
                  [](const Timeline&, const ZoneStat& stat) { return stat.tracks; }),
          of_stat("track", "",
                  "What all of these tracks are called (the processor of lanes); null: not the same",
                  [](const Timeline& timeline, const ZoneStat& stat) {
                    return text_or_null(timeline.text(stat.track_name));
                  }),
          of_stat("total_ns", "ns", "Sum of their lengths; those that lie in each other count each",
                  [](const Timeline&, const ZoneStat& stat) { return stat.total_ns; }),
          of_stat("self_ns", "ns", "The same without the zones directly inside of them",
                  [](const Timeline&, const ZoneStat& stat) { return stat.self_ns; }),
          of_stat("mean_ns", "ns", "total_ns by count, cut to a whole number",
                  [](const Timeline&, const ZoneStat& stat) { return stat.mean_ns(); }),
          of_stat("median_ns", "ns", "Half of them are no longer",
                  [](const Timeline&, const ZoneStat& stat) { return stat.median_ns; }),
          of_stat("min_ns", "ns", "The shortest",
                  [](const Timeline&, const ZoneStat& stat) { return stat.min_ns; }),
          of_stat("max_ns", "ns", "The longest",
                  [](const Timeline&, const ZoneStat& stat) { return stat.max_ns; }),
          of_stat("deviation_ns", "ns", "Standard deviation of their lengths",
                  [](const Timeline&, const ZoneStat& stat) { return stat.deviation_ns(); }),
      });
  return kSpec;
}

const table::TableOf<Profile>& plots_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "plots", "A value over time: a plot of the program, memory in use",
      {
          table::ascending(table::column<Profile>("plot", "", "Number of the plot, from 0",
                                                  [](const Profile&, std::size_t row) { return row; })),
          of_plot("name", "", "What it is called",
                  [](const Timeline& timeline, const Plot& plot) { return timeline.text(plot.name); }),
          of_plot("unit", "", "`number`, `bytes` or `percent`",
                  [](const Timeline&, const Plot& plot) { return key_of(plot.unit); }),
          of_plot("is_derived", "", "Whether it was made from events (allocations), not recorded as points",
                  [](const Timeline&, const Plot& plot) { return plot.made; }),
          of_plot("points", "", "How many points it has",
                  [](const Timeline&, const Plot& plot) { return plot.points.size(); }),
      });
  return kSpec;
}

std::shared_ptr<const PlotRows> plot_rows(std::shared_ptr<const Profile> profile) {
  auto rows = std::make_shared<PlotRows>();
  rows->profile = std::move(profile);
  const std::vector<Plot>& plots = rows->profile->timeline.plots;
  for (std::uint32_t plot = 0; plot < plots.size(); ++plot) {
    for (std::uint32_t point = 0; point < plots[plot].points.size(); ++point) {
      rows->places.push_back({plot, point});
    }
  }
  return rows;
}

const table::TableOf<PlotRows>& plot_points_spec() {
  static const table::TableOf<PlotRows> kSpec = table::table_of<PlotRows>(
      "plot_points", "A point of a plot; it holds until the next one",
      {
          table::ascending(table::column<PlotRows>(
              "plot", "", "Number of the plot, as in the table `plots`",
              [](const PlotRows& rows, std::size_t row) { return rows.places[row].plot; })),
          table::column<PlotRows>(
              "time_ns", "ns", "When, on the axis of the timeline",
              [](const PlotRows& rows, std::size_t row) { return rows.point(row).time_ns; }),
          table::column<PlotRows>(
              "value", "", "The value from then on",
              [](const PlotRows& rows, std::size_t row) { return rows.point(row).value; }),
      });
  return kSpec;
}

const table::TableOf<Profile>& alignments_spec() {
  static const table::TableOf<Profile> kSpec = table::table_of<Profile>(
      "alignments", "How a source came onto the axis of the timeline",
      {
          of_alignment("source", "", "A file, or a device",
                       [](const Alignment& alignment) { return std::string_view(alignment.what); }),
          of_alignment("basis", "",
                       "`axis`, `recorded` (the capture itself), `sync` (exchanges between host and device), "
                       "`host_ops`, `collectives`, `device_ops`, `shared_ops`, `stamps` (times of day) or "
                       "`start` (nothing "
                       "is shared)",
                       [](const Alignment& alignment) { return key_of(alignment.basis); }),
          of_alignment("samples", "", "Exchanges or shared ops that it rests on",
                       [](const Alignment& alignment) { return alignment.samples; }),
          of_alignment("worst_ns", "ns", "The largest distance of one of them from the fit",
                       [](const Alignment& alignment) {
                         return alignment.worst_ns < 0 ? std::nullopt : std::optional(alignment.worst_ns);
                       }),
          of_alignment("cycles_per_ns", "", "Clock of a device in GHz",
                       [](const Alignment& alignment) {
                         return alignment.cycles_per_ns > 0 ? std::optional(alignment.cycles_per_ns)
                                                            : std::nullopt;
                       }),
      });
  return kSpec;
}

std::shared_ptr<const ProblemRows> problem_rows(std::shared_ptr<const Profile> profile) {
  auto rows = std::make_shared<ProblemRows>();
  rows->profile = std::move(profile);
  for (std::size_t i = 0; i < kTimelineProblemCount; ++i) {
    const auto problem = static_cast<TimelineProblem>(i);
    if (rows->profile->timeline.problems.count(problem) > 0) rows->found.push_back(problem);
  }
  return rows;
}

const table::TableOf<ProblemRows>& problems_spec() {
  static const table::TableOf<ProblemRows> kSpec = table::table_of<ProblemRows>(
      "problems", "A kind of problem that was found while reading",
      {
          table::column<ProblemRows>(
              "problem", "", "What it is, as a word for programs",
              [](const ProblemRows& rows, std::size_t row) { return info_of(rows.found[row]).key; }),
          table::column<ProblemRows>("count", "", "How often it was met",
                                     [](const ProblemRows& rows, std::size_t row) {
                                       return rows.profile->timeline.problems.count(rows.found[row]);
                                     }),
          table::column<ProblemRows>(
              "what", "", "What it means",
              [](const ProblemRows& rows, std::size_t row) { return info_of(rows.found[row]).sentence; }),
          table::column<ProblemRows>(
              "repaired", "", "Whether the records are used all the same",
              [](const ProblemRows& rows, std::size_t row) { return info_of(rows.found[row]).repaired; }),
      });
  return kSpec;
}

namespace {

constexpr std::uint64_t kBytesPerMb = std::uint64_t{1} << 20;

/// Figures that a kind always has.
template <typename Number>
Number known(const std::optional<Number>& figure) {
  return figure.value_or(0);
}

/// `3 x rows have no time; first: line 7`.
std::string records_text(const Finding& finding, std::string_view what) {
  return fmt::format("{} x {}{}{}", known(finding.count), what,
                     finding.place.empty() ? "" : "; first: ", finding.place);
}

/// What is said of the file that the sentence begins with.
std::string capture_text(const Finding& finding) {
  if (finding.kind == FindingKind::kCaptureRestUnread)
    return fmt::format("{}; zones, messages and plots were read, they stand before", finding.text);
  return fmt::format("{}; read up to byte {} of its content, in the {}; what follows is not known",
                     finding.text.empty() ? "the file ends too early" : finding.text, known(finding.bytes),
                     finding.place);
}

std::string recording_text(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kEventsDroppedDisk:
      return fmt::format("{} marks were dropped: the disk was full", known(finding.count));
    case FindingKind::kEventsDroppedRoom:
      return fmt::format("{} marks were dropped: they found no room in {} MB (TTSCOPE_RECORD_MB sets more)",
                         known(finding.count), known(finding.whole_bytes) / kBytesPerMb);
    case FindingKind::kRecordingDamaged:
      return fmt::format("damaged: {} pages and {} events were not understood", known(finding.count),
                         known(finding.events));
    case FindingKind::kRecordingCut:
      return fmt::format("the file is cut: it has {} of {} bytes, and its last marks are missing",
                         known(finding.bytes), known(finding.whole_bytes));
    default:
      return fmt::format("the last marks of {} {} are missing", known(finding.count),
                         known(finding.count) == 1 ? "thread" : "threads");
  }
}

std::string log_text(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kLogWithoutTimes:
      return "its lines have no times, and no op of it is named elsewhere: its memory is not on the axis";
    case FindingKind::kHostGuessed:
      return fmt::format(
          "which host wrote it is not told; it is put beside {}, which has the most of its ops",
          finding.place.empty() ? "one" : finding.place);
    case FindingKind::kLogWithoutMemory:
      return "no line tells how much memory is in use";
    default:
      return "not a whole list of NoC events; it is left out";
  }
}

std::string clocks_text(const Finding& finding) {
  const bool is_early = finding.kind == FindingKind::kOpBeforeHost;
  return fmt::format(
      "device {}: {} {:.6g} ms {} the host sent {}: the capture does not seem to have the clocks of host and "
      "device together (tt-metal's --sync-host-device brings them)",
      finding.device, is_early ? "an op begins" : "all ops begin more than",
      static_cast<double>(finding.distance_ns) / 1e6, is_early ? "before" : "after",
      is_early ? "it" : "them");
}

/// Without the file that it is about.
std::string statement_of(const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kReaderWarning:
      return finding.text;
    case FindingKind::kBadRecords:
      return records_text(finding, finding.text);
    case FindingKind::kCaptureCut:
    case FindingKind::kCaptureRestUnread:
      return capture_text(finding);
    case FindingKind::kEventsDroppedDisk:
    case FindingKind::kEventsDroppedRoom:
    case FindingKind::kRecordingDamaged:
    case FindingKind::kRecordingCut:
    case FindingKind::kThreadsCut:
      return recording_text(finding);
    case FindingKind::kOpBeforeHost:
    case FindingKind::kOpsLongAfterHost:
      return clocks_text(finding);
    case FindingKind::kNoSuchCore:
      return fmt::format("--core {},{}: no processor of a device is on this core", known(finding.core_x),
                         known(finding.core_y));
    case FindingKind::kZonesReachOver:
      return records_text(finding, "zones reach over --from or --to: they are whole, in all sums too");
    case FindingKind::kNocEventsDamaged:
    case FindingKind::kLogWithoutTimes:
    case FindingKind::kHostGuessed:
    case FindingKind::kLogWithoutMemory:
      return log_text(finding);
    case FindingKind::kDeviceZonesDropped:
      return "the device zones of the capture are left out: the log of the device profiler has them with "
             "their ops";
    case FindingKind::kOpsWithoutHost:
      return records_text(
          finding, "executions on devices are not in the host's messages: they are in no track of ops");
    case FindingKind::kOpsWithoutDevice:
      return records_text(finding, "ops of the host have no device data: they are in no track of ops");
    case FindingKind::kSimulatedChips:
      return std::string(ui::kSimulatedChipsText);
  }
  return finding.text;
}

}  // namespace

std::string finding_text(const Finding& finding) {
  const std::string statement = statement_of(finding);
  return finding.file.empty() ? statement : fmt::format("{}: {}", finding.file, statement);
}

std::vector<std::string> warning_texts(const Timeline& timeline) {
  std::vector<std::string> texts;
  texts.reserve(timeline.findings.size());
  for (const Finding& finding : timeline.findings) texts.push_back(finding_text(finding));
  return texts;
}

table::TableSet tables_of(const std::shared_ptr<const Profile>& profile) {
  const Timeline& timeline = profile->timeline;
  table::TableSet set;
  set.kind = "timeline";
  set.warnings = warning_texts(timeline);
  set.tables = {
      table::make_table(tracks_spec(), profile, timeline.tracks.size()),
      table::make_table(zones_spec(), profile, timeline.zones.size()),
      table::make_table(zone_stats_spec(), profile, profile->stats.size()),
      table::make_table(messages_spec(), profile, timeline.messages.size()),
      table::make_table(plots_spec(), profile, timeline.plots.size()),
      table::make_table(alignments_spec(), profile, timeline.alignments.size()),
  };
  std::shared_ptr<const PlotRows> points = plot_rows(profile);
  const std::size_t point_count = points->places.size();
  set.tables.push_back(table::make_table(plot_points_spec(), std::move(points), point_count));
  std::shared_ptr<const ProblemRows> problems = problem_rows(profile);
  const std::size_t kinds = problems->found.size();
  set.tables.push_back(table::make_table(problems_spec(), std::move(problems), kinds));
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&tracks_spec(), &zones_spec(),       &zone_stats_spec(), &messages_spec(),
          &plots_spec(),  &plot_points_spec(), &alignments_spec(), &problems_spec()};
}

std::vector<table::View> views() {
  return {
      {"timeline_hot_zones", "Which zones take the time?",
       "select profile, kind, name, count, total_ns, self_ns, mean_ns, max_ns, file, line from zone_stats "
       "order by self_ns desc"},
      {"timeline_signposts", "Which signposts were set, and when?",
       "select profile, time_ns, text from messages where text like '%TT_SIGNPOST%' order by time_ns"},
  };
}

}  // namespace ttscope::timeline
