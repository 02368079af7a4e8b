#include "table/table_rows.h"

#include <numeric>
#include <utility>

namespace ttscope::table {
namespace {

std::vector<std::size_t> all_columns(const TableSpec& spec) {
  std::vector<std::size_t> columns(spec.columns.size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});
  return columns;
}

}  // namespace

TableRows::TableRows(const Table& table) : TableRows(table, all_columns(table.spec())) {}

TableRows::TableRows(Table table, std::vector<std::size_t> columns)
    : table_(std::move(table)), columns_(std::move(columns)) {
  names_.reserve(columns_.size());
  for (const std::size_t column : columns_) names_.emplace_back(table_.spec().columns[column].name);
}

}  // namespace ttscope::table
