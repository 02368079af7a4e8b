#pragma once

// What holds of every output in text, whatever was read.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/csv.h"
#include "base/text.h"
#include "fuzz/fuzz_target.h"

namespace ttscope::fuzz {

/// Lines of UTF-8: nothing in them acts on a terminal.
inline void require_printable(std::string_view text, const char* rule) {
  while (!text.empty()) {
    text.remove_prefix(printable_ascii_prefix(text));
    if (text.empty()) return;
    const DecodedCharacter character = decode_utf8(text);
    require(character.valid && (text.front() == '\n' || !is_control_character(character.code_point)), rule);
    text.remove_prefix(character.size_bytes);
  }
}

/// Whether something takes less than no time: `-1.5 ms`. `1-2 s` is none, nor is a place on an axis, which
/// has `from` or `to` before it.
inline bool has_negative_time(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789.,";
  for (std::size_t at = text.find('-'); at != std::string_view::npos; at = text.find('-', at + 1)) {
    if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '\n') continue;
    if (text.substr(0, at).ends_with("from ") || text.substr(0, at).ends_with("to ")) continue;
    const std::size_t end = text.find_first_not_of(kDigits, at + 1);
    if (end == std::string_view::npos || end == at + 1 || text[end] != ' ') continue;
    const std::string_view unit = text.substr(end + 1, text.find_first_of(" \n,;)|", end + 1) - end - 1);
    if (unit == "s" || unit == "ms" || unit == "us" || unit == "ns" || unit == "\u00B5s" ||
        unit == "\u03BCs") {
      return true;
    }
  }
  return false;
}

/// What an output may say of times.
enum class Times {
  kNotNegative,
  kSigned,  ///< differences, and gaps of ops that a finished report says to overlap
};

/// For people, on a terminal without colors.
inline void require_terminal_text(std::string_view text, Times times = Times::kNotNegative) {
  require(!text.empty(), "there is a text");
  require_printable(text, "no control byte in a text for terminals");
  require(times == Times::kSigned || !has_negative_time(text), "no negative time in a text for terminals");
}

/// A line of markdown without its code spans, in which everything is text. A span ends at as many backticks
/// as it begins with; backticks that nothing ends are text.
inline std::string without_code(std::string_view line) {
  const auto run_at = [&](std::size_t at) {
    return std::min(line.find_first_not_of('`', at), line.size()) - at;
  };
  std::string rest;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == '\\' && at + 1 < line.size()) {
      rest += line.substr(at, 2);
      at += 2;
    } else if (line[at] == '`') {
      const std::size_t ticks = run_at(at);
      std::size_t end = line.find('`', at + ticks);
      while (end != std::string_view::npos && run_at(end) != ticks) end = line.find('`', end + run_at(end));
      rest += end == std::string_view::npos ? line.substr(at, ticks) : std::string_view();
      at = (end == std::string_view::npos ? at : end) + ticks;
    } else {
      rest += line[at++];
    }
  }
  return rest;
}

/// Names of a log make no HTML: not as text, and not by ending the code span that they are in.
inline void require_markdown(std::string_view text, Times times = Times::kNotNegative) {
  require_printable(text, "no control byte in markdown");
  require(times == Times::kSigned || !has_negative_time(text), "no negative time in markdown");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string line = without_code(text.substr(begin, end - begin));
    for (std::size_t at = line.find('<'); at != std::string::npos; at = line.find('<', at + 1)) {
      const char next = at + 1 < line.size() ? line[at + 1] : ' ';
      const bool is_tag = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') || next == '/' ||
                          next == '!' || next == '?';
      require(!is_tag || (at > 0 && line[at - 1] == '\\'), "no raw HTML in markdown");
    }
    begin = end + 1;
  }
}

inline void require_json(std::string_view text) { require_printable(text, "no control byte in JSON"); }

/// A spreadsheet runs nothing of it.
inline void require_csv(std::string_view text) {
  CsvScanner rows(text);
  while (rows.next()) {
    for (const std::string_view cell : rows.cells()) {
      if (reads_as_formula(cell)) std::fprintf(stderr, "%.*s\n", static_cast<int>(cell.size()), cell.data());
      require(!reads_as_formula(cell), "no formula in CSV");
    }
  }
}

}  // namespace ttscope::fuzz
