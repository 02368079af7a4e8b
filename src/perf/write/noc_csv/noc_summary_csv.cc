#include "perf/write/noc_csv/noc_summary_csv.h"

#include <fmt/format.h>

#include "base/csv_scanner.h"

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

}  // namespace ttscope::perf
