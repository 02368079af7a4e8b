#include "table/table.h"

#include <algorithm>

namespace ttscope::table {

std::optional<std::size_t> TableSpec::find_column(std::string_view column) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [column](const ColumnSpec& spec) { return spec.name == column; });
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

const Table* TableSet::find(std::string_view table) const {
  const auto found = std::find_if(tables.begin(), tables.end(),
                                  [table](const Table& each) { return each.spec().name == table; });
  return found == tables.end() ? nullptr : &*found;
}

}  // namespace ttscope::table
