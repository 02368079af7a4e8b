#include "base/text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ttscope {
namespace {

using ::testing::Not;
using ::testing::StartsWith;

std::string utf8(char32_t code_point) {
  std::string text;
  append_utf8(text, code_point);
  return text;
}

TEST(Utf8, EveryCodePointIsReadBack) {
  for (char32_t code_point = 0; code_point <= 0x10FFFF; ++code_point) {
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    const std::string text = utf8(code_point);
    const DecodedCharacter character = decode_utf8(text);
    ASSERT_EQ(character.valid, !surrogate) << std::hex << static_cast<unsigned>(code_point);
    ASSERT_EQ(is_valid_utf8(text), !surrogate);
    if (surrogate) continue;
    ASSERT_EQ(character.code_point, code_point);
    ASSERT_EQ(character.size_bytes, text.size());
  }
}

TEST(Utf8, APrefixCutsNoCharacterInTwo) {
  const std::string text = "aμ€\U0001F600z";
  for (std::size_t most = 0; most <= text.size() + 1; ++most) {
    const std::string_view prefix = utf8_prefix(text, most);
    EXPECT_TRUE(is_valid_utf8(prefix)) << most;
    EXPECT_LE(prefix.size(), most);
    EXPECT_GE(prefix.size() + 3, std::min(most, text.size()));
  }
  EXPECT_EQ(utf8_prefix(std::string(10, '\x80'), 8).size(), 5u) << "what is no text has no end to look for";
}

TEST(Utf8, RefusesWhatIsNotTheShortestFormOrTooLarge) {
  for (const char* text :
       {"\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xF0\x80\x80\x80", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\x80", "\xBF", "\xED\xA0\x80"}) {
    EXPECT_FALSE(is_valid_utf8(text));
  }
}

TEST(Utf8, FindsABadByteAtEveryPlace) {
  for (std::size_t size = 1; size < 40; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      ASSERT_TRUE(is_valid_utf8(text));
      text[at] = '\xFF';
      ASSERT_FALSE(is_valid_utf8(text));
      ASSERT_EQ(utf8_repaired(text), text.substr(0, at) + "\uFFFD" + text.substr(at + 1));
    }
  }
}

TEST(Utf8, RepairsACutCharacterAsOne) {
  EXPECT_EQ(utf8_repaired("a\xE2\x82"), "a\uFFFD");
  EXPECT_EQ(utf8_repaired("a\xE2\x82z"), "a\uFFFDz");
  EXPECT_EQ(utf8_repaired("\xF0\x9F\x92\xF0\x9F\x92\xA9"), "\uFFFD\U0001F4A9");
  EXPECT_EQ(utf8_repaired("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");
  EXPECT_EQ(utf8_repaired("sch\xF6n und sch\u00F6n"), "sch\uFFFDn und sch\u00F6n");
  EXPECT_EQ(utf8_repaired(""), "");
}

TEST(TerminalSafe, KeepsPlainText) {
  EXPECT_EQ(terminal_safe("%3 = \"ttnn.matmul\"(%1, %2) \\o/"), "%3 = \"ttnn.matmul\"(%1, %2) \\o/");
  EXPECT_EQ(terminal_safe("Größe 漢字 \U0001F4A9"), "Größe 漢字 \U0001F4A9");
}

TEST(TerminalSafe, MakesEveryControlCharacterVisible) {
  for (int byte = 0; byte < 0x20; ++byte) {
    const std::string safe = terminal_safe(std::string(1, static_cast<char>(byte)));
    EXPECT_THAT(safe, StartsWith("\\"));
    EXPECT_EQ(printable_ascii_prefix(safe), safe.size());
  }
  EXPECT_EQ(terminal_safe("\x1B[31mred\x1B]0;title\a"), "\\x1b[31mred\\x1b]0;title\\x07");
  EXPECT_EQ(terminal_safe("a\tb\r\nc"), "a\\tb\\r\\nc");
  EXPECT_EQ(terminal_safe(std::string("\0\x7F", 2)), "\\x00\\x7f");
  EXPECT_EQ(terminal_safe("\u0085\u009B31m"), "\\x85\\x9b31m");
}

TEST(TerminalSafe, MakesDirectionMarksVisible) {
  EXPECT_EQ(terminal_safe("a\u202Eb"), "a\\u{202E}b");
  for (const char32_t mark : {0x061C, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A, 0x202E, 0x2066, 0x2069}) {
    EXPECT_THAT(terminal_safe(utf8(mark)), StartsWith("\\u{"));
  }
  EXPECT_EQ(terminal_safe("\u202F\u2065\u206A"), "\u202F\u2065\u206A") << "the neighbours are no such marks";
}

TEST(TerminalSafe, RepairsInvalidBytes) {
  EXPECT_EQ(terminal_safe("a\x9B"
                          "31m"),
            "a\uFFFD31m")
      << "a bare C1 byte would start a sequence in some terminals";
  EXPECT_EQ(terminal_safe("\xC0\x9B"), "\uFFFD\uFFFD");
}

TEST(TerminalSafe, NoByteCombinationPassesAControl) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = {
          '0', '1', '2', '3', '4', '5', '6', static_cast<char>(first), static_cast<char>(second)};
      const std::string safe = terminal_safe(text);
      ASSERT_TRUE(is_valid_utf8(safe));
      for (std::string_view rest = safe; !rest.empty();) {
        const DecodedCharacter character = decode_utf8(rest);
        ASSERT_FALSE(is_control_character(character.code_point));
        rest.remove_prefix(character.size_bytes);
      }
    }
  }
}

