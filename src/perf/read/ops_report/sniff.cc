#include "perf/read/ops_report/sniff.h"

#include "base/csv_scanner.h"

namespace ttscope::perf {

bool is_ops_report(const io::Beginning& beginning) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  const auto has = [&](std::string_view name) { return header.find(name) != CsvHeader::kNoColumn; };
  if (has("OP CODE") || has("DEVICE KERNEL DURATION PER CORE MIN [ns]")) return true;
  return has("GLOBAL CALL COUNT") && !has("OP NAME") && has("DEVICE FW DURATION [ns]");
}

}  // namespace ttscope::perf
