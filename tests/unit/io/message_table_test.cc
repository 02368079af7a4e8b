// The messages of a capture as csvexport writes them: as they were given, whatever is in them.
#include "io/message_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace ttscope::io {
namespace {

using Messages = std::vector<std::pair<std::string, std::string>>;

Messages messages_of(const std::string& rows) {
  Messages found;
  const std::string text = "MessageName;total_ns\n" + rows;
  MessageTable table(text);
  while (table.next()) found.emplace_back(table.row().message, table.row().time);
  return found;
}

TEST(MessageTable, BackticksSemicolonsAndLinesInsideStayAsTheyAre) {
  EXPECT_EQ(messages_of("`TT_SIGNPOST: use `a`; b\nthen `c``;5\r\n`step`: 1;6\nplain; text;7\n`note`;8\n"),
            (Messages{{"TT_SIGNPOST: use `a`; b\nthen `c`", "5"},
                      {"`step`: 1", "6"},
                      {"plain; text", "7"},
                      {"note", "8"}}));
}

TEST(MessageTable, LinesAreCountedAndACutEndHasNoTime) {
  const std::string text = "MessageName;total_ns\n\n`TT_A\nb`;1\nc;2\n`TT_cut `e";
  MessageTable table(text);
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.row().line, 3u);
  EXPECT_EQ(table.row().written, "`TT_A\nb`");
  EXPECT_FALSE(table.row().is_cut);
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.row().line, 5u);
  ASSERT_TRUE(table.next());
  EXPECT_EQ(table.row().line, 6u);
  EXPECT_EQ(table.row().message, "`TT_cut `e");
  EXPECT_EQ(table.row().time, "");
  EXPECT_TRUE(table.row().is_cut);
  EXPECT_FALSE(table.next());
}

TEST(MessageTable, OneBacktickOfAUserSwallowedTheNextOp) {
  EXPECT_EQ(
      messages_of("`note;1\n`TT_DNN_DEVICE_OP: a`;2\n`loss: 3;4\n`TT_SIGNPOST: second`;5\n"),
      (Messages{
          {"`note", "1"}, {"TT_DNN_DEVICE_OP: a", "2"}, {"`loss: 3", "4"}, {"TT_SIGNPOST: second", "5"}}));
}

TEST(MessageTable, ACutMessageOfAToolSwallowedTheNextOp) {
  const std::string op = "`TT_DNN_DEVICE_OP: ";
  EXPECT_EQ(messages_of(op + "a -> {\"x\": \"y;1\n" + op + "b`;2\n"),
            (Messages{{op + "a -> {\"x\": \"y", "1"}, {"TT_DNN_DEVICE_OP: b", "2"}}));
  // Also behind what a user said before the next one.
  EXPECT_EQ(messages_of(op + "a;1\nplain;2\n" + op + "b`;3\n"),
            (Messages{{op + "a", "1"}, {"plain", "2"}, {"TT_DNN_DEVICE_OP: b", "3"}}));
}

TEST(MessageTable, WhatLooksLikeAnEndInsideOfAMessageIsNone) {
  EXPECT_EQ(messages_of("`TT_SIGNPOST: a\nuse `x`;7\nrest of it`;500\nb;600\n"),
            (Messages{{"TT_SIGNPOST: a\nuse `x`;7\nrest of it", "500"}, {"b", "600"}}));
}

TEST(MessageTable, ABacktickThatStandsAloneEndsNoOtherMessage) {
  EXPECT_EQ(
      messages_of("`TT_SIGNPOST: it`s warm`;5\nplain;6\nmore;7\n`TT_SIGNPOST: b`;8\n"),
      (Messages{{"TT_SIGNPOST: it`s warm", "5"}, {"plain", "6"}, {"more", "7"}, {"TT_SIGNPOST: b", "8"}}));
}

TEST(MessageTable, LinesOfAUsersMessageWereMessagesWithoutATime) {
  EXPECT_EQ(messages_of("first\nsecond;5\nbroken\n`TT_SIGNPOST: b`;8\n"),
            (Messages{{"first\nsecond", "5"}, {"broken", ""}, {"TT_SIGNPOST: b", "8"}}));
}

TEST(MessageTable, AnotherTextHasNoRows) {
  MessageTable table("name;ns\na;1\n");
  EXPECT_FALSE(table.has_header());
  EXPECT_FALSE(table.next());
  EXPECT_TRUE(messages_of("").empty());
}

TEST(MessageTable, AnyMessagesWithPairedBackticksComeBack) {
  std::mt19937 random(11);
  const std::vector<std::string> words = {"`x`", "a",    ";",   "\n", " `y;z` ",
                                          "12",  ";7\n", "TT_", "-",  "`q`;7\n"};
  for (int round = 0; round < 5000; ++round) {
    Messages written;
    std::string rows;
    for (std::uint32_t i = 0; i < 1 + random() % 6; ++i) {
      std::string text = "TT_";
      for (std::uint32_t n = random() % 8; n > 0; --n) text += words[random() % words.size()];
      text += random() % 2 == 0 ? "end" : "`e`";
      written.emplace_back(text, std::to_string(random() % 1000));
      rows += "`" + text + "`;" + written.back().second + (random() % 2 == 0 ? "\n" : "\r\n");
    }
    EXPECT_EQ(messages_of(rows), written) << rows;
  }
}

TEST(MessageTable, WhatWasLookedThroughForEarlierMessagesChangesNone) {
  std::mt19937 random(5);
  const std::vector<std::string> words = {"`", "a", ";1\n", "`;2\n", "`TT_", "\n", "``", "\r\n"};
  for (int round = 0; round < 20000; ++round) {
    std::string rows;
    for (auto n = random() % 24; n > 0; --n) rows += words[random() % words.size()];
    const std::string text = "MessageName;total_ns\n" + rows;
    MessageTable table(text);
    for (std::size_t at = text.size() - rows.size(); table.next();) {
      const std::string rest = "MessageName;total_ns\n" + text.substr(at);
      MessageTable alone(rest);
      ASSERT_TRUE(alone.next()) << rows;
      ASSERT_EQ(table.row().written, alone.row().written) << rows;
      ASSERT_EQ(table.row().time, alone.row().time) << rows;
      at = static_cast<std::size_t>(table.row().written.data() - text.data()) + table.row().written.size();
      at = std::min(text.find('\n', at), text.size());
    }
  }
}

TEST(MessageTable, WhatNothingEndsIsLookedThroughOnce) {
  // From each line again it would be 10^12 lines.
  for (const char* line : {"`TT_a\n", "`a\n", "`TT_a;1\n", "`TT_a`b;1\n", "a;1\n", "`TT_a;1\nb\n",
                           "`TT_a`;1\nb`;1\nc\n", "`TT_a``;1\nb\n", "`TT_a`b`;1\nc\n", "`TT_a\nb`;1\n`;\n"}) {
    std::string rows;
    for (int i = 0; i < 1'500'000; ++i) rows += line;
    EXPECT_GE(messages_of(rows).size(), 1u);
  }
}

}  // namespace
}  // namespace ttscope::io
