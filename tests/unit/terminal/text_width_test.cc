#include "terminal/frame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::terminal {
namespace {

using ::testing::ElementsAre;

TEST(TextWidth, Characters) {
  EXPECT_EQ(text_columns("plain"), 5U);
  EXPECT_EQ(text_columns("ünï"), 3U);
  EXPECT_EQ(text_columns("u\u0308"), 1U) << "a mark stands on the letter before it";
  EXPECT_EQ(text_columns("模型"), 4U);
  EXPECT_EQ(text_columns("한글"), 4U);
  EXPECT_EQ(text_columns("🤙"), 2U);
  EXPECT_EQ(text_columns("❯ ✓ … ─ │ █"), 11U);
  EXPECT_EQ(text_columns("e\u200b"), 1U);
  EXPECT_EQ(text_columns(""), 0U);
}

TEST(TextWidth, Cutting) {
  EXPECT_EQ(cut_to("report", 6), "report");
  EXPECT_EQ(cut_to("report", 5), "repo…");
  EXPECT_EQ(cut_to("report", 1), "…");
  EXPECT_EQ(cut_to("report", 0), "");
  EXPECT_EQ(cut_to("模型模型", 4), "模…") << "half a character is not shown";
  EXPECT_EQ(columns_prefix("u\u0308x", 1), "u\u0308") << "a mark stays with its letter";
  EXPECT_EQ(padded_to("模", 4), "模  ");
  EXPECT_EQ(padded_to("long", 2), "long");
}

TEST(TextWidth, Wrapping) {
  EXPECT_THAT(wrapped("one two three", 8), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("", 8), ElementsAre(""));
  EXPECT_THAT(wrapped("a\n\nb", 8), ElementsAre("a", "", "b"));
  EXPECT_THAT(wrapped("abcdefghij", 4), ElementsAre("abcd", "efgh", "ij"));
  EXPECT_THAT(wrapped("  in two lines", 8), ElementsAre("  in two", "  lines"));
  EXPECT_THAT(wrapped("1. first step", 9), ElementsAre("1. first", "   step"));
  EXPECT_THAT(wrapped("✓ it is so", 8), ElementsAre("✓ it is", "  so"));
  EXPECT_THAT(wrapped("模型", 1), ElementsAre("模", "型")) << "nothing fits, yet it ends";
}

TEST(TextWidth, WrappedLinesFit) {
  const std::string text =
      "  1. Build with -DTT_RUNTIME_DEBUG=ON, 模型 and u\u0308ber-long_words/that/are/paths.log  end";
  for (std::size_t room = 2; room < 60; ++room) {
    for (const std::string& line : wrapped(text, room)) EXPECT_LE(text_columns(line), room) << line;
  }
}

TEST(Panel, BoxAndPlainTextFit) {
  const PanelSpec panel = {"A title that may be too long for the box",
                           {"one two three four", "", "模型 \x1b[31m"}};
  for (std::size_t columns = 1; columns < 130; ++columns) {
    for (const std::vector<Line>& lines : {panel_lines(panel, columns), plain_panel_lines(panel, columns)}) {
      for (const Line& line : lines) {
        EXPECT_LE(line_columns(line), std::max<std::size_t>(columns, 2)) << line_text(line, false);
        EXPECT_EQ(line_text(line, false).find('\x1b'), std::string::npos) << "text of others does nothing";
      }
    }
  }
  const std::vector<Line> box = panel_lines(panel, 60);
  for (const Line& line : box) EXPECT_EQ(line_columns(line), 59U) << "the right side is straight";
}

}  // namespace
}  // namespace ttscope::terminal
