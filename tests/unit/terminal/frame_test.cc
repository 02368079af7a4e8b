#include "terminal/frame.h"

#include <gtest/gtest.h>

namespace ttscope::terminal {
namespace {

Frame frame_of(std::size_t lines, std::size_t cursor_row) {
  Frame frame;
  for (std::size_t i = 0; i < lines; ++i) frame.lines.push_back({{"line " + std::to_string(i)}});
  frame.cursor_row = cursor_row;
  return frame;
}

TEST(Frame, StylesOnlyWithColor) {
  const Line line = {{"a", Style::kBold}, {"b"}, {"", Style::kBad}};
  EXPECT_EQ(line_text(line, true), "\x1b[1ma\x1b[0mb");
  EXPECT_EQ(line_text(line, false), "ab");
}

TEST(Frame, CutLines) {
  const Line line = {{"one", Style::kBold}, {"two"}};
  EXPECT_EQ(line_text(cut_line(line, 6), false), "onetwo");
  EXPECT_EQ(line_text(cut_line(line, 5), false), "onet…");
  EXPECT_EQ(line_text(cut_line(line, 2), false), "o…");
  EXPECT_EQ(line_text(cut_line(line, 0), false), "");
}

TEST(Frame, TheRowsAroundTheCursorAreKept) {
  const Frame frame = fitted(frame_of(20, 12), {5, 80});
  ASSERT_EQ(frame.lines.size(), 5U);
  EXPECT_EQ(line_text(frame.lines[frame.cursor_row], false), "line 12");
  const Frame end = fitted(frame_of(20, 19), {5, 80});
  EXPECT_EQ(line_text(end.lines.back(), false), "line 19");
  EXPECT_EQ(end.cursor_row, 4U);
  EXPECT_EQ(line_text(fitted(frame_of(20, 0), {5, 80}).lines.front(), false), "line 0");
}

TEST(Frame, DrawingLeavesTheCursorInItsPlace) {
  Frame frame = frame_of(3, 1);
  frame.cursor_column = 4;
  frame.shows_cursor = true;
  EXPECT_EQ(draw_text(frame, false), "line 0\x1b[K\r\nline 1\x1b[K\r\nline 2\x1b[K\x1b[1A\r\x1b[4C\x1b[?25h");
  EXPECT_EQ(erase_text(frame, 80), "\x1b[1A\r\x1b[J");
  EXPECT_EQ(draw_text(frame_of(1, 0), false), "\x1b[?25lline 0\x1b[K\r");
  EXPECT_EQ(erase_text(frame_of(1, 0), 80), "\r\x1b[J");
  EXPECT_EQ(erase_text({}, 80), "") << "nothing was drawn";
}

TEST(Frame, ANarrowerTerminalHasBrokenTheLines) {
  Frame frame;
  frame.lines = {{{std::string(25, 'a')}}, {}, {{std::string(10, 'b')}}};
  frame.cursor_row = 2;
  frame.cursor_column = 9;
  EXPECT_EQ(erase_text(frame, 30), "\x1b[2A\r\x1b[J");
  EXPECT_EQ(erase_text(frame, 10), "\x1b[4A\r\x1b[J") << "three rows of a, one empty";
  EXPECT_EQ(erase_text(frame, 5), "\x1b[7A\r\x1b[J") << "five, one, and the first row of b";
}

}  // namespace
}  // namespace ttscope::terminal
