#include "terminal/frame.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace ttscope::terminal {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Marks that stand on the character before them, and characters that show nothing. In order.
constexpr std::array<Range, 24> kZeroWidth = {{
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F},
    {0x06D6, 0x06DC}, {0x06DF, 0x06E4}, {0x0900, 0x0902}, {0x093C, 0x093C},   {0x0941, 0x0948},
    {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1160, 0x11FF},   {0x1AB0, 0x1AFF},
    {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x2060, 0x2064}, {0x20D0, 0x20FF},   {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
}};

/// East Asian wide and full-width characters, and emoji that are shown as pictures. In order.
constexpr std::array<Range, 34> kTwoColumns = {{
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x2329, 0x232A},   {0x23E9, 0x23EC},   {0x23F0, 0x23F0},
    {0x23F3, 0x23F3},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},   {0x26A1, 0x26A1},
    {0x26C4, 0x26C5},   {0x26D4, 0x26D4},   {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2E80, 0x303E},
    {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},   {0xA960, 0xA97F},
    {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},   {0xFFE0, 0xFFE6},
    {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD},
}};

template <typename Table>
bool is_in(const Table& table, char32_t character) {
  const auto after = std::upper_bound(table.begin(), table.end(), character,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  return after != table.begin() && character <= std::prev(after)->last;
}

/// Where a line of at most `room` columns ends: behind its last whole word, or anywhere in one that is
/// longer.
std::size_t line_end(std::string_view text, std::size_t room) {
  const std::size_t end = columns_prefix(text, room).size();
  if (end == text.size()) return end;
  const std::size_t blank = text.rfind(' ', end);
  const bool has_word = blank != std::string_view::npos && text.find_first_not_of(' ') < blank;
  if (has_word) return blank;
  // A character wider than the room still has to go somewhere.
  return end > 0 ? end : decode_utf8(text).size_bytes;
}

/// How far the text of a line stands in: behind its blanks, and behind the mark of a list (`1.`, `-`, `✓`).
std::size_t hanging_indent(std::string_view text) {
  constexpr std::size_t kMaxMarkerWidth = 2;
  const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
  const std::string_view mark = text.substr(first, text.substr(first).find(' '));
  const bool has_letters = std::any_of(
      mark.begin(), mark.end(), [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
  const std::size_t columns = text_columns(mark);
  return has_letters || columns > kMaxMarkerWidth || mark.size() + first == text.size() ? first
                                                                                        : first + columns + 1;
}

void wrap_line(std::string_view text, std::size_t room, std::vector<std::string>& lines) {
  const std::size_t wanted = hanging_indent(text);
  const std::size_t indent = wanted < room / 2 ? wanted : 0;
  std::string margin;
  while (true) {
    const std::size_t end = line_end(text, room - margin.size());
    lines.push_back(margin + std::string(text.substr(0, end)));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    if (text.empty()) return;
    margin.assign(indent, ' ');
  }
}

}  // namespace

std::size_t character_columns(char32_t character) {
  constexpr char32_t kFirstCombining = 0x0300;
  if (character < kFirstCombining) return 1;
  if (is_in(kZeroWidth, character)) return 0;
  return is_in(kTwoColumns, character) ? 2 : 1;
}

std::size_t text_columns(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const DecodedCharacter character = decode_utf8(text);
    columns += character_columns(character.code_point);
    text.remove_prefix(character.size_bytes);
  }
  return columns;
}

std::string_view columns_prefix(std::string_view text, std::size_t room) {
  std::size_t at = 0;
  std::size_t columns = 0;
  while (at < text.size()) {
    const DecodedCharacter character = decode_utf8(text.substr(at));
    columns += character_columns(character.code_point);
    if (columns > room) break;
    at += character.size_bytes;
  }
  return text.substr(0, at);
}

std::string cut_to(std::string_view text, std::size_t room) {
  if (text_columns(text) <= room) return std::string(text);
  if (room == 0) return {};
  return std::string(columns_prefix(text, room - 1)) + "…";
}

std::string padded_to(std::string_view text, std::size_t columns) {
  const std::size_t taken = text_columns(text);
  std::string padded(text);
  if (taken < columns) padded.append(columns - taken, ' ');
  return padded;
}

std::vector<std::string> wrapped(std::string_view text, std::size_t room) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t newline = text.find('\n');
    wrap_line(text.substr(0, newline), std::max<std::size_t>(room, 1), lines);
    if (newline == std::string_view::npos) return lines;
    text.remove_prefix(newline + 1);
  }
}

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

namespace {

constexpr std::size_t kNarrow = 40;
constexpr std::size_t kMaxWidth = 100;

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

/// Newlines in a paragraph are line ends; all else that acts on a terminal is escaped.
std::vector<std::string> safe_lines(const std::string& paragraph, std::size_t room) {
  std::vector<std::string> lines;
  std::size_t at = 0;
  while (true) {
    const std::size_t newline = paragraph.find('\n', at);
    for (std::string& line : wrapped(terminal_safe(paragraph.substr(at, newline - at)), room)) {
      lines.push_back(std::move(line));
    }
    if (newline == std::string::npos) return lines;
    at = newline + 1;
  }
}

std::vector<std::string> text_lines(const PanelSpec& spec, std::size_t room) {
  std::vector<std::string> lines;
  for (const std::string& paragraph : spec.paragraphs) {
    for (std::string& line : safe_lines(paragraph, room)) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::vector<Line> plain_panel_lines(const PanelSpec& spec, std::size_t columns) {
  std::vector<Line> lines;
  const std::size_t room = std::clamp<std::size_t>(columns, 2, kMaxWidth) - 1;
  if (!spec.title.empty()) {
    for (const std::string& part : wrapped(terminal_safe(spec.title), room))
      lines.push_back({{part, spec.style}});
  }
  for (const std::string& line : text_lines(spec, room)) lines.push_back({{line}});
  return lines;
}

std::vector<Line> panel_lines(const PanelSpec& spec, std::size_t columns) {
  if (columns < kNarrow) return plain_panel_lines(spec, columns);
  std::vector<Line> lines;
  const std::string title = terminal_safe(spec.title);
  const std::size_t inner = std::min(columns - 1, kMaxWidth) - 2;
  const std::string head = title.empty() ? "" : " " + cut_to(title, inner - 4) + " ";
  const std::size_t left = (inner - text_columns(head)) / 2;
  lines.push_back({{"╭" + repeated("─", left) + head + repeated("─", inner - left - text_columns(head)) + "╮",
                    spec.style}});
  for (const std::string& line : text_lines(spec, inner - 4)) {
    lines.push_back({{"│", spec.style}, {"  " + padded_to(line, inner - 2)}, {"│", spec.style}});
  }
  lines.push_back({{"╰" + repeated("─", inner) + "╯", spec.style}});
  return lines;
}

}  // namespace ttscope::terminal
