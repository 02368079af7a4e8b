#include "table/write_csv.h"

#include <string>
#include <string_view>

#include "base/csv_scanner.h"
#include "base/utf8.h"
#include "table/cell_text.h"

namespace ttscope::table {
namespace {

void append_text(std::string& to, std::string_view text) {
  if (text.empty()) {
    to += "\"\"";  // not null
  } else if (is_valid_utf8(text)) {
    append_safe_csv_cell(to, text);
  } else {
    append_safe_csv_cell(to, utf8_repaired(text));
  }
}

void append_cell(std::string& to, const Cell& cell) {
  if (cell.kind() == Cell::Kind::kText) {
    append_text(to, cell.as_text());
  } else {
    append_exact(to, cell);
  }
}

}  // namespace

Result<void> write_csv(RowSource& rows, Writer& out) {
  const std::size_t columns = rows.column_names().size();
  std::string line;
  for (std::size_t column = 0; column < columns; ++column) {
    if (column > 0) line += ',';
    append_text(line, rows.column_names()[column]);
  }
  while (true) {
    line += '\n';
    out.write(line);
    line.clear();
    const Result<bool> more = rows.next();
    if (!more) return failure(more.error());
    if (!*more || out.has_failed()) return {};  // finish() says what failed
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) line += ',';
      append_cell(line, rows.cell(column));
    }
  }
}

}  // namespace ttscope::table
