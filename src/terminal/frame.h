#pragma once

#include <cstddef>
#include <cstdint>
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

/// How a piece of text looks. The text says the same without.
enum class Style : std::uint8_t { kPlain, kBold, kDim, kAccent, kGood, kWarning, kBad };

/// Text without control characters, in one style.
struct Span {
  std::string text;
  Style style = Style::kPlain;
};

using Line = std::vector<Span>;

struct Size {
  std::size_t rows = 24;
  std::size_t columns = 80;
};

/// The part of the screen that a prompt draws again and again, below what is printed already.
struct Frame {
  std::vector<Line> lines{};
  std::size_t cursor_row = 0;  ///< where the terminal's cursor is left
  std::size_t cursor_column = 0;
  bool shows_cursor = false;
};

std::size_t line_columns(const Line& line);

/// The line cut to `room` columns, a `…` at the end of what is too long.
Line cut_line(const Line& line, std::size_t room);

/// A frame that a terminal of this size shows without scrolling and without breaking lines: lines are cut, of
/// too many those around the cursor are kept. The last column stays free, where some terminals already break.
Frame fitted(Frame frame, Size size);

/// The line with escape sequences for its styles, or without any.
std::string line_text(const Line& line, bool color);

/// Draws a fitted frame from the cursor on and leaves the cursor in its place. For a terminal in raw mode.
std::string draw_text(const Frame& frame, bool color);

/// Takes a frame away again that `draw_text` has drawn; the cursor is then where it began. `columns` is the
/// width of the terminal now: one that has become narrower has broken the lines anew.
std::string erase_text(const Frame& shown, std::size_t columns);

struct PanelSpec {
  std::string title;
  std::vector<std::string> paragraphs;  ///< each begins on a line of its own; empty ones are blank lines
  Style style = Style::kAccent;         ///< of the frame and the title
};

/// A box around text, at most `columns` wide; on a narrow terminal only the text under its title.
std::vector<Line> panel_lines(const PanelSpec& spec, std::size_t columns);
/// The text under its title, without a box.
std::vector<Line> plain_panel_lines(const PanelSpec& spec, std::size_t columns);

}  // namespace ttscope::terminal
