#include "perf/analyze/report_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "base/csv.h"
#include "base/number_text.h"
#include "base/result.h"
#include "io/open_input.h"
#include "perf/model/report_columns.h"

namespace ttscope::perf {
namespace {

constexpr std::array<std::string_view, 5> kKeyColumns = {
    name_of(ReportColumn::kHostName), name_of(ReportColumn::kDeviceId), name_of(ReportColumn::kCallCount),
    name_of(ReportColumn::kTraceId), name_of(ReportColumn::kReplaySession)};
/// Columns that only some tools fill.
constexpr std::array<std::string_view, 5> kSometimesEmpty = {
    "DEVICE KERNEL DURATION PER CORE MIN [NS]", "DEVICE KERNEL DURATION PER CORE MAX [NS]",
    "DEVICE KERNEL DURATION PER CORE AVG [NS]", "DEVICE ARCH", "AVAILABLE WORKER CORE COUNT"};

constexpr std::string_view kCalls = name_of(ReportColumn::kCallCount);

std::string upper(std::string_view text) {
  std::string result(trimmed(text));
  for (char& c : result) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return result;
}

/// Empty, `nan`, `None` and `null` are all nothing.
std::string_view plain(std::string_view cell) {
  cell = trimmed(cell);
  const std::string name = cell.size() <= 4 ? upper(cell) : std::string();
  if (name == "NAN" || name == "NONE" || name == "NULL") return {};
  return cell;
}

/// `1027.0` and `1027` are one key.
std::string key_cell(std::string_view cell) {
  const auto whole = parse_whole_or_cut(plain(cell));
  return whole ? std::to_string(*whole) : std::string(plain(cell));
}

class Table {
 public:
  explicit Table(std::string_view text) : scanner_(text) {
    if (!scanner_.next()) return;
    const CsvHeader header(scanner_.cells());
    names_ = header.names();
    for (const std::string& name : names_) columns_.push_back(upper(name));
    while (scanner_.next()) rows_.push_back(scanner_.cells());
  }

  std::size_t find(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    return found == columns_.end() ? CsvHeader::kNoColumn
                                   : static_cast<std::size_t>(found - columns_.begin());
  }
  /// The runtime's own report has executions only: keep those of the other, without ids of no op.
  void keep_executions() {
    const std::size_t duration = find("DEVICE FW DURATION [NS]");
    const std::size_t id = find(name_of(ReportColumn::kCallCount));
    const auto is_none = [&](const std::vector<std::string_view>& row) {
      const std::string_view key = id < row.size() ? plain(row[id]) : std::string_view{};
      return plain(duration < row.size() ? row[duration] : std::string_view{}).empty() || key.empty() ||
             key == "0";
    };
    rows_.erase(std::remove_if(rows_.begin(), rows_.end(), is_none), rows_.end());
  }
  const std::vector<std::string>& columns() const { return columns_; }
  /// As the file writes it.
  const std::string& name(std::size_t column) const { return names_[column]; }
  const std::vector<std::vector<std::string_view>>& rows() const { return rows_; }
  std::string_view cell(std::size_t row, std::size_t column) const {
    return column < rows_[row].size() ? rows_[row][column] : std::string_view{};
  }