TEST(MarkdownCell, StaysOneCellWithoutHtml) {
  EXPECT_EQ(markdown_cell("a|b"), "a\\|b");
  EXPECT_EQ(markdown_cell("a\\|b"), "a\\\\\\|b");
  EXPECT_EQ(markdown_cell("`code`"), "\\`code\\`");
  EXPECT_EQ(markdown_cell("tensor<1x32xbf16>"), "tensor&lt;1x32xbf16&gt;");
  EXPECT_EQ(markdown_cell("</script>&lt;"), "&lt;/script&gt;&amp;lt;");
  EXPECT_EQ(markdown_cell("a\n| b |\x1B[0m"), "a\\n\\| b \\|\\x1b[0m");
}

TEST(MarkdownCell, MakesNoLinkAndKeepsShapes) {
  EXPECT_EQ(markdown_cell("![x](http://example.org/y)"), "`![x](http://example.org/y`)");
  EXPECT_EQ(markdown_cell("[x](y)"), "[x\\](y)");
  EXPECT_EQ(markdown_cell("[1, 32, 128]"), "[1, 32, 128]");
}

TEST(MarkdownCell, NothingOfALogActsOnAReader) {
  EXPECT_EQ(markdown_cell("loc @everyone, look"), "loc `@everyone`, look");
  EXPECT_EQ(markdown_cell("see (https://example.org/x)."), "see (`https://example.org/x`).");
  EXPECT_EQ(markdown_cell("at WWW.example.org"), "at `WWW.example.org`");
  EXPECT_EQ(markdown_cell("write to a@b.org"), "write to `a@b.org`");
  EXPECT_EQ(markdown_cell("fixes #12 and GH-7 and o/r#3 in main#2"),
            "fixes `#12` and `GH-7` and `o/r#3` in main#2");
  EXPECT_EQ(markdown_cell("[x]: http://e.org"), "[x\\]: `http://e.org`");
  EXPECT_EQ(markdown_cell("**now** 2 * 3"), "\\*\\*now\\*\\* 2 * 3");
  EXPECT_EQ(markdown_cell("`a`@b`"), "`` `a`@b` ``");
}

TEST(MarkdownCell, AMarkedNameIsCode) {
  EXPECT_EQ(markdown_cell("during " + marked_name("ignore all rules @a") + ", line 3"),
            "during `ignore all rules @a`, line 3");
  EXPECT_EQ(markdown_cell("a" + marked_name("b") + "c"), "a`b`c");
  EXPECT_EQ(markdown_cell(marked_name("a\x03](x) \x02")), "`a\\x03](x) \\x02`");
  EXPECT_EQ(markdown_cell("a\x02 b\x03"), "a` b`");
  EXPECT_EQ(markdown_cell("a \x02 b"), "a \\x02 b");
  EXPECT_EQ(markdown_cell(marked_name("")), "");
}

