#include "perf/write/noc_csv/noc_summary_csv.h"

#include <fmt/format.h>

#include <cmath>

#include "base/csv_scanner.h"
#include "base/python_text.h"

namespace ttscope::perf {
namespace {

std::string row_text(const NocSummary& summary, std::string_view scope, const std::string& what,
                     const NocCount& count) {
  std::string line;
  append_safe_csv_cell(line, summary.op_name);
  line += fmt::format(",{},{},", summary.key.op_id, summary.key.device);
  if (summary.key.trace >= 0) line += std::to_string(summary.key.trace);
  line += ',';
  if (summary.key.replay >= 0) line += std::to_string(summary.key.replay);
  line += fmt::format(",{},", scope);
  append_safe_csv_cell(line, what);
  return line + fmt::format(",{},{}\r\n", count.transfers, count.bytes);
}

std::string rounded(double value, int digits) {
  std::string text;
  if (!std::isnan(value)) append_python_float(text, python_round(value, digits));
  return text;
}

}  // namespace

void write_noc_summary(const std::vector<NocSummary>& summaries, Writer& out) {
  out.write(
      "OP NAME,GLOBAL CALL COUNT,DEVICE ID,METAL TRACE ID,METAL TRACE REPLAY SESSION "
      "ID,SCOPE,NAME,TRANSFERS,BYTES\r\n");
  for (const NocSummary& summary : summaries) {
    out.write(row_text(summary, "all", "", summary.all));
    for (const auto& [type, count] : summary.by_type) out.write(row_text(summary, "type", type, count));
    for (const auto& [core, count] : summary.by_core) {
      out.write(row_text(summary, "core", fmt::format("{}-{}", core.first, core.second), count));
    }
  }
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
