#include "terminal/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "terminal/text_width.h"

namespace ttscope::terminal {
namespace {

std::string_view code_of(Style style) {
  constexpr std::array<std::string_view, 7> kCodes = {"", "1", "2", "36", "32", "33", "31"};
  return kCodes[static_cast<std::size_t>(style)];
}

/// Rows that a line of so many columns takes.
std::size_t rows_of(std::size_t line_columns, std::size_t columns) {
  return std::max<std::size_t>((line_columns + columns - 1) / columns, 1);
}

void move(std::string& text, std::size_t steps, char direction) {
  if (steps > 0) text += fmt::format("\x1b[{}{}", steps, direction);
}

}  // namespace

std::size_t line_columns(const Line& line) {
  std::size_t columns = 0;
  for (const Span& span : line) columns += text_columns(span.text);
  return columns;
}

Line cut_line(const Line& line, std::size_t room) {
  Line cut;
  for (const Span& span : line) {
    const std::size_t columns = text_columns(span.text);
    if (columns > room) {
      cut.push_back({cut_to(span.text, room), span.style});
      return cut;
    }
    cut.push_back(span);
    room -= columns;
  }
  return cut;
}

Frame fitted(Frame frame, Size size) {
  const std::size_t room = size.columns > 1 ? size.columns - 1 : 1;
  const std::size_t rows = std::max<std::size_t>(size.rows, 1);
  for (Line& line : frame.lines) line = cut_line(line, room);
  frame.cursor_column = std::min(frame.cursor_column, room);
  if (frame.lines.empty()) frame.lines.emplace_back();
  frame.cursor_row = std::min(frame.cursor_row, frame.lines.size() - 1);
  if (frame.lines.size() <= rows) return frame;
  const std::size_t first =
      std::min(frame.cursor_row - std::min(frame.cursor_row, rows / 2), frame.lines.size() - rows);
  frame.lines.erase(frame.lines.begin(), frame.lines.begin() + static_cast<std::ptrdiff_t>(first));
  frame.lines.resize(rows);
  frame.cursor_row -= first;
  return frame;
}

std::string line_text(const Line& line, bool color) {
  std::string text;
  for (const Span& span : line) {
    const bool is_styled = color && span.style != Style::kPlain && !span.text.empty();
    text += is_styled ? fmt::format("\x1b[{}m{}\x1b[0m", code_of(span.style), span.text) : span.text;
  }
  return text;
}

std::string draw_text(const Frame& frame, bool color) {
  std::string text = frame.shows_cursor ? "" : "\x1b[?25l";
  for (std::size_t row = 0; row < frame.lines.size(); ++row) {
    text += (row == 0 ? "" : "\r\n") + line_text(frame.lines[row], color) + "\x1b[K";
  }
  move(text, frame.lines.size() - 1 - std::min(frame.cursor_row, frame.lines.size() - 1), 'A');
  text += '\r';
  move(text, frame.cursor_column, 'C');
  if (frame.shows_cursor) text += "\x1b[?25h";
  return text;
}

std::string erase_text(const Frame& shown, std::size_t columns) {
  if (shown.lines.empty()) return {};
  columns = std::max<std::size_t>(columns, 1);
  std::size_t above = shown.cursor_column / columns;
  for (std::size_t row = 0; row < shown.cursor_row; ++row) {
    above += rows_of(line_columns(shown.lines[row]), columns);
  }
  std::string text;
  move(text, above, 'A');
  return text + "\r\x1b[J";
}

}  // namespace ttscope::terminal
