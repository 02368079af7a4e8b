#include "phases/tables/tables.h"

#include <utility>

#include "phases/tables/declared.h"

namespace ttscope::phases {
namespace {

table::Table spread_table(const table::TableOf<SpreadRows>& spec, std::shared_ptr<const SpreadRows> rows) {
  const std::size_t count = rows->places.size();
  return table::make_table(spec, std::move(rows), count);
}

}  // namespace

table::TableSet tables_of(const std::shared_ptr<const Profile>& profile) {
  table::TableSet set;
  set.kind = "phase_log";
  set.warnings = profile->log.warnings;
  const std::size_t runs = profile->analysis.configurations.size();
  set.tables = {
      table::make_table(configurations_spec(), profile, runs),
      spread_table(phases_spec(), spread_rows(profile, &Configuration::phases)),
      table::make_table(summaries_spec(), profile, profile->log.summaries.size()),
      spread_table(components_spec(), spread_rows(profile, &Configuration::components)),
      spread_table(steps_spec(), spread_rows(profile, &Configuration::steps)),
      spread_table(advice_spec(), spread_rows(profile, &Configuration::advice)),
      spread_table(violations_spec(), spread_rows(profile, &Configuration::violations)),
      spread_table(notes_spec(), spread_rows(profile, &Configuration::notes)),
  };
  std::shared_ptr<const ProblemRows> problems = problem_rows(profile);
  const std::size_t kinds = problems->found.size();
  set.tables.push_back(table::make_table(problems_spec(), std::move(problems), kinds));
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&configurations_spec(), &phases_spec(),     &summaries_spec(), &components_spec(), &steps_spec(),
          &advice_spec(),         &violations_spec(), &notes_spec(),     &problems_spec()};
}

std::vector<table::View> views() {
  return {
      {"phases_fits", "Does training fit, and how close is it?",
       "select profile, name, peak_bytes, device_bytes, round(100 * share_of_device, 1) as "
       "percent_of_device, "
       "fits, left_bytes from configurations order by peak_bytes desc"},
      {"phases_peaks", "Which phase makes the peak of a run?",
       "select profile, configuration, name, line, reached_bytes, start_bytes, segment_peak_bytes from "
       "phases "
       "where makes_peak order by reached_bytes desc"},
      {"phases_peak_parts", "What is the peak of a run made of?",
       "select profile, configuration, kind as part, bytes, measured_bytes, confidence, round(100.0 * bytes "
       "/ "
       "sum(bytes) over (partition by profile, summary), 1) as percent_of_peak from components order by "
       "profile, summary, bytes desc"},
      {"phases_growth", "Which phases leave most memory behind?",
       "select profile, configuration, name, line, change_bytes, current_bytes from phases order by "
       "change_bytes desc"},
      {"phases_savings", "What would save memory, and how much?",
       "select profile, configuration, kind, bytes, peak_after_bytes, confidence from advice where "
       "peak_after_bytes is not null order by bytes desc"},
  };
}

}  // namespace ttscope::phases
