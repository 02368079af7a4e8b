#include "table/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/number_text.h"
#include "base/result.h"
#include "base/text.h"

namespace ttscope::table {
namespace {

constexpr int kReadableDigits = 15;

void append_integer(std::string& to, std::int64_t number) {
  char text[24];
  to.append(text, std::to_chars(text, text + sizeof text, number).ptr);
}

void append_infinite(std::string& to, double number) { to += number > 0 ? "inf" : "-inf"; }

void append_exact_real(std::string& to, double number) {
  if (!std::isfinite(number)) return append_infinite(to, number);
  char text[kDoubleTextBytes];
  to.append(text, put_double(text, number));
}

void append_readable_real(std::string& to, double number) {
  if (!std::isfinite(number)) return append_infinite(to, number);
  char text[40];
  const std::string_view written(
      text,
      static_cast<std::size_t>(
          std::to_chars(text, text + sizeof text, number, std::chars_format::general, kReadableDigits).ptr -
          text));
  to += written;
  // It stays visible that the value is real.
  if (written.find_first_of(".e") == std::string_view::npos) to += ".0";
}

template <typename AppendReal>
void append_value(std::string& to, const Cell& cell, AppendReal append_real) {
  switch (cell.kind()) {
    case Cell::Kind::kInteger:
      return append_integer(to, cell.as_integer());
    case Cell::Kind::kReal:
      return append_real(to, cell.as_real());
    case Cell::Kind::kTruth:
      to += cell.as_truth() ? "true" : "false";
      return;
    case Cell::Kind::kNull:
    case Cell::Kind::kText:
      return;
  }
}

}  // namespace

void append_exact(std::string& to, const Cell& cell) { append_value(to, cell, append_exact_real); }

void append_readable(std::string& to, const Cell& cell) { append_value(to, cell, append_readable_real); }

namespace {

void write_null(JsonWriter& json, WhereNull where_null) {
  switch (where_null) {
    case WhereNull::kNull:
      return json.value(nullptr);
    case WhereNull::kZero:
      return json.value(0);
    case WhereNull::kEmptyText:
      return json.value(std::string_view());
    case WhereNull::kQuestionMark:
      return json.value(std::string_view("?"));
  }
}

}  // namespace

JsonRows::JsonRows(Table table, const std::vector<JsonField>& fields) : table_(std::move(table)) {
  members_.reserve(fields.size());
  for (const JsonField& field : fields) {
    const std::string_view column = field.column.empty() ? field.key : field.column;
    members_.push_back({field.key, table_.spec().find_column(column).value(), field.where_null});
  }
}

void JsonRows::take_all_except(const AllExcept& left_out) {
  const std::vector<std::string_view>& out = left_out.columns;
  const std::vector<ColumnSpec>& columns = table_.spec().columns;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (std::find(out.begin(), out.end(), columns[i].name) == out.end())
      members_.push_back({columns[i].name, i, WhereNull::kNull});
  }
}

void JsonRows::write_array(JsonWriter& json, std::string_view key, std::size_t rows) {
  json.array(key, [&] {
    for (; rows > 0 && next_row_ < table_.rows(); --rows) json.object([&] { write_next(json); });
  });
}

void JsonRows::write_next(JsonWriter& json) {
  if (next_row_ < table_.rows()) write_row(json, next_row_++);
}

void JsonRows::write_row(JsonWriter& json, std::size_t row) {
  for (const Member& member : members_) {
    const Cell cell = table_.cell(row, member.column, scratch_);
    json.key(member.key);
    if (cell.is_null()) {
      write_null(json, member.where_null);
    } else {
      write_cell(json, cell);
    }
  }
}

