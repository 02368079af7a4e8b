// Which folders are hosts of one run.
#include "app/timeline/open_timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class RunFoldersTest : public ::testing::Test {
 protected:
  std::string at(const std::string& path) const { return folder_.path() + "/" + path; }
  /// A run in a folder, written so many seconds after the first.
  void add(const std::string& path, int seconds) const {
    fs::create_directories(at(path));
    const std::string file = at(path) + "/profile_log_device.csv";
    std::ofstream(file) << "x\n";
    const fs::file_time_type base{std::chrono::hours(24)};
    fs::last_write_time(file, base + std::chrono::seconds(seconds));
  }

 private:
  testing::TempFolder folder_;
};

TEST_F(RunFoldersTest, CopiesAndEarlierLogsOfARunWereHosts) {
  add("run/earlier_logs/2026_01_01_00_00_00", 1);
  add("run/reports/2026_01_01_00_00_01", 2);
  add("run/reports/name/2026_01_01_00_00_00", 0);
  fs::create_directories(at("run/.logs/recording"));
  const RunFolders found = runs_of_folders({at("run")});
  EXPECT_THAT(found.paths, ElementsAre(at("run/reports/2026_01_01_00_00_01")));
  EXPECT_THAT(found.remarks, ElementsAre(HasSubstr("the newest of 3")));
  EXPECT_THAT(runs_of_folders({at("run/reports")}).paths, ElementsAre(at("run/reports/2026_01_01_00_00_01")));
  EXPECT_THAT(runs_of_folders({at("run/earlier_logs")}).remarks,
              ElementsAre("reading " + at("run/earlier_logs/2026_01_01_00_00_00")));
  add("run/.logs", 3);
  EXPECT_THAT(runs_of_folders({at("run")}).paths, ElementsAre(at("run")));
}

TEST_F(RunFoldersTest, RanksAreHostsEachWithItsNewestRun) {
  add("base/rank0/.logs", 5);
  add("base/rank0/reports/a", 6);
  add("base/rank1/generated/profiler/.logs", 5);
  add("base/rank2/earlier_logs/a", 1);
  add("base/rank2/reports/b", 2);
  add("base/reports/c", 9);
  const RunFolders found = runs_of_folders({at("base")});
  EXPECT_THAT(found.paths,
              ElementsAre(at("base/rank0"), at("base/rank1/generated/profiler"), at("base/rank2/reports/b")));
  EXPECT_THAT(found.remarks, ElementsAre(HasSubstr("rank2")));
}

TEST_F(RunFoldersTest, HostsWithFoldersOfTheProfilerAndFilesStay) {
  add("base/east/.logs", 5);
  add("base/west/.logs", 5);
  const RunFolders found = runs_of_folders({at("base"), at("other.tracy")});
  EXPECT_THAT(found.paths, ElementsAre(at("base/east"), at("base/west"), at("other.tracy")));
  EXPECT_THAT(found.remarks, IsEmpty());
}

}  // namespace
}  // namespace ttscope::app
