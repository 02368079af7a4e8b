#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "base/result.h"
#include "base/writer.h"
#include "table/table.h"

namespace ttscope::table {

/// Appends a cell that is no text so that it reads back as it is: `12`, `0.1`, `1e+16`, `inf`, `true`;
/// nothing for null. Texts are for the caller to escape.
void append_exact(std::string& to, const Cell& cell);

/// The same for people: reals with 15 significant digits, so that sums do not end in 0.30000000000000004.
void append_readable(std::string& to, const Cell& cell);

/// What a member of an object is where its cell is null.
enum class WhereNull : std::uint8_t { kNull, kZero, kEmptyText, kQuestionMark };

/// A member of an object and the column that it comes from.
struct JsonField {
  std::string_view key;
  std::string_view column{};  ///< empty: the column is called as the key
  WhereNull where_null = WhereNull::kNull;
};

/// All columns under their own names, but not these.
struct AllExcept {
  std::vector<std::string_view> columns{};
};

/// Rows of a declared table inside of a larger document, one after the other. The table must declare the
/// columns.
class JsonRows {
 public:
  JsonRows(Table table, const std::vector<JsonField>& fields);
  // Not for lists in braces, which are fields.
  template <std::same_as<AllExcept> LeftOut>
  JsonRows(Table table, const LeftOut& left_out) : table_(std::move(table)) {
    take_all_except(left_out);
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

  void take_all_except(const AllExcept& left_out);

  Table table_;
  std::vector<Member> members_;
  std::size_t next_row_ = 0;
  std::string scratch_;
};

/// A cell as JSON has it; infinity is null.
void write_cell(JsonWriter& json, const Cell& cell);

/// A line of names, then a line for each row (RFC 4180 with LF, quoted where necessary, UTF-8 repaired). Null
/// is an empty cell, the empty text is `""`; truths are `true` and `false`; reals are written so that they
/// read back to the same number. Texts that a spreadsheet would run as a formula get an apostrophe. The
/// caller finishes the writer.
[[nodiscard]] Result<void> write_csv(RowSource& rows, Writer& out);

/// An array of objects, a row a line, ASCII only. Columns of one name (a query may have them) are told apart:
/// `line`, `line_2`. What JSON does not have, infinity, is null. The caller finishes the writer.
[[nodiscard]] Result<void> write_json(RowSource& rows, Writer& out);

struct TableTextOptions {
  std::size_t width = 0;  ///< columns of the terminal; 0: lines may have any length, nothing is cut
  /// The widths follow the rows whose texts take so much together, most often all; they are kept in memory.
  /// Later rows widen columns as they come.
  std::size_t measured_bytes = std::size_t{64} << 20;
};

/// Aligned text: a line of names, a rule, a line for each row. Numbers stand right, null is `-`. Texts are
/// escaped for terminals; where a line would be too wide, long texts lose their middle (both ends of a
/// location tell something), numbers never lose anything. The caller finishes the writer.
[[nodiscard]] Result<void> write_text(RowSource& rows, Writer& out, const TableTextOptions& options = {});

/// What a table is, as markdown: a heading of `heading_level`, its sentence, and a table of its columns
/// (name, type, unit, meaning). For the generated documents.
std::string markdown_of(const TableSpec& table, int heading_level);
/// The same for a view, with its query.
std::string markdown_of(const View& view, int heading_level);

/// What there is to ask for, as aligned text for `--schema` and agents.
std::string schema_text(const std::vector<TableSpec>& tables, const std::vector<View>& views);

/// A column for Python's docstrings and the like: `line (integer): Line of the log`,
/// `size_bytes (integer, bytes): ...`.
std::string docstring_of(const ColumnSpec& column);

}  // namespace ttscope::table
