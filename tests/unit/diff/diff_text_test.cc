#include "diff/outputs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/made_model.h"

namespace ttscope::diff {
namespace {

using testing::compared;
using testing::layer;
using testing::MadeOp;
using testing::model;

/// Every layer had a line of its own.
TEST(DiffText, AnOpThatIsNewInEveryLayerIsOneLine) {
  std::vector<MadeOp> after;
  for (int i = 0; i < 10; ++i) {
    for (const MadeOp& op : layer()) after.push_back(op);
    after.push_back({"Typecast", "32x3072", 7});
  }
  const DiffReport report = compared(model(10), after);
  const std::vector<ChangeGroup> groups = grouped_changes(report);
  ASSERT_FALSE(groups.empty());
  EXPECT_EQ(groups[0].times, 10u);
  EXPECT_NE(diff_text({report}, {}).find("10 times: Typecast 32x3072 new"), std::string::npos);
  double sum = 0;
  for (const ChangeGroup& group : groups) sum += group.change;
  EXPECT_NEAR(sum + report.noise.left_over, report.cost_change(), 1e-6) << "groups add up to the change";
}

TEST(DiffText, LargeTimesKeepTheirColumns) {
  EXPECT_EQ(cost_text(25445136.4, "us"), "25445.1 ms");
  EXPECT_EQ(cost_text(99.5, "us"), "99.50 μs");
  EXPECT_EQ(signed_cost(-0.001, "us"), "+0.00 μs");
  EXPECT_EQ(signed_cost(-1.6e9, "us"), "-1600.0 s");
}

TEST(DiffText, HostileNamesAreShownAsText) {
  std::vector<MadeOp> ops = {{"\x1b[31mred\x1b[0m", "1|2", 10}, {"B", "1", 5}};
  std::vector<MadeOp> after = {{"B", "1", 9}};
  const DiffReport report = compared(ops, after);
  EXPECT_EQ(diff_text({report}, {}).find('\x1b'), std::string::npos);
  EXPECT_EQ(diff_markdown({report}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ttscope::diff
