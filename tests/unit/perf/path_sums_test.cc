#include "perf/analyze/op_groups.h"

#include <gtest/gtest.h>

namespace ttscope::perf {
namespace {

TEST(PathSums, OpsOfOneNameAreOneSumOnEachDeviceAndGapsOneOfAllOps) {
  OpsReport table;
  table.rows.resize(3);
  table.rows[1].kind = 1;
  table.rows[2].kind = 2;
  ShownOps ops;
  ops.facts.resize(3);
  ops.facts[0].label = "Add";
  ops.facts[1].label = "Matmul";
  ops.facts[2].label = "Add";  // of another shape
  ops.path.parts = {{0, 0, PathPartKind::kOp, 1.0, false}, {0, 1, PathPartKind::kGap, 0.25, false},
                    {0, 1, PathPartKind::kOp, 2.0, false}, {0, 2, PathPartKind::kGap, 0.5, false},
                    {0, 2, PathPartKind::kOp, 4.0, false}, {1, 0, PathPartKind::kOp, 0.125, false},
                    {0, 0, PathPartKind::kGap, 0.1, true}};
  const std::vector<PathSum> sums = path_sums(table, ops);
  ASSERT_EQ(sums.size(), 5u);
  EXPECT_EQ(sums[0].us, 5.0) << "both kinds of Add";
  EXPECT_EQ(sums[0].parts, 2u);
  EXPECT_EQ(sums[1].us, 2.0);
  EXPECT_EQ(sums[1].kind, 1u);
  EXPECT_EQ(sums[2].part, PathPartKind::kGap);
  EXPECT_EQ(sums[2].us, 0.75) << "before whatever op";
  EXPECT_EQ(sums[3].device, 1);
  EXPECT_TRUE(sums[4].is_compile) << "programs that are made are a sum of their own";
}

}  // namespace
}  // namespace ttscope::perf
