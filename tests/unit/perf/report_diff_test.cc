#include "perf/analyze/report_diff.h"

#include <gtest/gtest.h>

namespace ttscope::perf {
namespace {

const std::string kHead = "OP CODE,GLOBAL CALL COUNT,DEVICE ARCH,A [ns]\n";

ReportDiff diff_of(const std::string& first, const std::string& second, ReportDiffOptions options = {}) {
  const auto diff = compare_reports(first, second, options);
  EXPECT_TRUE(diff);
  return diff ? *diff : ReportDiff();
}

TEST(ReportDiff, RowsAreFoundByTheirKeysNotTheirPlaces) {
  EXPECT_TRUE(diff_of(kHead + "a,1,x,5\nb,2,x,6\n", kHead + "b,2,x,6\na,1,x,5\n").is_equal());
}

TEST(ReportDiff, NothingIsWrittenInManyWays) {
  EXPECT_TRUE(diff_of(kHead + "a,1,x,nan\n", kHead + "a,1.0,x,\n").is_equal());
}

TEST(ReportDiff, TolerancesAreAbsoluteOrRelative) {
  const std::string first = kHead + "a,1,x,100\n";
  const std::string second = kHead + "a,1,x,102\n";
  EXPECT_EQ(diff_of(first, second).cells, 1u);
  EXPECT_TRUE(diff_of(first, second, {.tolerance = 2}).is_equal());
  EXPECT_TRUE(diff_of(first, second, {.relative_tolerance = 0.02}).is_equal());
  EXPECT_FALSE(diff_of(first, second, {.relative_tolerance = 0.01}).is_equal());
}

TEST(ReportDiff, RowsOfOneSideAndAllowedEmptyCells) {
  const ReportDiff diff = diff_of(kHead + "a,1,x,5\nb,2,x,6\n", kHead + "a,1,,5\nc,3,x,7\nc,3,x,8\n");
  EXPECT_EQ(diff.only_first, 1u);
  EXPECT_EQ(diff.only_second, 2u);
  EXPECT_EQ(diff.missing_cells, 1u);
  EXPECT_EQ(diff.differences.size(), 3u);
  EXPECT_EQ(diff.differences[2].row, "GLOBAL CALL COUNT 3, occurrence 2");
}

TEST(ReportDiff, TheRuntimesOwnReportHasExecutionsOnly) {
  EXPECT_TRUE(diff_of("GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\n0,7\n1,5\n",
                      "OP CODE,GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\na,1,5\ncaptured,2,\nstart,,\n")
                  .is_equal());
}

TEST(ReportDiff, SignpostsAreToldByTheirNames) {
  EXPECT_EQ(diff_of(kHead + "start,,,1\n", kHead + "stop,,,1\n").only_first, 1u);
}

TEST(ReportDiff, TheListIsLimitedTheCountIsNot) {
  std::string first = kHead;
  std::string second = kHead;
  for (int i = 0; i < 30; ++i) {
    first += "a," + std::to_string(i) + ",x,1\n";
    second += "a," + std::to_string(i) + ",x,2\n";
  }
  const ReportDiff diff = diff_of(first, second, {.max_differences = 4});
  EXPECT_EQ(diff.cells, 30u);
  EXPECT_EQ(diff.differences.size(), 4u);
}

TEST(ReportDiff, OtherTextsAreAnError) { EXPECT_FALSE(compare_reports("a,b\n", kHead, {})); }

}  // namespace
}  // namespace ttscope::perf
