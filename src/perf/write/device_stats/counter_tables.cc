#include "perf/write/device_stats/counter_tables.h"

#include <string>
#include <utility>

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

}  // namespace

std::string counter_table_text(const std::vector<CounterSummary>& counters, const CounterFigures& figures,
                               const PerfTableOptions& form) {
  StringWriter out;
  CounterTable recorded("Counter", form);
  for (const CounterSummary& counter : counters)
    recorded.add(counter.name, counter.executions, counter.stats);
  recorded.write(out);
  out.write("\n");
  CounterTable metrics("Metric", form);
  for (const CounterSummary& metric : summarise_metrics(figures))
    metrics.add(metric.name, metric.executions, metric.stats);
  metrics.write(out);
  static_cast<void>(out.finish());
  return out.text();
}

}  // namespace ttscope::perf
