#include "mem/analyze/growth.h"

#include <gtest/gtest.h>

#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

TEST(GrowthGroups, ExecutionsOfOneOpAreOneGroup) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.name = "ttnn.add"});
  made.add_op({.name = "ttnn.matmul"});
  made.rank().ops.push_back(made.rank().ops[0]);  // the same op again
  made.rank_profile().effects.emplace_back();
  made.set_growth(0, 10);
  made.set_growth(1, 30);
  made.set_growth(2, 20);
  const std::vector<GrowthGroup> groups = top_growth(made.log, made.profile, Memory::kDram, 10);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].bytes_per_bank, 30);
  EXPECT_EQ(groups[1].bytes_per_bank, 20) << "of the execution that grew most";
  EXPECT_EQ(groups[1].op, 2u);
  EXPECT_EQ(groups[1].times, 2u);
  EXPECT_EQ(top_growth(made.log, made.profile, Memory::kDram, 1).size(), 1u);
  EXPECT_TRUE(top_growth(made.log, made.profile, Memory::kL1, 10).empty());
}

}  // namespace
}  // namespace ttscope::mem
