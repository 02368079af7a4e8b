#include "table/sql/query_error.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <string>

#include "base/edit_distance.h"
#include "base/text_escape.h"

namespace ttscope::table {
namespace {

constexpr std::size_t kShownBytes = 30;
constexpr std::string_view kNoColumn = "no such column: ";
constexpr std::string_view kNoTable = "no such table: ";
constexpr std::string_view kNoFunction = "no such function: ";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower;
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if (at > 0 && is_word_character(text[at - 1])) continue;
    if (end < text.size() && is_word_character(text[end])) continue;
    return true;
  }
  return false;
}

/// The columns of the tables that the query names; of all if it names none (it asks a view).
std::vector<std::string_view> columns_in_reach(std::string_view sql, const QueryNames& names) {
  const std::string lower = lower_case(sql);
  std::vector<std::string_view> columns;
  for (const bool only_named : {true, false}) {
    for (const TableSpec& table : names.tables) {
      if (only_named && !has_word(lower, table.name)) continue;
      for (const ColumnSpec& column : table.columns) columns.push_back(column.name);
    }
    if (!columns.empty()) break;
  }
  return columns;
}

std::vector<std::string_view> table_names(const QueryNames& names) {
  std::vector<std::string_view> all;
  all.reserve(names.tables.size());
  for (const TableSpec& table : names.tables) all.push_back(table.name);
  for (const View& view : names.views) all.push_back(view.name);
  return all;
}

std::string meant(std::string_view given, const std::vector<std::string_view>& candidates) {
  const std::string_view near = nearest_name(lower_case(given), candidates);
  const bool helps = !near.empty() && near != given;
  return helps ? fmt::format("; did you mean {}?", near) : "";
}

std::string advice_for(std::string_view message, std::string_view rest, std::string_view sql,
                       const QueryNames& names) {
  if (message.starts_with(kNoColumn)) {
    std::string_view given = message.substr(kNoColumn.size());
    given.remove_prefix(given.rfind('.') + 1);  // behind the table, if it is named
    std::string advice = meant(given, columns_in_reach(sql, names));
    if (!advice.empty()) return advice;
    return rest.starts_with('"') ? "; texts stand in 'single' quotes" : "";
  }
  if (message.starts_with(kNoTable)) {
    const std::vector<std::string_view> tables = table_names(names);
    std::string advice = meant(message.substr(kNoTable.size()), tables);
    return advice.empty() ? fmt::format("; there are {}", fmt::join(tables, ", ")) : advice;
  }
  if (message.starts_with(kNoFunction)) {
    return meant(message.substr(kNoFunction.size()),
                 {"median",       "percentile", "count", "sum",   "total",  "avg",      "min",    "max",
                  "round",        "abs",        "sqrt",  "log",   "exp",    "pow",      "length", "substr",
                  "instr",        "replace",    "lower", "upper", "printf", "coalesce", "ifnull", "iif",
                  "group_concat", "row_number", "rank",  "lag",   "lead"});
  }
  return "";
}

/// A query must not take the machine's memory from others: a join without a condition, in order, would.
Error memory_error() {
  constexpr double kMb = 1 << 20;
  const auto limit_bytes = static_cast<double>(sqlite3_hard_heap_limit64(-1));
  return bad_input(
      fmt::format("the query needs more memory than it may take ({:.0f} MB): join on a condition, "
                  "or sort and group fewer rows",
                  limit_bytes / kMb));
}

}  // namespace

Error only_reading_error() {
  return bad_input(
      "only reading is allowed: select, with, values, explain, pragma table_info and table_list");
}

Error interrupted_error() { return bad_input("interrupted"); }

Error query_error(sqlite3* connection, std::string_view sql, const QueryNames& names) {
  const int code = sqlite3_errcode(connection);
  const std::string message = sqlite3_errmsg(connection);
  if (code == SQLITE_INTERRUPT) return interrupted_error();
  if (code == SQLITE_NOMEM) return memory_error();
  if (code == SQLITE_AUTH && message == "not authorized") {
    return only_reading_error();
  }
  const int offset = sqlite3_error_offset(connection);
  const bool has_place = offset >= 0 && static_cast<std::size_t>(offset) < sql.size();
  const std::string_view rest = has_place ? sql.substr(static_cast<std::size_t>(offset)) : std::string_view();
  std::string place;
  if (has_place) {
    place =
        fmt::format(" (at character {}: \"{}\")", offset + 1, terminal_safe(utf8_prefix(rest, kShownBytes)));
  }
  return bad_input(terminal_safe(message) + place + advice_for(message, rest, sql, names));
}

}  // namespace ttscope::table
