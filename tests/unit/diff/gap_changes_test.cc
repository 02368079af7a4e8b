#include "diff/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::diff {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

DiffOp op_with_gaps(double before, double after) {
  DiffOp op;
  op.before_row = op.after_row = 1;
  op.gap_before = before;
  op.gap_after = after;
  return op;
}

TEST(GapChanges, AreBeyondNoiseOrOfOpsWithoutAPartner) {
  DiffReport report;
  report.unit = "us";
  report.ops = {op_with_gaps(1, 9), op_with_gaps(1, 3), op_with_gaps(0, 5), op_with_gaps(0, 0.25)};
  report.ops[1].is_gap_beyond_noise = true;
  report.ops[2].before_row.reset();
  report.ops[3].before_row.reset();
  EXPECT_THAT(ops_by_gap_change(report), ElementsAre(2, 1))
      << "the first is within noise, the last not worth telling";
  EXPECT_EQ(gap_change(report.ops[1]), 2);
  report.unit = "bytes";
  EXPECT_THAT(ops_by_gap_change(report), IsEmpty());
}

}  // namespace
}  // namespace ttscope::diff
