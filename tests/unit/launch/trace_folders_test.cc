// Where a traced run writes, and what becomes of the logs of the one before.
#include "launch/trace_folders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ttscope::testing::TempFolder;

constexpr std::time_t kNow = 1'800'000'000;

std::string artifacts(const std::string& given, const std::vector<std::string>& environment) {
  return trace_folders(given, environment, kNow).artifacts;
}

TEST(TraceFolders, AreThoseThatWereGivenElseThoseOfTheEnvironment) {
  const std::vector<std::string> both = {"TT_METAL_PROFILER_DIR=/profiles", "TT_METAL_HOME=/metal"};
  EXPECT_EQ(artifacts("/mine", both), "/mine");
  EXPECT_EQ(artifacts("/mine/", both), "/mine");
  EXPECT_EQ(artifacts("", both), "/profiles");
  EXPECT_EQ(artifacts("", {"TT_METAL_PROFILER_DIR=", "TT_METAL_HOME=/metal"}), "/metal/generated/profiler");
  EXPECT_EQ(artifacts("", {}), (fs::current_path() / "generated/profiler").string());
}

TEST(TraceFolders, HoldLogsRecordingAndReports) {
  const TraceFolders folders = trace_folders("/mine", {}, kNow);
  EXPECT_EQ(folders.logs, "/mine/.logs");
  EXPECT_EQ(folders.recording, "/mine/.logs/recording");
  EXPECT_EQ(folders.reports, "/mine/reports");
  EXPECT_EQ(folders.date, trace_date(kNow));
  EXPECT_THAT(folders.date, StartsWith("2027_01_1"));
  EXPECT_EQ(folders.date.size(), 19u);
}

TEST(TraceFolders, EachRankHasItsOwn) {
  EXPECT_EQ(artifacts("/mine", {"OMPI_COMM_WORLD_RANK=3"}), "/mine/rank3");
  EXPECT_EQ(artifacts("/mine/rank3", {"OMPI_COMM_WORLD_RANK=3"}), "/mine/rank3") << "given for this rank";
  EXPECT_EQ(rank_of({"PMI_RANK=1"}), "1");
  EXPECT_EQ(rank_of({"TT_RUN_RANK=12"}), "12");
  EXPECT_EQ(rank_of({"OMPI_COMM_WORLD_RANK=", "PMIX_RANK=2"}), "2");
  EXPECT_EQ(rank_of({"OMPI_COMM_WORLD_RANK=../x"}), "") << "no part of a path";
  EXPECT_EQ(rank_of({"PATH=/bin"}), "");
}

TEST(TraceFolders, LogsOfAnEarlierRunAreMovedAside) {
  const TempFolder place;
  const TraceFolders folders = trace_folders(place.path("profiler"), {}, kNow);
  const Result<std::string> first = begin_logs(folders);
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(*first, "");
  EXPECT_TRUE(fs::is_directory(folders.recording));
  place.file("profiler/.logs/a.csv", "first");
  const Result<std::string> second = begin_logs(folders);
  ASSERT_TRUE(second.has_value());
  EXPECT_THAT(*second, StartsWith(place.path("profiler/earlier_logs/")));
  EXPECT_EQ(testing::file_content(*second + "/a.csv"), "first");
  EXPECT_FALSE(fs::exists(folders.logs + "/a.csv"));
  EXPECT_TRUE(fs::is_empty(folders.recording));
}

TEST(TraceFolders, LogsOfOneSecondDoNotReplaceEachOther) {
  const TempFolder place;
  const TraceFolders folders = trace_folders(place.path(), {}, kNow);
  const fs::file_time_type time = fs::file_time_type::clock::now() - std::chrono::hours(1);
  std::vector<std::string> moved;
  for (const char* text : {"one", "two"}) {
    ASSERT_TRUE(begin_logs(folders).has_value());
    const std::string log = place.file(".logs/log", text);
    fs::last_write_time(folders.recording, time);
    fs::last_write_time(log, time);
    const Result<std::string> earlier = begin_logs(folders);
    ASSERT_TRUE(earlier.has_value());
    EXPECT_EQ(testing::file_content(*earlier + "/log"), text);
    fs::remove_all(folders.logs);
    moved.push_back(*earlier);
  }
  EXPECT_EQ(moved[1], moved[0] + "_2");
}

TEST(TraceFolders, APlaceThatCannotBeMadeIsAnError) {
  const TempFolder place;
  place.file("file", "");
  const Result<std::string> begun = begin_logs(trace_folders(place.path("file/in"), {}, kNow));
  ASSERT_FALSE(begun.has_value());
  EXPECT_EQ(begun.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(begun.error().message, HasSubstr("cannot make the folder"));
}

}  // namespace
}  // namespace ttscope::launch
