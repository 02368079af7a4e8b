#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "base/text.h"

namespace ttscope {
namespace {

template <typename Write>
std::string document(JsonStyle style, Write write) {
  StringWriter out;
  JsonWriter json(out, style);
  write(json);
  EXPECT_TRUE(out.finish());
  return out.text();
}

template <typename T>
std::string json_of(const T& value, JsonStyle style = {}) {
  return document(style, [&](JsonWriter& json) { json.value(value); });
}

std::string ascii_json_of(std::string_view text) { return json_of(text, {.ascii = true}); }

void write_sample(JsonWriter& json) {
  json.object([&] {
    json.field("name", "ttnn.matmul");
    json.list("shape", std::vector<int>{1, 32});
    json.object("empty", [] {});
    json.list("none", {});
    json.array("rows", [&] {
      json.object([&] { json.field("ok", true); });
      json.raw("{\"made\":[1]}");
    });
    json.field("last", nullptr);
  });
}

TEST(JsonWriter, ListsWriteAValueOrAnObjectForEachItem) {
  const auto lists = [](JsonWriter& json) {
    const std::vector<int> numbers = {2, 3};
    json.object([&] {
      json.list("squares", numbers, [&](int number) { json.value(number * number); });
      json.objects("numbers", numbers, [&](int number) { json.field("is", number); });
      json.list("texts", {"a", "<"});
      json.raw_field("made", "[0]");
    });
  };
  EXPECT_EQ(document({}, lists),
            R"({"squares":[4,9],"numbers":[{"is":2},{"is":3}],"texts":["a","\u003c"],"made":[0]})");
}

TEST(Absent, WhatStandsForNoneIsNull) {
  EXPECT_EQ(json_of(text_or_null("")), "null");
  EXPECT_EQ(json_of(text_or_null("a")), "\"a\"");
  EXPECT_EQ(json_of(id_or_null(kNone)), "null");
  EXPECT_EQ(json_of(id_or_null(0)), "0");
  EXPECT_EQ(json_of(known_or_null(std::int64_t{-1})), "null");
  EXPECT_EQ(json_of(known_or_null(0.0)), "0.0");
  EXPECT_EQ(json_of(positive_or_null(0)), "null");
  EXPECT_EQ(json_of(positive_or_null(std::numeric_limits<double>::quiet_NaN())), "null");
  EXPECT_EQ(json_of(positive_or_null(7U)), "7");
}

TEST(JsonWriter, Compact) {
  EXPECT_EQ(document({}, write_sample), R"({"name":"ttnn.matmul","shape":[1,32],"empty":{},"none":[],)"
                                        R"("rows":[{"ok":true},{"made":[1]}],"last":null})");
}

TEST(JsonWriter, Indented) {
  EXPECT_EQ(document({.indented = true}, write_sample), R"({
  "name": "ttnn.matmul",
  "shape": [
    1,
    32
  ],
  "empty": {},
  "none": [],
  "rows": [
    {
      "ok": true
    },
    {"made":[1]}
  ],
  "last": null
})");
}

TEST(JsonWriter, ASingleValueIsADocument) {
  EXPECT_EQ(json_of(true), "true");
  EXPECT_EQ(json_of("x", {.indented = true}), "\"x\"");
}

TEST(JsonWriter, DeepNestingIsBalanced) {
  constexpr int kDepth = 10000;
  const std::string text = document({.indented = true}, [](JsonWriter& json) {
    for (int level = 0; level < kDepth; ++level) json.begin_array();
    json.value(1);
    for (int level = 0; level < kDepth; ++level) json.end_array();
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '['), kDepth);
  EXPECT_EQ(std::count(text.begin(), text.end(), ']'), kDepth);
}

TEST(JsonWriter, Integers) {
  EXPECT_EQ(json_of(0), "0");
  EXPECT_EQ(json_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(json_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(json_of(std::uint8_t{200}), "200");
  EXPECT_EQ(json_of(-1LL), "-1");
}

TEST(JsonWriter, OptionalIsAValueOrNull) {
  EXPECT_EQ(json_of(std::optional<int>()), "null");
  EXPECT_EQ(json_of(std::optional<std::string>("x")), "\"x\"");
}

TEST(JsonWriter, DoublesAsPythonWritesThem) {
  EXPECT_EQ(json_of(0.0), "0.0");
  EXPECT_EQ(json_of(-0.0), "-0.0");
  EXPECT_EQ(json_of(1.0), "1.0");
  EXPECT_EQ(json_of(-2.5), "-2.5");
  EXPECT_EQ(json_of(0.1), "0.1");
  EXPECT_EQ(json_of(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(json_of(1021.169), "1021.169");
  EXPECT_EQ(json_of(100.0), "100.0");
  EXPECT_EQ(json_of(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(json_of(3.814697265625e-06), "3.814697265625e-06");
  EXPECT_EQ(json_of(0.0001), "0.0001");
  EXPECT_EQ(json_of(0.00012345678), "0.00012345678");
  EXPECT_EQ(json_of(0.00001), "1e-05");
  EXPECT_EQ(json_of(1e15), "1000000000000000.0");
  EXPECT_EQ(json_of(1e16), "1e+16");
  EXPECT_EQ(json_of(9999999999999998.0), "9999999999999998.0");
  EXPECT_EQ(json_of(12345678901234.5), "12345678901234.5");
  EXPECT_EQ(json_of(1.2345678901234567e+17), "1.2345678901234566e+17");
  EXPECT_EQ(json_of(5e-324), "5e-324");
  EXPECT_EQ(json_of(1.7976931348623157e308), "1.7976931348623157e+308");
  EXPECT_EQ(json_of(-1.5f), "-1.5");
}

TEST(JsonWriter, WhatJsonCannotSayIsNull) {
  EXPECT_EQ(json_of(std::nan("")), "null");
  EXPECT_EQ(json_of(std::numeric_limits<double>::infinity()), "null");
  EXPECT_EQ(json_of(-std::numeric_limits<double>::infinity()), "null");
}

TEST(JsonWriter, DoublesReadBackToTheSameNumber) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200000; ++round) {
    double number = 0;
    const std::uint64_t bits = random();
    if (round % 2 == 0) {
      std::memcpy(&number, &bits, sizeof number);
      if (!std::isfinite(number)) continue;
    } else {
      number = static_cast<double>(bits % 1000000000000) / std::pow(10.0, round % 9);
    }
    const std::string text = json_of(number);
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), number) << text;
    ASSERT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

TEST(JsonWriter, EscapesWhatMustBe) {
  EXPECT_EQ(json_of("a\"b\\c/d"), R"("a\"b\\c/d")");
  EXPECT_EQ(json_of("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  EXPECT_EQ(json_of(std::string_view("\0\x01\x1B\x7F", 4)), R"("\u0000\u0001\u001b\u007f")");
  EXPECT_EQ(json_of(""), R"("")");
}

TEST(JsonWriter, CanStandInAPageAndOnATerminal) {
  EXPECT_EQ(json_of("</script><!--"), R"("\u003c/script>\u003c!--")");
  EXPECT_EQ(json_of("\u2028\u2029"), R"("\u2028\u2029")");
  EXPECT_EQ(json_of("\u009B31m\u202E"), R"("\u009b31m\u202e")");
  EXPECT_EQ(json_of("Größe 漢 \U0001F4A9"), "\"Größe 漢 \U0001F4A9\"");
}

TEST(JsonWriter, AsciiModeEscapesAllElse) {
  EXPECT_EQ(ascii_json_of("</script>"), R"("</script>")");
  EXPECT_EQ(ascii_json_of("ö漢\U0001F4A9"), R"("\u00f6\u6f22\ud83d\udca9")");
  EXPECT_EQ(ascii_json_of("\U0010FFFF\U00010000"), R"("\udbff\udfff\ud800\udc00")");
  EXPECT_EQ(ascii_json_of("a\xFF"
                          "b\xE2\x82"),
            R"("a\ufffdb\ufffd")");
  EXPECT_EQ(ascii_json_of("\x1B\x7F\n"), R"("\u001b\u007f\n")");
}

TEST(JsonWriter, ReplacesInvalidUtf8) {
  EXPECT_EQ(json_of("a\xFF"
                    "b\xE2\x82"),
            "\"a\uFFFDb\uFFFD\"");
}

TEST(JsonWriter, KeysAreEscapedToo) {
  EXPECT_EQ(document({},
                     [](JsonWriter& json) {
                       json.begin_object();
                       json.field("a\"<\n", 1);
                       json.end_object();
                     }),
            R"({"a\"\u003c\n":1})");
}

/// One character at a time: slow and obvious.
std::string reference_json(std::string_view text, bool ascii) {
  std::string json = "\"";
  const auto escape = [&json](unsigned unit) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "\\u%04x", unit);
    json += digits;
  };
  while (!text.empty()) {
    const DecodedCharacter character = decode_utf8(text);
    text.remove_prefix(character.size_bytes);
    const char32_t c = character.code_point;
    const std::string_view shorts = "\"\\\b\f\n\r\t";
    const std::size_t at = c < 0x80 ? shorts.find(static_cast<char>(c)) : std::string_view::npos;
    if (at != std::string_view::npos) {
      json += std::string("\\") + "\"\\bfnrt"[at];
    } else if (ascii && c > 0xFFFF) {
      escape(0xD800 + ((c - 0x10000) >> 10));
      escape(0xDC00 + ((c - 0x10000) & 0x3FF));
    } else if (is_control_character(c) || (ascii ? c > 0x7E : c == '<')) {
      escape(c);
    } else {
      append_utf8(json, c);
    }
  }
  return json + "\"";
}

TEST(JsonWriter, AgreesWithTheObviousEscaping) {
  std::mt19937 random(7);
  const std::string alphabets[] = {
      "ab<\"\\", std::string("a\xE2\x80\xA8\xC3\xB6\xF0\x9F\x92\xA9\x00\x7F", 12), "abcdefgh\x9B"};
  for (int round = 0; round < 30000; ++round) {
    const std::string& alphabet = alphabets[round % 3];
    std::string text(random() % 60, 'x');
    for (char& c : text) {
      if (random() % 4 == 0) c = alphabet[random() % alphabet.size()];
    }
    ASSERT_EQ(json_of(text), reference_json(text, false));
    ASSERT_EQ(ascii_json_of(text), reference_json(text, true));
  }
}

TEST(JsonWriter, LongStringsAreNotCutInsideACharacter) {
  for (std::size_t shift = 0; shift < 8; ++shift) {
    std::string text(shift, 'a');
    while (text.size() < 20000) text += "漢\U0001F4A9ö\n";
    ASSERT_EQ(json_of(text), reference_json(text, false));
    ASSERT_EQ(ascii_json_of(text), reference_json(text, true));
    const std::string bad(10000 + shift, '\x80');
    ASSERT_EQ(ascii_json_of(bad), reference_json(bad, true));
  }
  const std::string huge(3 * Writer::kBufferBytes, '\x01');
  EXPECT_EQ(json_of(huge).size(), 6 * huge.size() + 2);
}

}  // namespace
}  // namespace ttscope
