#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "phases/analyse/profile.h"
#include "table/declare.h"

/// The declared tables, each in a file of its own name; tables.cc puts them together.
namespace ttscope::phases {

/// Rows that are spread over the configurations of a profile.
struct SpreadRows {
  struct Place {
    std::uint32_t configuration = 0;
    std::uint32_t index = 0;  ///< in its list of that configuration
  };

  std::shared_ptr<const Profile> profile;
  std::vector<Place> places;

  const Configuration& configuration(std::size_t row) const {
    return profile->analysis.configurations[places[row].configuration];
  }
  const PhaseSummary& summary(std::size_t row) const {
    return profile->log.summaries[configuration(row).summary];
  }
};

/// All rows of one list of the configurations.
template <typename Element>
std::shared_ptr<const SpreadRows> spread_rows(std::shared_ptr<const Profile> profile,
                                              std::vector<Element> Configuration::*list) {
  auto rows = std::make_shared<SpreadRows>();
  rows->profile = std::move(profile);
  const std::vector<Configuration>& all = rows->profile->analysis.configurations;
  for (std::uint32_t run = 0; run < all.size(); ++run) {
    const auto count = static_cast<std::uint32_t>((all[run].*list).size());
    for (std::uint32_t i = 0; i < count; ++i) rows->places.push_back({run, i});
  }
  return rows;
}

/// The problems that were found, by kind.
struct ProblemRows {
  std::shared_ptr<const Profile> profile;
  std::vector<PhaseProblem> found;
};
std::shared_ptr<const ProblemRows> problem_rows(std::shared_ptr<const Profile> profile);

const table::TableOf<Profile>& configurations_spec();
const table::TableOf<SpreadRows>& phases_spec();
const table::TableOf<Profile>& summaries_spec();
const table::TableOf<SpreadRows>& components_spec();
const table::TableOf<SpreadRows>& steps_spec();
const table::TableOf<SpreadRows>& advice_spec();
const table::TableOf<SpreadRows>& violations_spec();
const table::TableOf<SpreadRows>& notes_spec();
const table::TableOf<ProblemRows>& problems_spec();

/// The columns that tell which run a row belongs to, for the tables of SpreadRows.
inline table::ColumnOf<SpreadRows> configuration_column() {
  return table::column<SpreadRows>("configuration", "", "Name of the run, as in the table `configurations`",
                                   [](const SpreadRows& rows, std::size_t row) -> const std::string& {
                                     return rows.configuration(row).name;
                                   });
}
inline table::ColumnOf<SpreadRows> summary_column() {
  return table::ascending(table::column<SpreadRows>(
      "summary", "", "Number of the run's summary, from 0, as in the table `summaries`",
      [](const SpreadRows& rows, std::size_t row) { return rows.configuration(row).summary; }));
}

}  // namespace ttscope::phases
