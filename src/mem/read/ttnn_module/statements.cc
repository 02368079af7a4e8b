#include "mem/read/ttnn_module/statements.h"

#include <algorithm>
#include <cstring>

#include "base/text_search.h"
#include "mem/read/runtime_log/mlir_text.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kConstant = "dense<";
constexpr std::size_t kMostJoinedLines =
    4096;  // a printed statement is one line; damaged ones are not followed far
constexpr std::size_t kJoinedLimit = std::size_t{1} << 22;  // a constant over many lines is not copied

bool is_constant_at(std::string_view text, std::size_t open) {
  return open + 1 >= kConstant.size() &&
         text.substr(open + 1 - kConstant.size(), kConstant.size()) == kConstant;
}

std::size_t find_character(std::string_view text, char wanted, std::size_t from) {
  const void* const found =
      from >= text.size() ? nullptr : std::memchr(text.data() + from, wanted, text.size() - from);
  return found == nullptr ? text.size()
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

/// How many braces more a line opens than it closes: regions are told by these alone.
int open_braces(std::string_view line) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (in_string && c == '\\') {
      ++at;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && c == '<' && is_constant_at(line, at)) {
      at = behind_constant(line, at) - 1;
    } else if (!in_string && (c == '{' || c == '}')) {
      depth += c == '{' ? 1 : -1;
    }
  }
  return depth;
}

}  // namespace

std::size_t behind_constant(std::string_view text, std::size_t open) {
  std::size_t at = open + 1;
  if (at < text.size() && text[at] == '"') at = find_character(text, '"', at + 1);
  at = find_character(text, '>', at);  // numbers, brackets and commas only
  return std::min(at + 1, text.size());
}

int open_brackets(std::string_view& line) {
  int depth = 0;
  for (std::size_t at = 0; at < line.size();) {
    const char c = line[at];
    if (c == '/' && at + 1 < line.size() && line[at + 1] == '/') {
      line = trimmed(line.substr(0, at));
      break;
    }
    if (c == '<' && is_constant_at(line, at)) {
      at = behind_constant(line, at);
      continue;
    }
    at = next_token(line, at, depth);
  }
  return depth;
}

/// Blank lines, comments, `#alias = ...` and the `{-# ... #-}` of resources.
bool StatementReader::is_passed_over(std::string_view line) {
  if (line.empty() || line[0] == '#' || line[0] == '!' || line.starts_with("//")) return true;
  if (!line.starts_with("{-#")) return false;
  while (at_ < lines_.size() && lines_[at_].find("#-}") == kNoPlace) ++at_;
  return true;
}

bool StatementReader::next(Statement& statement) {
  while (at_ < lines_.size()) {
    std::string_view line = trimmed(lines_[at_]);
    if (is_passed_over(line)) {
      ++at_;
      continue;
    }
    statement = {line, at_, at_};
    ++at_;
    if (line[0] == '}') return true;  // `}`, `} loc(#loc)`, `}) : () -> ()`
    const int depth = open_brackets(line);
    statement.text = line;
    if (line.empty()) continue;
    return gather(statement, line, depth);
  }
  return false;
}

/// A statement goes on while brackets are open that are not those of a region, and where the next line cannot
/// begin one.
bool StatementReader::gather(Statement& statement, std::string_view first, int depth) {
  const auto is_opener = [&](std::string_view text) {
    const int opened = text.ends_with("({") ? 2 : 1;
    return text.ends_with('{') && depth == opened;
  };
  const auto is_done = [&](std::string_view text) {
    statement.opens_region = is_opener(text);
    return statement.opens_region || (depth <= 0 && !goes_on());
  };
  if (is_done(first)) return true;
  joined_ = first;
  const std::size_t limit = std::min<std::size_t>(lines_.size(), at_ + kMostJoinedLines);
  while (at_ < limit) {
    std::string_view line = trimmed(lines_[at_]);
    if (line.starts_with("func.func") || line.starts_with("\"func.func\""))
      break;  // the text was cut before it
    depth += open_brackets(line);
    statement.last_line = at_++;
    if (!line.empty() && joined_.size() + line.size() <= kJoinedLimit) joined_.append(" ").append(line);
    statement.text = joined_;
    if (is_done(line)) return true;
  }
  statement.text = joined_;
  statement.is_whole = false;
  return true;
}

/// Written by hand, a header or an op may stand on several lines:
///   %0 = "ttnn.add"(%a, %b)
///       : (tensor<...>, tensor<...>) -> tensor<...>
bool StatementReader::goes_on() const {
  std::uint32_t next = at_;
  std::string_view line;
  while (next < lines_.size() && (line.empty() || line.starts_with("//"))) line = trimmed(lines_[next++]);
  if (line.empty()) return false;
  const bool is_word =
      line.starts_with("attributes ") || line.starts_with("ins(") || line.starts_with("outs(");
  const bool is_sign = line[0] == ':' || line[0] == '<' || line.starts_with("->");
  return is_word || is_sign || (line[0] == '{' && !line.starts_with("{-#"));
}

std::string_view StatementReader::skip_region() {
  for (int depth = 1; at_ < lines_.size();) {
    const std::string_view line = trimmed(lines_[at_++]);
    depth += open_braces(line);
    if (depth <= 0) return line.substr(std::min(line.find('}'), line.size()));
  }
  return {};
}

}  // namespace ttscope::mem
