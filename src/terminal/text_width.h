#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope::terminal {

/// Columns of one character: 0 for combining marks and joiners, 2 for East Asian wide characters and emoji.
std::size_t character_columns(char32_t character);

/// Columns of a text that holds no control characters (`terminal_safe`).
std::size_t text_columns(std::string_view text);

/// The longest start of `text` that fits into `room` columns; marks stay with their character.
std::string_view columns_prefix(std::string_view text, std::size_t room);

/// At most `room` columns; a text that is too long ends with `…`.
std::string cut_to(std::string_view text, std::size_t room);

/// Filled up with blanks to `columns`.
std::string padded_to(std::string_view text, std::size_t columns);

/// The text in lines of at most `room` columns (at least 1), broken at blanks where there are some. Newlines
/// in it are kept, and what is broken hangs under the first word of its line, behind the mark of a list.
/// Never empty.
std::vector<std::string> wrapped(std::string_view text, std::size_t room);

}  // namespace ttscope::terminal
