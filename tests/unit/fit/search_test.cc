#include "fit/search.h"

#include <gtest/gtest.h>

namespace ttscope::fit {
namespace {

TEST(LargestThatFits, IsFoundFromBelowAndFromAbove) {
  for (const std::int64_t largest : {1, 2, 7, 8, 63, 64, 65, 1000}) {
    for (const std::int64_t first : {1, 5, 64, 700}) {
      std::int64_t last_asked = 0;
      const LargestFit found = find_largest_fit(first, 1 << 20, [&](std::int64_t value) {
        last_asked = value;
        return value <= largest;
      });
      EXPECT_EQ(found.value, largest) << first;
      EXPECT_EQ(last_asked, largest) << "what the caller keeps is of the answer";
      EXPECT_FALSE(found.at_limit);
    }
  }
}

TEST(LargestThatFits, SaysWhenItStoppedTryingAndWhenNothingFits) {
  const LargestFit endless = find_largest_fit(3, 100, [](std::int64_t) { return true; });
  EXPECT_EQ(endless.value, 96);
  EXPECT_TRUE(endless.at_limit);
  EXPECT_EQ(find_largest_fit(8, 100, [](std::int64_t) { return false; }).value, 0);
}

// The search said nothing while it ran.
TEST(SearchChanges, TellsHowFarItIs) {
  const Evaluate never = [](const Device&, const Changes&) {
    Evaluation found;
    found.verdict.memories.resize(1);
    return Result<Evaluation>(found);
  };
  const auto list = [](const DeviceVerdict&) {
    const auto change = [](Changes& changes) { changes.best_fit = true; };
    return std::vector<SearchStep>{{change, true}, {change, false}, {change, true}, {change, true}};
  };
  std::vector<SearchProgress> told;
  FitQuery question;
  question.on_try = [&](const SearchProgress& progress) { told.push_back(progress); };
  ASSERT_TRUE(search_changes(never, Device{}, question, list));
  ASSERT_EQ(told.size(), 7u) << "four alone, three pairs";
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i].tried, i + 1);
    EXPECT_EQ(told[i].most, 7u);
  }
}

}  // namespace
}  // namespace ttscope::fit