void write_cell(JsonWriter& json, const Cell& cell) {
  switch (cell.kind()) {
    case Cell::Kind::kNull:
      return json.value(nullptr);
    case Cell::Kind::kInteger:
      return json.value(cell.as_integer());
    case Cell::Kind::kReal:
      return json.value(cell.as_real());
    case Cell::Kind::kText:
      return json.value(cell.as_text());
    case Cell::Kind::kTruth:
      return json.value(cell.as_truth());
  }
}

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
    ASSIGN_OR_RETURN(const bool more, rows.next());
    if (!more || out.has_failed()) return {};  // finish() says what failed
    for (std::size_t column = 0; column < columns; ++column) {
      if (column > 0) line += ',';
      append_cell(line, rows.cell(column));
    }
  }
}

namespace {

std::vector<std::string> different_names(const std::vector<std::string>& names) {
  std::set<std::string> taken(names.begin(), names.end());
  std::set<std::string> seen;
  std::vector<std::string> different;
  different.reserve(names.size());
  for (const std::string& name : names) {
    std::string each = name;
    if (!seen.insert(name).second) {
      for (int number = 2; !taken.insert(each = name + "_" + std::to_string(number)).second;) ++number;
    }
    different.push_back(each);
  }
  return different;
}

void write_row(RowSource& rows, const std::vector<std::string>& names, Writer& out) {
  JsonWriter json(out, {.ascii = true});
  json.object([&] {
    for (std::size_t column = 0; column < names.size(); ++column) {
      json.key(names[column]);
      write_cell(json, rows.cell(column));
    }
  });
}

}  // namespace

Result<void> write_json(RowSource& rows, Writer& out) {
  const std::vector<std::string> names = different_names(rows.column_names());
  out.write('[');
  for (bool first = true;; first = false) {
    ASSIGN_OR_RETURN(const bool more, rows.next());
    if (!more || out.has_failed()) {  // finish() says what failed
      out.write(first ? "]\n" : "\n]\n");
      return {};
    }
    out.write(first ? "\n" : ",\n");
    write_row(rows, names, out);
  }
}

namespace {

constexpr std::string_view kNull = "-";
constexpr std::string_view kBetween = "  ";
constexpr std::size_t kNarrowestText = 8;

bool starts_character(char byte) { return (byte & 0xC0) != 0x80; }

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

/// Where character `index` starts.
std::size_t byte_of_character(std::string_view text, std::size_t index) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (starts_character(text[at]) && index-- == 0) return at;
  }
  return text.size();
}

std::string without_middle(const std::string& text, std::size_t room) {
  const std::size_t length = characters(text);
  if (length <= room) return text;
  const std::size_t tail = (room - 1) / 2;
  const std::size_t head = room - 1 - tail;
  return text.substr(0, byte_of_character(text, head)) + "…" +
         text.substr(byte_of_character(text, length - tail));
}

struct Column {
  std::size_t width = 0;
  bool has_numbers = false;
  bool has_others = false;
  bool is_right_aligned() const { return has_numbers && !has_others; }
};

/// A cell as it is shown, before it is cut.
struct Shown {
  std::string text;
  bool is_text = false;
};

Shown shown(const Cell& cell) {
  if (cell.is_null()) return {std::string(kNull), false};
  if (cell.kind() == Cell::Kind::kText) return {terminal_safe(cell.as_text()), true};
  Shown value;
  append_readable(value.text, cell);
  return value;
}

/// Rows that wait for their widths, without an object for each cell.
class BufferedRows {
 public:
  void add(const std::vector<Shown>& row) {
    for (const Shown& cell : row) {
      texts_ += cell.text;
      cells_.push_back({texts_.size(), cell.is_text});
    }
  }
  /// About what they take.
  std::size_t size_bytes() const { return texts_.size() + cells_.size() * sizeof(BufferedCell); }
  std::size_t cell_count() const { return cells_.size(); }
  Shown cell(std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : cells_[index - 1].end;
    return {texts_.substr(start, cells_[index].end - start), cells_[index].is_text};
  }

 private:
  struct BufferedCell {
    std::size_t end = 0;
    bool is_text = false;
  };
  std::string texts_;
  std::vector<BufferedCell> cells_;
};

