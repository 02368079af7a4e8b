#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ttscope {

inline constexpr std::size_t kNoPlace = std::string_view::npos;

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != kNoPlace; }

/// White space of JSON.
inline bool is_blank_or_break(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Without blanks and line ends on both sides.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == kNoPlace) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// With the letters A to Z as a to z, whatever the locale.
inline std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

}  // namespace ttscope
