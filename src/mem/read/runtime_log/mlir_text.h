#pragma once

#include <cstddef>
#include <string_view>

#include "base/text_search.h"

namespace ttscope::mem {

/// Bracket-aware scanning of MLIR text. Strings (`"..."` with escapes) and arrows (`->`) never open or close
/// anything. All functions are total: text that is cut or damaged gives npos.

/// Position of the bracket that closes the one at `open`; npos if the text ends first.
std::size_t find_closing(std::string_view text, std::size_t open);

/// Position at or after `from` of the first `wanted` text at the nesting depth of `from`; npos if none.
std::size_t find_at_depth(std::string_view text, std::string_view wanted, std::size_t from);

/// Where the location of an op begins: the last ` loc(` that is not inside a string, of a text that ends with
/// `)`; npos if there is none.
std::size_t location_start(std::string_view text);

/// Calls `take(part)` for every part of a comma-separated list, trimmed, commas inside brackets or strings
/// ignored.
template <typename Take>
void for_each_item(std::string_view list, Take take);

/// Skips a string, an arrow or one character; returns the next position and adds to `depth` for brackets.
inline std::size_t next_token(std::string_view text, std::size_t at, int& depth) {
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

template <typename Take>
void for_each_item(std::string_view list, Take take) {
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t at = 0; at <= list.size();) {
    if (at == list.size() || (list[at] == ',' && depth == 0)) {
      const std::string_view item = trimmed(list.substr(begin, at - begin));
      if (!item.empty()) take(item);
      begin = ++at;
    } else {
      at = next_token(list, at, depth);
    }
  }
}

}  // namespace ttscope::mem
