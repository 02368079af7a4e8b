#include "perf/write/ops_csv/extra_columns.h"

#include <cmath>

#include "base/python_text.h"

namespace ttscope::perf {

ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report, bool compat) {
  ExtraColumns extra;
  extra.names = figures.columns;
  if (extra.names.empty()) return extra;
  std::map<std::pair<ExecutionKey, std::uint32_t>, std::uint32_t> places;
  for (std::uint32_t i = 0; i < log.executions.size(); ++i) {
    places[{log.executions[i].key, log.executions[i].occurrence}] = i;
  }
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    const auto place = places.find({report.executions[i].key, report.executions[i].occurrence});
    if (place == places.end()) continue;
    const auto values = figures.values.find(place->second);
    if (values == figures.values.end()) continue;
    std::vector<std::string>& cells = extra.cells[i];
    for (const double value : values->second) {
      std::string& cell = cells.emplace_back();
      if (compat || !std::isnan(value)) append_python_float(cell, value);
    }
  }
  return extra;
}

}  // namespace ttscope::perf
