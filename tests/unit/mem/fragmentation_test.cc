#include "mem/analyze/bank_states.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

MemoryBlock block_of(MilliMib free, MilliMib largest_free) {
  MemoryBlock block;
  block.free[index_of(Memory::kDram)] = free;
  block.largest_free[index_of(Memory::kDram)] = largest_free;
  return block;
}

TEST(Fragmentation, IsWhatTheLargestBlockDoesNotReach) {
  EXPECT_DOUBLE_EQ(fragmentation_of(block_of(1000, 250), Memory::kDram), 0.75);
  EXPECT_EQ(fragmentation_of(block_of(1000, 1000), Memory::kDram), 0);
  EXPECT_EQ(fragmentation_of(block_of(0, 0), Memory::kDram), 0);
  EXPECT_EQ(fragmentation_of(block_of(1000, 250), Memory::kL1), 0) << "the other memory has nothing free";
}

TEST(Fragmentation, IsNothingWhereTheLargestBlockIsAboveWhatIsFree) {
  EXPECT_EQ(fragmentation_of(block_of(1000, 1001), Memory::kDram), 0);
}

TEST(Fragmentation, ACurveHasTheWorstOfEachStretch) {
  const std::vector<MemoryBlock> blocks = {block_of(100, 90), block_of(100, 50), block_of(100, 80),
                                           block_of(0, 0),    block_of(100, 99), block_of(100, 99)};
  EXPECT_THAT(fragmentation_curve(blocks, Memory::kDram, 2), ElementsAre(1, 4));
  EXPECT_THAT(fragmentation_curve(blocks, Memory::kDram, 6), ElementsAre(1, 2, 4));
  EXPECT_THAT(fragmentation_curve(blocks, Memory::kDram, 7), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(fragmentation_curve({}, Memory::kDram, 2), IsEmpty());
}

}  // namespace
}  // namespace ttscope::mem
