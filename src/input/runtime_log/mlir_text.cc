#include "input/runtime_log/mlir_text.h"

namespace ttscope::input {

std::size_t next_token(std::string_view text, std::size_t at, int& depth) {
  switch (text[at]) {
    case '"': {
      std::size_t end = at + 1;
      while (end < text.size() && text[end] != '"') end += text[end] == '\\' ? 2 : 1;
      return end < text.size() ? end + 1 : text.size();
    }
    case '-':
      return at + 1 < text.size() && text[at + 1] == '>' ? at + 2 : at + 1;
    case '<':
    case '(':
    case '{':
    case '[':
      ++depth;
      return at + 1;
    case '>':
    case ')':
    case '}':
    case ']':
      --depth;
      return at + 1;
    default:
      return at + 1;
  }
}

std::size_t find_closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size();) {
    const std::size_t here = at;
    at = next_token(text, at, depth);
    if (depth <= 0) return here;
  }
  return std::string_view::npos;
}

std::size_t find_at_depth(std::string_view text, std::string_view wanted, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size();) {
    if (depth == 0 && text.substr(at, wanted.size()) == wanted) return at;
    at = next_token(text, at, depth);
    if (depth < 0) return std::string_view::npos;
  }
  return std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

}  // namespace ttscope::input
