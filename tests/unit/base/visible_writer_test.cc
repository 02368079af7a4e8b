#include "base/writer.h"

#include <gtest/gtest.h>

namespace ttscope {
namespace {

using Codes = TerminalCodes;

TEST(VisibleLines, WhatActsOnATerminalIsShown) {
  EXPECT_EQ(visible_lines("a\x1b]0;x\x07\x9b\n", Codes::kNone), "a\\x1b]0;x\\x07\xEF\xBF\xBD\n");
  EXPECT_EQ(visible_lines("a\u009bb\u202Ec\u2028d", Codes::kNone), "a\\x9bb\\u{202E}c\\u{2028}d");
  EXPECT_EQ(visible_lines("a\rb\r\nc\r", Codes::kNone), "a\\rb\r\nc\\r");
  EXPECT_EQ(visible_lines("\t\u00e9 \u4e16\n", Codes::kNone), "\t\u00e9 \u4e16\n");
  EXPECT_EQ(visible_lines("", Codes::kNone), "");
}

TEST(VisibleLines, ColorsAreKeptWhereTheyAreOurs) {
  EXPECT_EQ(visible_lines("\x1b[1;31mx\x1b[0m", Codes::kColors), "\x1b[1;31mx\x1b[0m");
  EXPECT_EQ(visible_lines("\x1b[1;31mx", Codes::kNone), "\\x1b[1;31mx");
  for (const char* other : {"\x1b[2J", "\x1b[", "\x1b[31", "\x1b]8;;x\x1b\\", "\x1b", "\x1b[?25h"}) {
    EXPECT_EQ(visible_lines(other, Codes::kColors).find('\x1b'), std::string::npos) << other + 1;
  }
}

/// Gives its text away, because the writer around it owns it.
class Sink final : public Writer {
 public:
  explicit Sink(std::string& to) : to_(to) {}
  [[nodiscard]] Result<void> finish() override {
    flush();
    return {};
  }

 private:
  void drain(std::string_view bytes) override { to_ += bytes; }
  std::string& to_;
};

TEST(VisibleWriter, PiecesCutAnywhereGiveTheSame) {
  const std::string unit = "\u4e16\u00e9\U0001F600\u202E\x1b[31m\r\nx\r\xff\xe4\xb8";
  for (std::size_t before = 0; before <= 2 * unit.size(); ++before) {
    // Longer than the buffer, so that it is cut where `before` says.
    std::string text(Writer::kBufferBytes - before, 'a');
    for (int i = 0; i < 4; ++i) text += unit;
    std::string out;
    VisibleWriter writer(std::make_unique<Sink>(out));
    for (const char c : text) writer.write(c);
    ASSERT_TRUE(writer.finish());
    ASSERT_EQ(out, visible_lines(text, Codes::kNone)) << before;
  }
}

}  // namespace
}  // namespace ttscope