 private:
  CsvScanner scanner_;
  std::vector<std::string> names_;
  std::vector<std::string> columns_;  ///< the same in capital letters
  std::vector<std::vector<std::string_view>> rows_;
};

/// What tells a row from the others; signposts have no id, so their name and order do.
using RowKey = std::vector<std::string>;

/// Numbers by their value, and before other texts: 1024, 2048, 10240.
struct ByNumber {
  bool operator()(const RowKey& a, const RowKey& b) const {
    return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                        [](const std::string& one, const std::string& other) {
                                          const auto first = parse_whole(one);
                                          const auto second = parse_whole(other);
                                          if (first && second) return *first < *second;
                                          return first || second ? first.has_value() : one < other;
                                        });
  }
};

using RowIndex = std::map<RowKey, std::size_t, ByNumber>;

RowIndex index_rows(const Table& table, const std::vector<std::string_view>& key_columns) {
  RowIndex index;
  std::map<RowKey, std::size_t> occurrences;
  const std::size_t op_code = table.find(name_of(ReportColumn::kOpCode));
  for (std::size_t row = 0; row < table.rows().size(); ++row) {
    RowKey key;
    for (const std::string_view column : key_columns) {
      const std::size_t place = table.find(column);
      key.push_back(place == CsvHeader::kNoColumn ? "" : key_cell(table.cell(row, place)));
    }
    const bool is_mark = table.find(name_of(ReportColumn::kCallCount)) != CsvHeader::kNoColumn &&
                         plain(table.cell(row, table.find(name_of(ReportColumn::kCallCount)))).empty();
    key.push_back(is_mark && op_code != CsvHeader::kNoColumn ? std::string(table.cell(row, op_code)) : "");
    key.push_back(std::to_string(++occurrences[key]));
    index.emplace(std::move(key), row);
  }
  return index;
}

std::string row_text(const RowKey& key, const std::vector<std::string_view>& key_columns) {
  std::string text;
  for (std::size_t i = 0; i < key_columns.size(); ++i) {
    if (key[i].empty()) continue;
    if (!text.empty()) text += ", ";
    text += std::string(key_columns[i]) + " " + key[i];
  }
  const std::string& mark = key[key_columns.size()];
  if (!mark.empty()) text += (text.empty() ? "signpost " : ", signpost ") + mark;
  if (key.back() != "1") text += ", occurrence " + key.back();
  return text;
}

bool is_same(std::string_view first, std::string_view second, const ReportDiffOptions& options) {
  first = plain(first);
  second = plain(second);
  if (first == second) return true;
  const auto a = parse_number(first);
  const auto b = parse_number(second);
  if (!a || !b) return false;
  const double difference = std::abs(*a - *b);
  return difference <= options.tolerance ||
         difference <= options.relative_tolerance * std::max(std::abs(*a), std::abs(*b));
}

class Comparison {
 public:
  Comparison(const Table& first, const Table& second, const ReportDiffOptions& options)
      : first_(first), second_(second), options_(options) {}

  ReportDiff run() {
    choose_columns();
    std::vector<std::string_view> keys;
    for (const std::string_view column : kKeyColumns) {
      if (first_.find(column) != CsvHeader::kNoColumn && second_.find(column) != CsvHeader::kNoColumn)
        keys.push_back(column);
    }
    const RowIndex first_rows = index_rows(first_, keys);
    const RowIndex second_rows = index_rows(second_, keys);
    for (const auto& [key, row] : first_rows) {
      const auto other = second_rows.find(key);
      if (other == second_rows.end()) {
        ++diff_.only_first;
        note({row_text(key, keys), op_of(first_, row), "", "present", "missing"});
      } else {
        ++diff_.rows;
        compare_row(row, other->second, row_text(key, keys));
      }
    }
    for (const auto& [key, row] : second_rows) {
      if (first_rows.find(key) != first_rows.end()) continue;
      ++diff_.only_second;
      note({row_text(key, keys), op_of(second_, row), "", "missing", "present"});
    }
    return std::move(diff_);
  }

 private:
  void choose_columns() {
    std::vector<std::string> wanted;
    wanted.reserve(options_.columns.size());
    for (const std::string& column : options_.columns) wanted.push_back(upper(column));
    const auto is_wanted = [&](const std::string& column) {
      return wanted.empty() || std::find(wanted.begin(), wanted.end(), column) != wanted.end();
    };
    for (std::size_t i = 0; i < first_.columns().size(); ++i) {
      const std::string& column = first_.columns()[i];
      const std::size_t other = second_.find(column);
      if (!is_wanted(column)) continue;
      if (other == CsvHeader::kNoColumn) {
        diff_.columns_only_first.push_back(first_.name(i));
      } else {
        columns_.emplace_back(i, other);
      }
    }
    for (std::size_t i = 0; i < second_.columns().size(); ++i) {
      const std::string& column = second_.columns()[i];
      if (is_wanted(column) && first_.find(column) == CsvHeader::kNoColumn)
        diff_.columns_only_second.push_back(second_.name(i));
    }
    diff_.columns = columns_.size();
  }

