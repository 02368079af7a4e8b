#include "ui/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::ui {
namespace {

TEST(TextLayout, CountsCharactersNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("äöü█"), 4U);
  EXPECT_EQ(display_width(""), 0U);
}

TEST(TextLayout, FittingTakesTheMiddleAndKeepsCharactersWhole) {
  EXPECT_EQ(fit("short", 10), "short");
  EXPECT_EQ(fit("model.layers.0.attention", 13), "mode…ttention");
  EXPECT_EQ(fit("äääääääääää", 4), "ä…ää");
  EXPECT_EQ(fit("anything", 1), "…");
  EXPECT_EQ(fit("anything", 0), "");
}

TEST(TextLayout, BarsAreAsLongAsTheirShare) {
  EXPECT_EQ(bar(0, 10), "");
  EXPECT_EQ(bar(0.5, 4), "██");
  EXPECT_EQ(bar(1, 3), "███");
  EXPECT_EQ(bar(1e-9, 3), "▏");
  EXPECT_EQ(bar(7, 2), "██");
  EXPECT_EQ(bar(-1, 2), "");
  EXPECT_EQ(bar(std::numeric_limits<double>::quiet_NaN(), 2), "");
  EXPECT_EQ(gauge(0.5, 4), "██░░");
}

TEST(TextLayout, WrapsUnderTheFirstLine) {
  Painter out(false, 36);
  out.item("label", "one two three four five six seven eight");
  EXPECT_EQ(out.take(),
            "  label        one two three four\n"
            "               five six seven eight\n");
}

TEST(TextLayout, AWordWithoutBlanksIsCutNotDropped) {
  Painter out(false, 30);
  out.paragraph(2, std::string(60, 'x'));
  const std::string text = out.take();
  EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 60);
}

TEST(TextLayout, ColorIsOnlyAddedWhenAskedFor) {
  Painter plain(false, 80);
  plain.heading("Title", "remark");
  plain.statement("OK", Painter::Ink::kGreen, "fine");
  EXPECT_EQ(plain.take(), "\nTitle  remark\nOK  fine\n");
  Painter colored(true, 80);
  colored.heading("Title");
  EXPECT_EQ(colored.take(), "\n\x1b[1mTitle\x1b[0m\n");
}

TEST(TextLayout, NothingButOurColorsActsOnATerminal) {
  const std::string hostile = "a\x1b]0;x\x07\u009b\u202E\rb";
  const std::string shown = "a\\x1b]0;x\\x07\\x9b\\u{202E}\\rb";
  for (const bool color : {false, true}) {
    Painter out(color, 200);
    out.line(hostile);
    out.heading(hostile, hostile);
    out.item(hostile, hostile);
    out.statement("OK", Painter::Ink::kGreen, hostile);
    out.paragraph(2, hostile);
    const std::string text = out.take();
    std::size_t times = 0;
    for (std::size_t at = text.find(shown); at != std::string::npos; at = text.find(shown, at + 1)) ++times;
    EXPECT_EQ(times, 7U) << text;
    for (const char* control : {"\x1b]", "\x07", "\u009b", "\u202E", "\r"}) {
      EXPECT_EQ(text.find(control), std::string::npos);
    }
  }
}

TEST(NumberText, Sizes) {
  EXPECT_EQ(size_text(0), "0 B");
  EXPECT_EQ(size_text(1023), "1023 B");
  EXPECT_EQ(size_text(1536), "1.5 KB");
  EXPECT_EQ(size_text(1048576), "1.00 MB");
  EXPECT_EQ(size_text(std::int64_t{12} << 30), "12.00 GB");
  EXPECT_EQ(size_text(-2048), "-2.0 KB");
  EXPECT_EQ(size_text(std::numeric_limits<std::int64_t>::min()), "-8388608.00 TB");
  EXPECT_EQ(signed_size_text(2048), "+2.0 KB");
  EXPECT_EQ(mb_text(-1, 3), "0.000");
  EXPECT_EQ(mb_text(524288), "0.50");
}

TEST(NumberText, CountsAndShares) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(counted(1, "op"), "1 op");
  EXPECT_EQ(counted(2000, "op"), "2,000 ops");
  EXPECT_EQ(percent_text(0), "0.0%");
  EXPECT_EQ(percent_text(0.0001), "< 0.1%");
  EXPECT_EQ(percent_text(0.934), "93.4%");
  EXPECT_EQ(ratio(1, 0), 0);
  EXPECT_EQ(all_banks(std::numeric_limits<std::int64_t>::max(), 12), std::int64_t{1} << 62);
}

}  // namespace
}  // namespace ttscope::ui
