#include "perf/read/table_csv/sniff.h"

#include "base/csv_scanner.h"

namespace ttscope::perf {
namespace {

bool has_columns(const io::Beginning& beginning, std::initializer_list<std::string_view> names) {
  CsvScanner scanner(beginning.bytes);
  if (beginning.is_binary() || !scanner.next()) return false;
  const CsvHeader header(scanner.cells());
  for (const std::string_view name : names) {
    if (header.find(name) == CsvHeader::kNoColumn) return false;
  }
  return true;
}

}  // namespace

bool is_table_csv(const io::Beginning& beginning) {
  return has_columns(beginning, {"ID", "Total %", "OP Code"});
}

bool is_stacked_csv(const io::Beginning& beginning) {
  return beginning.bytes.starts_with("Total % [%],Op Code,");
}

}  // namespace ttscope::perf
