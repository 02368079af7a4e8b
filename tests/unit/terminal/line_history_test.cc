#include "terminal/prompts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::terminal {
namespace {

using ::testing::ElementsAre;

TEST(LineHistory, WalksBackAndForthAndKeepsWhatWasTyped) {
  LineHistory history = history_of("one\ntwo\n");
  EXPECT_EQ(history.older("dra"), "two");
  EXPECT_EQ(history.older("two"), "one");
  EXPECT_EQ(history.older("one"), "one");
  EXPECT_EQ(history.newer("one"), "two");
  EXPECT_EQ(history.newer("two"), "dra");
  EXPECT_EQ(history.newer("dra"), "dra");
}

TEST(LineHistory, KeepsNoEmptyLinesAndNoneTwiceInARow) {
  LineHistory history;
  for (const char* line : {"one", "one", "", "  ", "two", "one"}) history.add(line);
  EXPECT_THAT(history.lines(), ElementsAre("one", "two", "one"));
  EXPECT_EQ(text_of(history), "one\ntwo\none\n");
}

TEST(LineHistory, ForgetsTheOldest) {
  LineHistory history;
  for (std::size_t i = 0; i <= LineHistory::kMaxLines; ++i) history.add(std::to_string(i));
  EXPECT_EQ(history.lines().size(), LineHistory::kMaxLines);
  EXPECT_EQ(history.lines().front(), "1");
}

TEST(LineHistory, OfNothingIsWhatWasTyped) {
  LineHistory history;
  EXPECT_EQ(history.older("x"), "x");
  EXPECT_EQ(history.newer("x"), "x");
}

}  // namespace
}  // namespace ttscope::terminal
