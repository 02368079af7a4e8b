#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "table/declare.h"
#include "timeline/analyse/profile.h"

/// The declared tables, each in a file of its own name; tables.cc puts them together.
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

/// Null for a text that is empty.
inline std::optional<std::string_view> text_or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

}  // namespace ttscope::timeline
