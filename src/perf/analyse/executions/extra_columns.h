#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "perf/analyse/executions/perf_counters.h"
#include "perf/analyse/executions/report_rows.h"
#include "perf/model/noc_summary.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// Columns that other files give, by execution: hardware counters, NoC figures. A value that is not there is
/// an empty text.
struct ExtraColumns {
  std::vector<std::string> names;
  /// Texts of an execution (index into ReportRows::executions), as many as names.
  std::map<std::uint32_t, std::vector<std::string>> cells;

  bool empty() const { return names.empty(); }
  /// The text of an execution in the column of that name; null where there is none.
  const std::string* find(std::uint32_t execution, std::string_view name) const;
};

/// The counter metrics as cells of the report's executions, which are found by their keys.
ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report, const Rules& rules);

/// The columns that a report gets from NoC traces: transfers and bytes as recorded, and the utilisations that
/// tt-npe simulated.
ExtraColumns noc_columns(const std::vector<NocSummary>& summaries, const std::vector<NpeResult>& results,
                         const ReportRows& report);

}  // namespace ttscope::perf
