#include "base/text.h"

#include <gtest/gtest.h>

namespace ttscope {
namespace {

TEST(EditDistance, CountsEditsAndSwapsOfNeighbors) {
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", "abc"), 0u);
  EXPECT_EQ(edit_distance("abc", "axc"), 1u);
  EXPECT_EQ(edit_distance("abc", "acb"), 1u);
  EXPECT_EQ(edit_distance("abc", "bc"), 1u);
}

TEST(EditDistance, TheNearestNameIsNearEnoughOrNone) {
  EXPECT_EQ(nearest_name("opp", {"line", "op", "loc"}), "op");
  EXPECT_EQ(nearest_name("siz", {"line", "size_bytes"}), "size_bytes");
  EXPECT_EQ(nearest_name("zebra", {"line", "op"}), "");
  EXPECT_EQ(nearest_name("", {"a"}), "");
}

}  // namespace
}  // namespace ttscope