class TextTable {
 public:
  TextTable(RowSource& rows, Writer& out, const TableTextOptions& options)
      : rows_(rows), out_(out), options_(options), columns_(rows.column_names().size()) {}

  Result<void> write() {
    bool more = true;
    while (more && kept_.size_bytes() < options_.measured_bytes) {
      ASSIGN_OR_RETURN(const bool next, rows_.next());
      more = next;
      if (more) kept_.add(measured_row());
    }
    measure_names();
    narrow();
    write_head();
    write_kept();
    return more ? write_rest() : Result<void>{};
  }

 private:
  std::vector<Shown> measured_row() {
    std::vector<Shown> row;
    row.reserve(columns_.size());
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      const Cell cell = rows_.cell(column);
      Column& of = columns_[column];
      of.has_numbers = of.has_numbers || cell.is_number();
      of.has_others = of.has_others || !(cell.is_null() || cell.is_number());
      row.push_back(shown(cell));
      of.width = std::max(of.width, characters(row.back().text));
    }
    return row;
  }

  void write_kept() {
    std::vector<Shown> row(columns_.size());
    for (std::size_t cell = 0; cell < kept_.cell_count(); ++cell) {
      const std::size_t column = cell % columns_.size();
      row[column] = kept_.cell(cell);
      if (column + 1 == columns_.size()) write_row(row);
    }
    kept_ = {};
  }

  void measure_names() {
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      names_.push_back({terminal_safe(rows_.column_names()[column]), true});
      columns_[column].width = std::max(columns_[column].width, characters(names_[column].text));
    }
  }

  std::size_t total_width(std::size_t widest_text) const {
    std::size_t total = columns_.empty() ? 0 : kBetween.size() * (columns_.size() - 1);
    for (const Column& column : columns_) {
      total += column.is_right_aligned() ? column.width : std::min(column.width, widest_text);
    }
    return total;
  }

  /// The widest texts give way first.
  void narrow() {
    if (options_.width == 0) return;
    std::size_t widest = kNarrowestText;
    for (const Column& column : columns_) widest = std::max(widest, std::min(column.width, options_.width));
    while (widest > kNarrowestText && total_width(widest) > options_.width) --widest;
    for (Column& column : columns_) {
      if (!column.is_right_aligned()) column.width = std::min(column.width, widest);
    }
  }

  void write_head() {
    write_row(names_);
    std::string line;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (column > 0) line += kBetween;
      line.append(columns_[column].width, '-');
    }
    line += '\n';
    out_.write(line);
  }

  Result<void> write_rest() {
    while (true) {
      ASSIGN_OR_RETURN(const bool next, rows_.next());
      if (!next || out_.has_failed()) return {};  // finish() says what failed
      const std::vector<Shown> row = measured_row();
      narrow();
      write_row(row);
    }
  }

  void write_row(const std::vector<Shown>& row) {
    std::string line;
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      if (column > 0) line += kBetween;
      append_cell(line, row[column], columns_[column]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    line += '\n';
    out_.write(line);
  }

  void append_cell(std::string& line, const Shown& cell, const Column& column) const {
    const bool cut = cell.is_text && options_.width > 0;
    const std::string text =
        cut ? without_middle(cell.text, std::max<std::size_t>(column.width, 1)) : cell.text;
    const std::size_t length = characters(text);
    const std::size_t blanks = length < column.width ? column.width - length : 0;
    if (column.is_right_aligned()) line.append(blanks, ' ');
    line += text;
    if (!column.is_right_aligned()) line.append(blanks, ' ');
  }

  RowSource& rows_;
  Writer& out_;
  TableTextOptions options_;
  std::vector<Column> columns_;
  std::vector<Shown> names_;
  BufferedRows kept_;
};

}  // namespace

Result<void> write_text(RowSource& rows, Writer& out, const TableTextOptions& options) {
  return TextTable(rows, out, options).write();
}

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
