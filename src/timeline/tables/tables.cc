#include "timeline/tables/tables.h"

#include <utility>

#include "timeline/tables/declared.h"
#include "timeline/tables/finding_text.h"

namespace ttscope::timeline {

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
