#include "app/sql_text.h"

#include <algorithm>

namespace ttscope::app {
namespace {

constexpr std::size_t kNoEnd = std::string_view::npos;

/// Where the piece that begins at `at` ends: a text, a name, a comment or one character. kNoEnd: nowhere.
std::size_t piece_end(std::string_view sql, std::size_t at) {
  const std::string_view rest = sql.substr(at);
  const auto behind = [&](std::string_view end, std::size_t from) {
    const std::size_t found = rest.find(end, from);
    return found == std::string_view::npos ? kNoEnd : at + found + end.size();
  };
  if (rest.starts_with("--")) return std::min(behind("\n", 2), sql.size());
  if (rest.starts_with("/*")) return behind("*/", 2);
  switch (rest.front()) {
    case '\'':
    case '"':
    case '`':
      return behind(rest.substr(0, 1), 1);
    case '[':
      return behind("]", 1);
    default:
      return at + 1;
  }
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool is_comment(std::string_view rest) { return rest.starts_with("--") || rest.starts_with("/*"); }

}  // namespace

std::vector<std::string> statements_of(std::string_view sql) {
  std::vector<std::string> statements;
  std::size_t start = 0;
  bool has_content = false;
  const auto finish = [&](std::size_t end) {
    if (has_content) statements.emplace_back(sql.substr(start, end - start));
    has_content = false;
    start = end + 1;
  };
  for (std::size_t at = 0; at < sql.size();) {
    const std::size_t end = std::min(piece_end(sql, at), sql.size());
    if (sql[at] == ';') {
      finish(at);
    } else if (!is_comment(sql.substr(at)) && !is_blank(sql[at])) {
      if (!has_content) start = at;
      has_content = true;
    }
    at = end;
  }
  finish(sql.size());
  return statements;
}

bool is_open_statement(std::string_view sql) {
  bool is_open = false;
  for (std::size_t at = 0; at < sql.size();) {
    const std::size_t end = piece_end(sql, at);
    if (end == kNoEnd) return true;
    if (!is_comment(sql.substr(at)) && !is_blank(sql[at])) is_open = sql[at] != ';';
    at = end;
  }
  return is_open;
}

}  // namespace ttscope::app
