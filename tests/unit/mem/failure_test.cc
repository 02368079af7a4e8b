// What the figures of a message about an allocation say.
#include "mem/analyze/failures.h"

#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

/// 4096 bytes over 12 banks: 342 of each.
FailureVerdict verdict(std::int64_t free_bytes, std::int64_t largest_free_bytes) {
  OutOfMemory failure;
  failure.kind = FailureKind::kAllocation;
  failure.requested_bytes = 4096;
  failure.banks = 12;
  failure.free_bytes = free_bytes;
  failure.largest_free_bytes = largest_free_bytes;
  return examine_failure({}, {}, failure).verdict;
}

TEST(Failure, FreeBytesDecideBetweenExhaustedAndFragmented) {
  EXPECT_EQ(verdict(341, 0), FailureVerdict::kExhausted);
  EXPECT_EQ(verdict(342, 341), FailureVerdict::kFragmented);
  EXPECT_EQ(verdict(342, 342), FailureVerdict::kUndecided);
}

TEST(Failure, AMessageCutBehindTheFreeBytesFailedThoughTheyAreEnough) {
  EXPECT_EQ(verdict(342, -1), FailureVerdict::kFragmented);
}

TEST(Failure, TheLargestFreeBlockAloneDecidesNothing) {
  EXPECT_EQ(verdict(-1, 0), FailureVerdict::kUndecided);
}

}  // namespace
}  // namespace ttscope::mem
