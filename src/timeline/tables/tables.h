#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "table/declare.h"
#include "table/table.h"
#include "timeline/analyze/profile.h"
#include "timeline/model/timeline.h"

/// The declared tables, each in a file of its own name; tables.cc puts them together.
//
/// The sentences of findings. They stand here and not with the writers, since the warnings of a table set,
/// which Python shows, are these sentences, and `tables` does not know `write`.

namespace ttscope::timeline {

/// Points of all plots.
struct PlotRows {
  struct Place {
    std::uint32_t plot = 0;
    std::uint32_t point = 0;
  };
  std::shared_ptr<const Profile> profile;
  std::vector<Place> places;

  const Plot& plot(std::size_t row) const { return profile->timeline.plots[places[row].plot]; }
  const PlotPoint& point(std::size_t row) const { return plot(row).points[places[row].point]; }
};

std::shared_ptr<const PlotRows> plot_rows(std::shared_ptr<const Profile> profile);

/// The problems that were found, by kind.
struct ProblemRows {
  std::shared_ptr<const Profile> profile;
  std::vector<TimelineProblem> found;
};

std::shared_ptr<const ProblemRows> problem_rows(std::shared_ptr<const Profile> profile);

const table::TableOf<Profile>& tracks_spec();
const table::TableOf<Profile>& zones_spec();
const table::TableOf<Profile>& zone_stats_spec();
const table::TableOf<Profile>& messages_spec();
const table::TableOf<Profile>& plots_spec();
const table::TableOf<PlotRows>& plot_points_spec();
const table::TableOf<Profile>& alignments_spec();
const table::TableOf<ProblemRows>& problems_spec();

std::string finding_text(const Finding& finding);

/// Those of all findings, in their order.
std::vector<std::string> warning_texts(const Timeline& timeline);

/// The tables of a timeline: tracks, timeline_zones, zone_stats, messages, plots, plot_points, alignments,
/// problems.
table::TableSet tables_of(const std::shared_ptr<const Profile>& profile);

/// Their declarations, for documents and `--schema`.
std::vector<const table::TableSpec*> table_specs();

/// Queries over them.
std::vector<table::View> views();

}  // namespace ttscope::timeline
