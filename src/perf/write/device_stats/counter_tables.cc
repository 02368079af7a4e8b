#include "perf/write/device_stats/counter_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_escape.h"

namespace ttscope::perf {
namespace {

std::string row_text(std::string_view name, std::uint64_t ops, const CounterStats& stats) {
  return fmt::format("{:<40} {:>8} {:>14.1f} {:>14.1f} {:>14.1f} {:>14.1f}\n", terminal_safe(name), ops,
                     stats.min, stats.median, stats.max, stats.average);
}

std::string heading(std::string_view title) {
  return fmt::format("{:<40} {:>8} {:>14} {:>14} {:>14} {:>14}\n", title, "Ops", "Min", "Median", "Max",
                     "Avg");
}

/// One column over the executions that have it.
std::vector<double> column(const CounterFigures& figures, std::size_t index) {
  std::vector<double> values;
  for (const auto& [execution, row] : figures.values) {
    if (!std::isnan(row[index])) values.push_back(row[index]);
  }
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

std::string counter_table_text(const std::vector<RawCounter>& counters, const CounterFigures& figures) {
  std::string text = heading("Counter");
  for (const RawCounter& counter : counters)
    text += row_text(counter.name, counter.executions, counter.stats);
  text += "\n" + heading("Metric");
  constexpr std::size_t kColumnsPerMetric = 4;
  for (std::size_t i = 0; i + kColumnsPerMetric <= figures.columns.size(); i += kColumnsPerMetric) {
    const std::vector<double> least = column(figures, i);
    const std::vector<double> middle = column(figures, i + 1);
    const std::vector<double> most = column(figures, i + 2);
    const std::vector<double> average = column(figures, i + 3);
    if (least.empty() || average.empty()) continue;
    double sum = 0;
    for (const double value : average) sum += value;
    std::string name = figures.columns[i];
    name.erase(name.find(" Min"), 4);
    text += row_text(
        name, least.size(),
        {least.front(), middle[middle.size() / 2], most.back(), sum / static_cast<double>(average.size())});
  }
  return text;
}

}  // namespace ttscope::perf
