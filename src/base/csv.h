#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/string_pool.h"

namespace ttscope {

/// How the records of a table in text are written.
struct CsvFormat {
  char delimiter = ',';
  char quote = '"';
  /// A quoted cell that is longer is taken for a stray quote; else one would swallow the rest of the file.
  std::size_t max_quoted_bytes = std::size_t{4} << 20;
};

/// Reads the records of a CSV text (RFC 4180: quoted cells may hold delimiters, line breaks and doubled
/// quotes; lines end in LF or CRLF) as Python's csv module does. Nothing is an error: a quote that is never
/// closed is an ordinary character and counted, so that at most its record is spoilt. Empty lines are
/// skipped. Not thread safe.
class CsvScanner {
 public:
  explicit CsvScanner(std::string_view text, CsvFormat format = {})
      : text_(text), format_(format), at_(text.data()), end_(text.data() + text.size()) {}

  /// Reads the next record into cells(); false at the end.
  bool next();

  /// The cells of the record. The views point into the text, or, for cells with doubled quotes, into this
  /// object; they are valid as long as both live. The vector itself is overwritten by next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  /// Cell `index`, empty where the record is shorter.
  std::string_view cell(std::size_t index) const {
    return index < cells_.size() ? cells_[index] : std::string_view{};
  }
  /// The bytes of the record as they are in the text, without its line end.
  std::string_view record() const { return record_; }
  /// The line where the record starts, from 1.
  std::uint64_t line() const { return line_; }
  /// Whether the record had its line end; the last record of a cut file has not.
  bool is_complete() const { return complete_; }
  std::uint64_t unclosed_quotes() const { return unclosed_quotes_; }
  /// Bytes read so far.
  std::size_t offset() const { return static_cast<std::size_t>(at_ - text_.data()); }

 private:
  void read_record();
  bool read_quoted();
  void read_plain();
  void finish_quoted(const char* start, const char* end, bool doubled, std::string_view rest);

  std::string_view text_;
  CsvFormat format_;
  const char* at_;
  const char* end_;
  std::vector<std::string_view> cells_;
  std::string_view record_;
  std::uint64_t line_ = 0;
  std::uint64_t next_line_ = 1;
  std::uint64_t unclosed_quotes_ = 0;
  bool complete_ = true;
  Arena arena_;
  std::string joined_;
};

/// The header row of a table: names to columns. Names are compared without surrounding blanks.
class CsvHeader {
 public:
  static constexpr std::size_t kNoColumn = static_cast<std::size_t>(-1);

  explicit CsvHeader(const std::vector<std::string_view>& cells);
  /// The first column of that name; kNoColumn if there is none.
  std::size_t find(std::string_view name) const;
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// Appends a cell as Python's csv.writer does (quoted only when it holds a delimiter, a quote or a line
/// break).
void append_csv_cell(std::string& to, std::string_view cell);
/// The same, and text that a spreadsheet would run as a formula gets a leading apostrophe.
void append_safe_csv_cell(std::string& to, std::string_view cell);
/// Whether it would: the text begins with = + - @ tab or CR and is no number.
bool reads_as_formula(std::string_view cell);

}  // namespace ttscope
