#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "table/table.h"

namespace ttscope::table {

/// What a member of an object is where its cell is null.
enum class WhereNull : std::uint8_t { kNull, kZero, kEmptyText, kQuestionMark };

/// A member of an object and the column that it comes from.
struct JsonField {
  std::string_view key;
  std::string_view column{};  ///< empty: the column is called as the key
  WhereNull where_null = WhereNull::kNull;
};

/// All columns under their own names, but not these.
struct AllBut {
  std::vector<std::string_view> columns{};
};

/// Rows of a declared table inside of a larger document, one after the other. The table must declare the
/// columns.
class JsonRows {
 public:
  JsonRows(Table table, const std::vector<JsonField>& fields);
  // Not for lists in braces, which are fields.
  template <std::same_as<AllBut> LeftOut>
  JsonRows(Table table, const LeftOut& left_out) : table_(std::move(table)) {
    take_all_but(left_out);
  }

  /// The members of the next row, in the order of the fields; the object is the caller's. Nothing behind the
  /// last row.
  void write_next(JsonWriter& json);
  /// The members of this row, which must be there; write_next() goes on from where it was.
  void write_row(JsonWriter& json, std::size_t row);
  /// An array of so many rows, each an object; of those that are left where there are fewer.
  void write_array(JsonWriter& json, std::string_view key, std::size_t rows = SIZE_MAX);

 private:
  struct Member {
    std::string_view key;
    std::size_t column = 0;
    WhereNull where_null = WhereNull::kNull;
  };

  void take_all_but(const AllBut& left_out);

  Table table_;
  std::vector<Member> members_;
  std::size_t next_row_ = 0;
  std::string scratch_;
};

/// A cell as JSON has it; infinity is null.
void write_cell(JsonWriter& json, const Cell& cell);

}  // namespace ttscope::table
