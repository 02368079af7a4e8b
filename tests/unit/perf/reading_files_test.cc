#include "perf/write/stack_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perf/analyze/op_groups.h"
#include "perf/analyze/shown_ops.h"
#include "support/ops_csv.h"
#include "support/temp_folder.h"

namespace ttscope::perf {
namespace {

using ::testing::ElementsAre;

TEST(ReadingFiles, NamesBesideACsvHaveItsPlaceAndLoseItsExtension) {
  EXPECT_EQ(bounds_path("out/report.csv"), "out/report_bounds.csv");
  EXPECT_EQ(stack_base("out/report.csv"), "out/report_stacked");
  EXPECT_THAT(stack_paths("s"), ElementsAre("s.csv", "s.png", "s.svg"));
}

TEST(ReadingFiles, ADotOfAFolderOrAtTheBeginningOfANameIsNoExtension) {
  EXPECT_EQ(bounds_path("run.1/report"), "run.1/report_bounds.csv");
  EXPECT_EQ(bounds_path("report"), "report_bounds.csv");
  EXPECT_EQ(bounds_path(".csv"), ".csv_bounds.csv");
  EXPECT_EQ(stack_base("a/.hidden"), "a/.hidden_stacked");
  EXPECT_EQ(stack_base("a.b.csv"), "a.b_stacked");
}

TEST(ReadingFiles, TheStackedReportIsATableAndTwoPictures) {
  const testing::TempFolder folder;
  const OpsReport table = testing::OpsCsv().op("A").op("B").table();
  const Result<ShownOps> ops = find_shown_ops(table, {});
  ASSERT_TRUE(ops.has_value());
  const StackOptions options;
  const Result<void> done = write_stack_files(stack_ops(table, *ops, options), options, folder.path("s"));
  ASSERT_TRUE(done.has_value());
  EXPECT_THAT(folder.names(), ElementsAre("s.csv", "s.png", "s.svg"));
  EXPECT_THAT(testing::file_content(folder.path("s.csv")), ::testing::HasSubstr("Op Code"));
  EXPECT_EQ(testing::file_content(folder.path("s.png")).substr(1, 3), "PNG");
  EXPECT_EQ(testing::file_content(folder.path("s.svg")).substr(0, 4), "<svg");
}

TEST(ReadingFiles, AFolderThatIsNotThereIsAnError) {
  EXPECT_FALSE(write_stack_files({}, {}, "/nowhere/at/all").has_value());
}

}  // namespace
}  // namespace ttscope::perf
