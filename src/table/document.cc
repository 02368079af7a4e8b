#include "table/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text_escape.h"

namespace ttscope::table {
namespace {

/// `Rows stand in this order` is worth knowing: such columns are looked up without a scan.
std::string_view order_note(const ColumnSpec& column) {
  return column.order == Order::kAscending ? " (rows stand in this order)" : "";
}

std::string heading(int level, std::string_view name) {
  return fmt::format("{:#<{}} `{}`\n\n", "", level, name);
}

void append_schema(std::string& text, const TableSpec& table) {
  std::size_t name_width = 0;
  std::size_t unit_width = 0;
  for (const ColumnSpec& column : table.columns) {
    name_width = std::max(name_width, column.name.size());
    unit_width = std::max(unit_width, column.unit.size());
  }
  fmt::format_to(std::back_inserter(text), "{}: {}\n", table.name, table.doc);
  for (const ColumnSpec& column : table.columns) {
    fmt::format_to(std::back_inserter(text), "  {:<{}}  {:<7}  ", column.name, name_width,
                   name_of(column.type));
    if (unit_width > 0) fmt::format_to(std::back_inserter(text), "{:<{}}  ", column.unit, unit_width);
    fmt::format_to(std::back_inserter(text), "{}{}\n", column.doc, order_note(column));
  }
}

}  // namespace

std::string markdown_of(const TableSpec& table, int heading_level) {
  std::string text = heading(heading_level, table.name);
  fmt::format_to(std::back_inserter(text), "{}.\n\n| column | type | unit | meaning |\n|---|---|---|---|\n",
                 markdown_cell(table.doc));
  for (const ColumnSpec& column : table.columns) {
    fmt::format_to(std::back_inserter(text), "| `{}` | {} | {} | {}{} |\n", column.name, name_of(column.type),
                   markdown_cell(column.unit), markdown_cell(column.doc), order_note(column));
  }
  return text;
}

std::string markdown_of(const View& view, int heading_level) {
  return heading(heading_level, view.name) + fmt::format("{}{}\n\n```sql\n{}\n```\n", markdown_cell(view.doc),
                                                         view.doc.ends_with('?') ? "" : ".", view.sql);
}

std::string schema_text(const std::vector<TableSpec>& tables, const std::vector<View>& views) {
  std::string text;
  for (const TableSpec& table : tables) {
    if (!text.empty()) text += '\n';
    append_schema(text, table);
  }
  if (views.empty()) return text;
  std::size_t width = 0;
  for (const View& view : views) width = std::max(width, view.name.size());
  text += text.empty() ? "views:\n" : "\nviews:\n";
  for (const View& view : views) {
    fmt::format_to(std::back_inserter(text), "  {:<{}}  {}\n", view.name, width, view.doc);
  }
  return text;
}

std::string docstring_of(const ColumnSpec& column) {
  const std::string_view comma = column.unit.empty() ? "" : ", ";
  return fmt::format("{} ({}{}{}): {}", column.name, name_of(column.type), comma, column.unit, column.doc);
}

}  // namespace ttscope::table
