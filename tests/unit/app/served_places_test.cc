// What `serve` shows of the paths that it is given.
#include "app/report_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::HasSubstr;

class ServedPlacesTest : public ::testing::Test {
 protected:
  ServedPlacesTest() {
    std::filesystem::create_directories(folder_.path("home/reports/run"));
    folder_.file("home/reports/run/run_memory.json", "{}");
    folder_.file("home/reports/run/run_report.html", "<!doctype html><title>ttscope</title>");
    std::filesystem::create_directories(folder_.path("shown"));
  }
  std::vector<std::string> environment() const { return {"TTMEM_HOME=" + folder_.path("home")}; }
  std::string library() const { return folder_.path("home/reports"); }

  testing::TempFolder folder_;
};

TEST_F(ServedPlacesTest, WithoutArgumentsTheLibraryIsServed) {
  const Result<ServeTargets> found = find_places({}, environment());
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->places.size(), 1u);
  EXPECT_EQ(found->places[0].path, library());
  EXPECT_EQ(found->report_base, library());
}

TEST_F(ServedPlacesTest, AFolderTakesTheReportsOfNewLogs) {
  const std::string log = folder_.file("a.log", "hello\n");
  const Result<ServeTargets> found = find_places({folder_.path("shown"), log}, environment());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->places.size(), 1u);
  EXPECT_EQ(found->report_base, folder_.path("shown"));
  EXPECT_EQ(found->logs, std::vector<std::string>{log});
}

TEST_F(ServedPlacesTest, ALogAloneHasItsReportInTheLibrary) {
  const Result<ServeTargets> found = find_places({folder_.file("a.log", "hello\n")}, environment());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->report_base, library());
  EXPECT_EQ(found->places.size(), 1u);
}

TEST_F(ServedPlacesTest, APageIsServedWithoutTheOthersOfItsFolder) {
  const Result<ServeTargets> found = find_places({library() + "/run/run_report.html"}, environment());
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->places.size(), 1u);
  EXPECT_EQ(found->places[0].only_file, "run_report.html");
  EXPECT_TRUE(found->report_base.empty());
  const Result<ServeTargets> other =
      find_places({folder_.file("other.html", "<!doctype html>hello")}, environment());
  ASSERT_FALSE(other.has_value());
  EXPECT_THAT(other.error().message, HasSubstr("a page for browsers"));
}

TEST_F(ServedPlacesTest, WhatIsMissingOrAStreamIsAnError) {
  EXPECT_FALSE(find_places({folder_.path("nowhere.log")}, environment()).has_value());
  const Result<ServeTargets> stream = find_places({"-"}, environment());
  ASSERT_FALSE(stream.has_value());
  EXPECT_THAT(stream.error().message, HasSubstr("standard input cannot be served"));
}

TEST_F(ServedPlacesTest, ANameIsAReportOfTheLibrary) {
  const Result<ServeTargets> found = find_report_place({"run"}, environment());
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->shown_report, "run");
  EXPECT_EQ(found->places.at(0).path, library());
  const Result<ServeTargets> wrong = find_report_place({"rum"}, environment());
  ASSERT_FALSE(wrong.has_value());
  EXPECT_THAT(wrong.error().message, HasSubstr("did you mean run?"));
  const Result<ServeTargets> path = find_report_place({folder_.path("shown")}, environment());
  ASSERT_TRUE(path.has_value());
  EXPECT_EQ(path->report_base, folder_.path("shown")) << "a path is none";
}

}  // namespace
}  // namespace ttscope::app
