#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "table/table.h"

namespace ttscope::table {

/// What a member of an object is where its cell is null.
enum class WhereNull : std::uint8_t { kNull, kZero, kEmptyText };

/// A member of an object and the column that it comes from.
struct JsonField {
  std::string_view key;
  std::string_view column{};  ///< empty: the column is called as the key
  WhereNull where_null = WhereNull::kNull;
};

/// Rows of a declared table inside of a larger document, one after the other. The table must declare the
/// columns.
class JsonRows {
 public:
  JsonRows(Table table, const std::vector<JsonField>& fields);

  /// The members of the next row, in the order of the fields; the object is the caller's.
  void write_next(JsonWriter& json);

 private:
  struct Member {
    std::string_view key;
    std::size_t column = 0;
    WhereNull where_null = WhereNull::kNull;
  };

  Table table_;
  std::vector<Member> members_;
  std::size_t next_row_ = 0;
  std::string scratch_;
};

/// A cell as JSON has it; infinity is null.
void write_cell(JsonWriter& json, const Cell& cell);

}  // namespace ttscope::table
