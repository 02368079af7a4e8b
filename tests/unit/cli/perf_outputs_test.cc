// What `ttscope perf` makes of its options: the files that are written, and the exit code.
#include "cli/commands/perf_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "support/ops_csv.h"
#include "support/temp_folder.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;
using testing::OpsCsv;
using testing::TempFolder;

/// Takes what was typed; whether it goes together.
bool read(const std::vector<std::string>& words, PerfOutputRequest& request) {
  CommandSpec spec;
  spec.options = perf_output_options(request);
  spec.options.push_back(flag_option("--compat", request.compat, "h"));
  spec.given = &request.given;
  auto parsed = parse_args(spec, words);
  EXPECT_TRUE(parsed.has_value());
  return take_values(spec, *parsed).empty() && settle_perf_reading(request);
}

std::vector<std::string> files_of(const std::vector<std::string>& words) {
  PerfOutputRequest request;
  EXPECT_TRUE(read(words, request));
  return perf_output_paths(request);
}

TEST(PerfOutputs, EveryFileThatOptionsCanWriteIsKnownBeforehand) {
  EXPECT_THAT(files_of({}), ElementsAre());
  EXPECT_THAT(files_of({"--csv", "d/a.csv", "--html", "a.html"}),
              ElementsAre("d/a.csv", "a.html", "d/a_bounds.csv", "d/a_stacked.csv", "d/a_stacked.png",
                          "d/a_stacked.svg"));
  EXPECT_THAT(files_of({"--stacked-csv", "s"}), ElementsAre("s.csv", "s.png", "s.svg"));
}

/// The names of the files that a CSV is written with.
std::vector<std::string> files_by(bool compat) {
  const TempFolder folder;
  perf::Profile profile;
  profile.report = OpsCsv().op("A").table();
  PerfOutputRequest request;
  request.compat = compat;
  request.csv = folder.path("a.csv");
  request.outputs.quiet = true;
  EXPECT_EQ(run_perf_analysis(request, {}, profile), kOk);
  return folder.names();
}

TEST(PerfOutputs, BoundsLieBesideTheCsvButNotInCompat) {
  EXPECT_THAT(files_by(false),
              ElementsAre("a.csv", "a_bounds.csv", "a_stacked.csv", "a_stacked.png", "a_stacked.svg"));
  EXPECT_THAT(files_by(true), ElementsAre("a.csv", "a_stacked.csv", "a_stacked.png", "a_stacked.svg"));
}

TEST(PerfReading, NothingFoundIsAnExitCodeButNotInCompat) {
  for (const bool compat : {false, true}) {
    perf::Profile profile;
    profile.report = OpsCsv().op("A").table();
    PerfOutputRequest request;
    request.compat = compat;
    request.ops.first_id = 1000000;  // the window leaves out every row
    request.outputs.quiet = true;
    EXPECT_EQ(run_perf_analysis(request, {}, profile), compat ? kOk : kNothingFound);
  }
}

TEST(PerfReading, TheTableOfTheReferenceHasAlwaysAllRows) {
  PerfOutputRequest request;
  EXPECT_FALSE(read({"--compat", "--all"}, request));
  PerfOutputRequest ours;
  EXPECT_TRUE(read({"--all", "--op", "Matmul", "--top", "3"}, ours));
  EXPECT_TRUE(ours.report.all_rows);
  EXPECT_TRUE(ours.table_wanted);
  EXPECT_EQ(ours.report.table.top, 3u);
  EXPECT_EQ(ours.report.table.op, "Matmul");
}

TEST(PerfReading, RangesOfIdsAreReadWithSeparatorsOfThousands) {
  PerfOutputRequest request;
  EXPECT_TRUE(read({"--id-range=1,005-2,010"}, request));
  EXPECT_EQ(request.ops.first_id, 1005u);
  EXPECT_EQ(request.ops.last_id, 2010u);
  PerfOutputRequest open;
  EXPECT_TRUE(read({"--id-range=-12"}, open));
  EXPECT_FALSE(open.ops.first_id);
  EXPECT_EQ(open.ops.last_id, 12u);
  for (const char* wrong : {"5", "-", "1-2-3", "a-b", "1-x"}) {
    PerfOutputRequest none;
    EXPECT_FALSE(read({std::string("--id-range=") + wrong}, none)) << wrong;
  }
}

TEST(PerfReading, OrdersOfGroupsAreNoneOfRows) {
  for (const char* order : {"count", "mean", "spread"}) {
    PerfOutputRequest rows;
    EXPECT_FALSE(read({"--all", "--sort", order}, rows)) << order;
    PerfOutputRequest groups;
    EXPECT_TRUE(read({"--sort", order}, groups)) << order;
  }
}

TEST(PerfReading, OnlyOneOutputGoesToStandardOutput) {
  PerfOutputRequest two;
  EXPECT_FALSE(read({"--csv", "-", "--json", "-"}, two));
  PerfOutputRequest beside;
  EXPECT_FALSE(read({"--csv", "-", "--table"}, beside));
  PerfOutputRequest one;
  EXPECT_TRUE(read({"--csv", "-", "--json", "x.json"}, one));
}

}  // namespace
}  // namespace ttscope::cli
