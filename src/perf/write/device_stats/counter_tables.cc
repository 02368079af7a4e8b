#include "perf/write/device_stats/counter_tables.h"

#include <algorithm>
#include <cmath>

#include "base/text_escape.h"
#include "base/writer.h"
#include "perf/write/terminal/fitted_table.h"

namespace ttscope::perf {
namespace {

/// A table of counters or of what follows from them, the names last.
class CounterTable {
 public:
  CounterTable(std::string_view title, const PerfTableOptions& form)
      : table_({{"Ops"}, {"Min"}, {"Median"}, {"Max"}, {"Avg"}, {title, 0, true}},
               form.width > 0 ? form.width : kUsualWidth, form.color) {}

  void add(std::string_view name, std::uint64_t ops, const CounterStats& stats) {
    FittedLine line;
    line.cells = {std::to_string(ops)};
    for (const double figure : {stats.min, stats.median, stats.max, stats.average})
      line.cells.push_back(grouped_number(figure, 1));
    line.cells.push_back(terminal_safe(name));
    table_.add(std::move(line));
  }
  void write(Writer& out) const { table_.write(out); }

 private:
  static constexpr std::size_t kUsualWidth = 120;
  FittedTable table_;
};

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

std::string counter_table_text(const std::vector<RawCounter>& counters, const CounterFigures& figures,
                               const PerfTableOptions& form) {
  StringWriter out;
  CounterTable recorded("Counter", form);
  for (const RawCounter& counter : counters) recorded.add(counter.name, counter.executions, counter.stats);
  recorded.write(out);
  out.write("\n");
  CounterTable metrics("Metric", form);
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
    metrics.add(
        name, least.size(),
        {least.front(), middle[middle.size() / 2], most.back(), sum / static_cast<double>(average.size())});
  }
  metrics.write(out);
  static_cast<void>(out.finish());
  return out.text();
}

}  // namespace ttscope::perf