  void compare_row(std::size_t first_row, std::size_t second_row, const std::string& row) {
    for (const auto& [a, b] : columns_) {
      const std::string_view first = first_.cell(first_row, a);
      const std::string_view second = second_.cell(second_row, b);
      if (is_same(first, second, options_)) continue;
      const std::string& column = first_.columns()[a];
      const bool sometimes =
          std::find(kSometimesEmpty.begin(), kSometimesEmpty.end(), column) != kSometimesEmpty.end();
      if (sometimes && (plain(first).empty() || plain(second).empty())) {
        ++diff_.missing_cells;
        continue;
      }
      ++diff_.cells;
      const std::string op = op_of(first_, first_row);
      const std::string other = op_of(second_, second_row);
      note({row, op == other ? op : fmt::format("{} | {}", op, other), first_.name(a), std::string(first),
            std::string(second)});
    }
  }

  static std::string op_of(const Table& table, std::size_t row) {
    const std::size_t column = table.find(name_of(ReportColumn::kOpCode));
    return column == CsvHeader::kNoColumn ? std::string() : std::string(plain(table.cell(row, column)));
  }

  void note(ReportDifference difference) {
    if (diff_.differences.size() < options_.max_differences)
      diff_.differences.push_back(std::move(difference));
  }

  const Table& first_;
  const Table& second_;
  const ReportDiffOptions& options_;
  std::vector<std::pair<std::size_t, std::size_t>> columns_;
  ReportDiff diff_;
};

}  // namespace

bool is_comparable_report(std::string_view text) {
  CsvScanner scanner(text);
  if (!scanner.next()) return false;
  const std::vector<std::string_view>& names = scanner.cells();
  return std::any_of(names.begin(), names.end(), [](std::string_view name) { return upper(name) == kCalls; });
}

std::string no_report_text() {
  return "not an ops report: the first line must name the column GLOBAL CALL COUNT";
}

Result<ReportDiff> compare_reports(std::string_view first, std::string_view second,
                                   const ReportDiffOptions& options) {
  Table a(first);
  Table b(second);
  if (!is_comparable_report(first) || !is_comparable_report(second))
    return failure(bad_input(no_report_text()));
  for (const std::string& column : options.columns) {
    if (a.find(upper(column)) != CsvHeader::kNoColumn && b.find(upper(column)) != CsvHeader::kNoColumn)
      continue;
    return failure(bad_input("column " + column + ": not in both reports, so it cannot be compared"));
  }
  if ((a.find(name_of(ReportColumn::kOpCode)) == CsvHeader::kNoColumn) !=
      (b.find(name_of(ReportColumn::kOpCode)) == CsvHeader::kNoColumn)) {
    a.keep_executions();
    b.keep_executions();
  }
  return Comparison(a, b, options).run();
}

Result<ComparedFiles> compare_files(const std::string& path_a, const std::string& path_b,
                                    const ReportDiffOptions& options) {
  ComparedFiles compared;
  std::vector<io::WholeText> texts;
  for (const std::string* path : {&path_a, &path_b}) {
    ASSIGN_OR_RETURN(io::WholeText text, io::open_whole_text(*path));
    if (!text.warning.empty()) compared.warnings.push_back(text.warning);
    if (!is_comparable_report(text.bytes())) return failure(bad_input(*path + ": " + no_report_text()));
    texts.push_back(std::move(text));
  }
  ASSIGN_OR_RETURN(ReportDiff diff, compare_reports(texts[0].bytes(), texts[1].bytes(), options));
  compared.diff = std::move(diff);
  return compared;
}

}  // namespace ttscope::perf