TEST(WithMarkedNames, NamesAreQuotedWhereTheyStandAsWords) {
  const auto quoted = [](std::string_view sentence, std::vector<std::string> names) {
    return markdown_cell(with_marked_names(sentence, std::move(names)));
  };
  EXPECT_EQ(quoted("Add is slow, Added is not", {"Add"}), "`Add` is slow, Added is not");
  EXPECT_EQ(quoted("a Matmul 32 x 8 in Matmul", {"Matmul", "Matmul 32"}), "a `Matmul 32` x 8 in `Matmul`");
  EXPECT_EQ(quoted("run now @you please", {"now @you"}), "run `now @you` please");
  EXPECT_EQ(quoted("nothing", {"", "x"}), "nothing");
}

TEST(MarkdownCode, TheFenceIsLongerThanWhatItHolds) {
  EXPECT_EQ(markdown_code("ttnn.matmul"), "`ttnn.matmul`");
  EXPECT_EQ(markdown_code("a`b"), "`` a`b ``");
  EXPECT_EQ(markdown_code("```"), "```` ``` ````");
  EXPECT_EQ(markdown_code(" a "), "`  a  `");
  EXPECT_EQ(markdown_code("a|b\n<img src=x>"), "`a\\|b\\n<img src=x>`");
  EXPECT_EQ(markdown_code("\xE2\x80\xAE"), "`\\u{202E}`");
  EXPECT_EQ(markdown_code(""), "");
}

TEST(FileNameSafe, KeepsOrdinaryNames) {
  EXPECT_EQ(file_name_safe("resnet_50-run.2.log"), "resnet_50-run.2.log");
  EXPECT_EQ(file_name_safe("größe 1"), "größe 1");
}

TEST(FileNameSafe, LeavesNoWayOut) {
  EXPECT_EQ(file_name_safe("../../etc/passwd"), "_.._etc_passwd");
  EXPECT_EQ(file_name_safe("/abs"), "_abs");
  EXPECT_EQ(file_name_safe("a\\b:c*d"), "a_b_c_d");
  EXPECT_EQ(file_name_safe(".hidden"), "hidden");
  EXPECT_EQ(file_name_safe("-rf"), "_rf");
  EXPECT_EQ(file_name_safe(std::string("a\0b\n\x1B", 5)), "a_b__");
  EXPECT_EQ(file_name_safe("a\xFF\u202E"), "a__");
}

TEST(FileNameSafe, IsNeverEmpty) {
  for (const char* text : {"", ".", "..", "....", " ", ". . "}) EXPECT_EQ(file_name_safe(text), "log");
}

TEST(FileNameSafe, IsAtMost120BytesOfWholeCharacters) {
  EXPECT_EQ(file_name_safe(std::string(500, 'a')), std::string(120, 'a'));
  std::string wide;
  for (int count = 0; count < 100; ++count) wide += "漢";
  EXPECT_EQ(file_name_safe("a" + wide).size(), 118u);
  EXPECT_TRUE(is_valid_utf8(file_name_safe("a" + wide)));
  std::string dotted(119, 'a');
  dotted += "..b";
  EXPECT_EQ(file_name_safe(dotted), dotted.substr(0, 119)) << "no dot at the end after the cut";
}

TEST(FileNameSafe, NoByteEscapes) {
  for (int byte = 0; byte < 256; ++byte) {
    const std::string name = file_name_safe(std::string(3, static_cast<char>(byte)));
    EXPECT_FALSE(name.empty());
    EXPECT_EQ(name.find('/'), std::string::npos);
    EXPECT_EQ(name.find('\0'), std::string::npos);
    EXPECT_THAT(name, Not(StartsWith(".")));
  }
}

}  // namespace
}  // namespace ttscope
