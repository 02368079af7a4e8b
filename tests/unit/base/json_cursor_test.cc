#include "base/json_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ttscope {
namespace {

bool is_value(std::string_view text) {
  JsonCursor cursor(text);
  return cursor.take_value().has_value() && cursor.is_at_end();
}

TEST(JsonCursor, TakesWholeValues) {
  for (const char* const good : {"1", "-0.5e+3", "true", "null", "\"a\\\"b\"", "[]", "{}",
                                 "[1, {\"a\": [null]}, \"}\"]", " { \"a\" : 1 , \"b\" : [ ] } "}) {
    EXPECT_TRUE(is_value(good)) << good;
  }
  for (const char* const bad : {"", "[", "[1,]", "{\"a\"}", "{a:1}", "[1 2]", "-", "1.", "1e", "tru", "\"a",
                                "[}", "\"\n\"", "\"\\", "{\"a\":1,}", "]"}) {
    EXPECT_FALSE(is_value(bad)) << bad;
  }
}

TEST(JsonCursor, DeepNestingNeedsNoStack) {
  const std::string deep(1000000, '[');
  EXPECT_FALSE(is_value(deep));
  EXPECT_TRUE(is_value(deep + std::string(1000000, ']')));
}

TEST(JsonCursor, SaysWhereAndWhatItExpected) {
  JsonCursor cursor("[1\n ;]");
  EXPECT_FALSE(cursor.take_value().has_value());
  EXPECT_EQ(cursor.position(), 4u);
  EXPECT_EQ(cursor.expected(), "a comma or ]");
  EXPECT_EQ(place_in("[1\n ;]", 4).line, 2u);
  EXPECT_EQ(place_in("[1\n ;]", 4).column, 2u);
}

TEST(JsonUnescaped, KnowsEveryEscape) {
  EXPECT_EQ(json_unescaped(R"(\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00)"), "\"\\/\b\f\n\r\t\u00e9\U0001F600");
  EXPECT_EQ(json_unescaped(R"(\ud83d)"), "\uFFFD");
  EXPECT_EQ(json_unescaped(R"(\x)"), std::nullopt);
  EXPECT_EQ(json_unescaped(R"(\u12)"), std::nullopt);
  EXPECT_EQ(json_unescaped("\\"), std::nullopt);
}

TEST(JsonTree, WritesAsPythonDoes) {
  const Result<JsonTree> tree = parse_json_tree(R"({"b":[1,2.50,"é\n"],"a":{"x":null,"y":true}})", "t");
  ASSERT_TRUE(tree.has_value());
  EXPECT_EQ(tree->dump(), R"({"b": [1, 2.50, "\u00e9\n"], "a": {"x": null, "y": true}})");
}

TEST(JsonTree, ChangesMembersInTheirPlace) {
  JsonTree tree = *parse_json_tree(R"({"a":1,"b":2})", "t");
  tree.set("a", JsonTree::text("x"));
  tree.set("c", JsonTree::integer(3));
  EXPECT_EQ(tree.dump(), R"({"a": "x", "b": 2, "c": 3})");
  EXPECT_EQ(tree.find("b")->whole_number(), 2);
  EXPECT_EQ(JsonTree::text("12").whole_number(), 12);
  EXPECT_EQ(JsonTree::text("12x").whole_number(), std::nullopt);
}

TEST(JsonTree, DamageIsAnErrorWithItsLine) {
  const Result<JsonTree> tree = parse_json_tree("{\n\"a\": }", "t.json");
  ASSERT_FALSE(tree.has_value());
  EXPECT_THAT(tree.error().message, ::testing::HasSubstr("t.json:2"));
  EXPECT_FALSE(parse_json_tree(std::string(5000, '['), "t").has_value());
}

}  // namespace
}  // namespace ttscope
