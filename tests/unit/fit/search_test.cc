#include "fit/search.h"

#include <gtest/gtest.h>

namespace ttscope::fit {
namespace {

TEST(LargestThatFits, IsFoundFromBelowAndFromAbove) {
  for (const std::int64_t largest : {1, 2, 7, 8, 63, 64, 65, 1000}) {
    for (const std::int64_t first : {1, 5, 64, 700}) {
      std::int64_t last_asked = 0;
      const Largest found = largest_that_fits(first, 1 << 20, [&](std::int64_t value) {
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
  const Largest endless = largest_that_fits(3, 100, [](std::int64_t) { return true; });
  EXPECT_EQ(endless.value, 96);
  EXPECT_TRUE(endless.at_limit);
  EXPECT_EQ(largest_that_fits(8, 100, [](std::int64_t) { return false; }).value, 0);
}

}  // namespace
}  // namespace ttscope::fit
