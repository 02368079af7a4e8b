#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "table/table.h"

namespace ttscope::table {

/// The tables of one profile, under the name that the column `profile` shows.
struct NamedTables {
  std::string profile;
  TableSet set;
};

/// The tables of one name of several profiles, one below the other. Its columns are `profile` and then those
/// of all declarations; where a profile does not have a column, its cells are null. Nothing is copied.
class MergedTable {
 public:
  struct Column {
    ColumnSpec spec;        ///< without a getter; `order` holds inside of each part
    bool is_mixed = false;  ///< text in one profile, a number in another
  };
  struct Part {
    std::string profile;
    Table table;
    std::size_t first_row = 0;    ///< how many rows are in the parts before
    std::vector<Getter> getters;  ///< for each column of the merged table; null where the part has none
  };
  static constexpr std::size_t kProfile = 0;

  /// One for each name, in the order of the first profile that has it. An error is a fault of a declaration:
  /// two columns of one name, or one called `profile`.
  static Result<std::vector<MergedTable>> merge(const std::vector<NamedTables>& profiles);

  std::string_view name() const { return name_; }
  std::string_view doc() const { return doc_; }
  const std::vector<Column>& columns() const { return columns_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::size_t rows() const { return rows_; }
  /// With the column `profile`; for documents, it has no getters.
  TableSpec spec() const;

  /// A text is valid until `scratch` is used again. `row` counts inside of the part.
  Cell cell(const Part& part, std::size_t row, std::size_t column, std::string& scratch) const {
    const Getter get = part.getters[column];
    if (get == nullptr) return column == kProfile ? Cell::text(part.profile) : Cell::null();
    const Cell cell = get(part.table.source(), row, scratch);
    const bool widens = columns_[column].spec.type == Type::kReal && cell.kind() == Cell::Kind::kInteger;
    return widens ? Cell::real(static_cast<double>(cell.as_integer())) : cell;
  }

 private:
  explicit MergedTable(const TableSpec& first);
  Result<void> add(const std::string& profile, const Table& table);
  std::size_t column_for(const ColumnSpec& spec);

  std::string_view name_;
  std::string_view doc_;
  std::vector<Column> columns_;
  std::vector<Part> parts_;
  std::size_t rows_ = 0;
};

}  // namespace ttscope::table
