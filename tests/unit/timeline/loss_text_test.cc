#include "timeline/write/exports.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::timeline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(LossText, EachLossIsASentence) {
  EXPECT_THAT(loss_texts({}), IsEmpty());
  EXPECT_THAT(loss_texts({true, 3, 70}),
              ElementsAre("too many ops for a .tracy file: zones do not name theirs",
                          "Tracy has no arrows; 3 left out", "all times are 70 ns later, so that they fit"));
  EXPECT_THAT(loss_texts({false, 0, -70}), ElementsAre("all times are -70 ns later, so that they fit"));
}

TEST(LossText, TimesThatFitAreNotSpokenOf) { EXPECT_THAT(shift_texts(0), IsEmpty()); }

}  // namespace
}  // namespace ttscope::timeline
