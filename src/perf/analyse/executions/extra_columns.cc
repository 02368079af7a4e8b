#include "perf/analyse/executions/extra_columns.h"

#include <algorithm>
#include <cmath>

#include "base/python_text.h"

namespace ttscope::perf {
namespace {

std::string rounded(double value, int digits) {
  std::string text;
  if (!std::isnan(value)) append_python_float(text, python_round(value, digits));
  return text;
}

}  // namespace

const std::string* ExtraColumns::find(std::uint32_t execution, std::string_view name) const {
  const auto row = cells.find(execution);
  if (row == cells.end()) return nullptr;
  const auto column = std::find(names.begin(), names.end(), name);
  return column == names.end() ? nullptr : &row->second[static_cast<std::size_t>(column - names.begin())];
}

ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report, const Rules& rules) {
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
      if (!rules.leaves_unknown_counters_empty || !std::isnan(value)) append_python_float(cell, value);
    }
  }
  return extra;
}

ExtraColumns noc_columns(const std::vector<NocSummary>& summaries, const std::vector<NpeResult>& results,
                         const ReportRows& report) {
  ExtraColumns columns;
  if (summaries.empty() && results.empty()) return columns;
  columns.names = {"NOC TRACE TRANSFERS", "NOC TRACE BYTES"};
  if (!results.empty()) {
    columns.names.insert(columns.names.end(), {"NOC UTIL (%)", "MULTICAST NOC UTIL (%)", "DRAM BW UTIL (%)",
                                               "NPE CONG IMPACT (%)"});
  }
  std::map<ExecutionKey, const NocSummary*> by_key;
  for (const NocSummary& summary : summaries) by_key[summary.key] = &summary;
  std::map<std::uint64_t, const NpeResult*> by_op;
  for (const NpeResult& result : results) by_op[result.op_id] = &result;
  for (std::uint32_t i = 0; i < report.executions.size(); ++i) {
    const auto summary = by_key.find(report.executions[i].key);
    const auto result = by_op.find(report.executions[i].key.op_id);
    if (summary == by_key.end() && result == by_op.end()) continue;
    std::vector<std::string>& cells = columns.cells[i];
    cells.resize(columns.names.size());
    if (summary != by_key.end()) {
      cells[0] = std::to_string(summary->second->all.transfers);
      cells[1] = std::to_string(summary->second->all.bytes);
    }
    if (result == by_op.end()) continue;
    constexpr std::size_t kFirst = 2;
    cells[kFirst] = rounded(result->second->link_util, 1);
    cells[kFirst + 1] = rounded(result->second->multicast_util, 1);
    cells[kFirst + 2] = rounded(result->second->dram_util, 1);
    cells[kFirst + 3] = rounded(result->second->congestion_impact, 2);
  }
  return columns;
}

}  // namespace ttscope::perf
