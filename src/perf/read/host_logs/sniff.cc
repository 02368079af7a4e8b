#include "perf/read/host_logs/sniff.h"

#include "base/csv_scanner.h"

namespace ttscope::perf {
namespace {

bool has_columns(const io::Beginning& beginning, std::string_view first, std::string_view second) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  return header.find(first) != CsvHeader::kNoColumn && header.find(second) != CsvHeader::kNoColumn;
}

}  // namespace

bool is_cpp_report(const io::Beginning& beginning) {
  return has_columns(beginning, "GLOBAL CALL COUNT", "OP NAME") &&
         !has_columns(beginning, "OP NAME", "OP CODE");
}

bool is_host_times(const io::Beginning& beginning) {
  return has_columns(beginning, "special_parent_text", "ns_since_start");
}

bool is_host_messages(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("MessageName;total_ns");
}

}  // namespace ttscope::perf
