#include "table/write_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_escape.h"
#include "table/cell_text.h"

namespace ttscope::table {
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
  bool is_right() const { return has_numbers && !has_others; }
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
class KeptRows {
 public:
  void add(const std::vector<Shown>& row) {
    for (const Shown& cell : row) {
      texts_ += cell.text;
      cells_.push_back({texts_.size(), cell.is_text});
    }
  }
  /// About what they take.
  std::size_t size_bytes() const { return texts_.size() + cells_.size() * sizeof(KeptCell); }
  std::size_t cell_count() const { return cells_.size(); }
  Shown cell(std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : cells_[index - 1].end;
    return {texts_.substr(start, cells_[index].end - start), cells_[index].is_text};
  }

 private:
  struct KeptCell {
    std::size_t end = 0;
    bool is_text = false;
  };
  std::string texts_;
  std::vector<KeptCell> cells_;
};

class TextTable {
 public:
  TextTable(RowSource& rows, Writer& out, const TableTextOptions& options)
      : rows_(rows), out_(out), options_(options), columns_(rows.column_names().size()) {}

  Result<void> write() {
    bool more = true;
    while (more && kept_.size_bytes() < options_.measured_bytes) {
      const Result<bool> next = rows_.next();
      if (!next) return failure(next.error());
      more = *next;
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
      total += column.is_right() ? column.width : std::min(column.width, widest_text);
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
      if (!column.is_right()) column.width = std::min(column.width, widest);
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
      const Result<bool> next = rows_.next();
      if (!next) return failure(next.error());
      if (!*next || out_.has_failed()) return {};  // finish() says what failed
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
    if (column.is_right()) line.append(blanks, ' ');
    line += text;
    if (!column.is_right()) line.append(blanks, ' ');
  }

  RowSource& rows_;
  Writer& out_;
  TableTextOptions options_;
  std::vector<Column> columns_;
  std::vector<Shown> names_;
  KeptRows kept_;
};

}  // namespace

Result<void> write_text(RowSource& rows, Writer& out, const TableTextOptions& options) {
  return TextTable(rows, out, options).write();
}

}  // namespace ttscope::table
