#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "table/row_source.h"
#include "table/table.h"

namespace ttscope::table {

/// The rows of a table, for the writers.
class TableRows final : public RowSource {
 public:
  /// All columns in the order of the declaration.
  explicit TableRows(const Table& table);
  /// These columns (indices into the spec) in this order.
  TableRows(Table table, std::vector<std::size_t> columns);

  const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] Result<bool> next() override { return ++next_row_ <= table_.rows(); }
  Cell cell(std::size_t column) override { return table_.cell(next_row_ - 1, columns_[column], scratch_); }

 private:
  Table table_;
  std::vector<std::size_t> columns_;
  std::vector<std::string> names_;
  std::size_t next_row_ = 0;
  std::string scratch_;
};

}  // namespace ttscope::table
