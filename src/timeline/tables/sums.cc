// Tables of declared.h: sums of zones, curves, and how far to trust them.
#include "timeline/tables/declared.h"

namespace ttscope::timeline {
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

}  // namespace ttscope::timeline
