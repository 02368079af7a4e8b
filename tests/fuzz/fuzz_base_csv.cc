// Records of a CSV text; what they are written as is read as the same.
#include <string>
#include <vector>

#include "base/csv.h"
#include "fuzz/fuzz_target.h"

namespace ttscope {
namespace {

using fuzz::require;

using Cells = std::vector<std::string_view>;

std::string line_of(const Cells& cells) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    append_csv_cell(line, cells[i]);
  }
  return line + "\n";
}

void check_rewritten(const Cells& cells) {
  if (cells.size() == 1 && cells.front().empty()) return;  // an empty line, which is passed over
  const std::string line = line_of(cells);
  CsvScanner again(line);
  require(again.next() && again.cells() == cells && !again.next(), "a record is read as it was written");
}

void scan(std::string_view text, CsvFormat format) {
  CsvScanner scanner(text, format);
  std::size_t offset = 0;
  while (scanner.next()) {
    require(scanner.offset() > offset && scanner.offset() <= text.size(), "records follow each other");
    offset = scanner.offset();
    require(!scanner.cells().empty() && scanner.record().size() <= text.size(), "a record has cells");
    check_rewritten(scanner.cells());
  }
}

TTSCOPE_FUZZ_TARGET(base_csv) {
  scan(text, {});
  scan(text, {';', '`', 64});
  CsvScanner scanner(text);
  if (scanner.next()) static_cast<void>(CsvHeader(scanner.cells()).find("OP CODE"));
}

}  // namespace
}  // namespace ttscope
