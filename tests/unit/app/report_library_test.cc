#include "app/report_library.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "mem/load.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::EndsWith;

std::string sample_log() { return std::string(std::getenv("TTSCOPE_SOURCE_DIR")) + "/examples/sample.log"; }

mem::Profile sample_profile() {
  auto profile = mem::load({sample_log()}, {.live_totals = true});
  EXPECT_TRUE(profile.has_value());
  return std::move(*profile);
}

TEST(LibraryFolder, FollowsTheEnvironment) {
  EXPECT_EQ(*library_folder({"HOME=/home/ann"}), "/home/ann/.ttmem/reports");
  EXPECT_EQ(*library_folder({"HOME=/home/ann", "TTMEM_HOME=/data/mem"}), "/data/mem/reports");
  EXPECT_EQ(*library_folder({"TTMEM_HOME=", "HOME=/home/ann"}), "/home/ann/.ttmem/reports");
  EXPECT_FALSE(library_folder({"PATH=/bin"}).has_value());
}

TEST(ReportLibrary, AReportIsThereAsAWhole) {
  const testing::TempFolder library;
  const auto report = write_report_folder(sample_profile(), {library.path("reports"), sample_log()}, {});
  ASSERT_TRUE(report.has_value()) << report.error().message;
  EXPECT_EQ(report->name, "sample");
  EXPECT_EQ(report->path, library.path("reports/sample"));
  EXPECT_EQ(report->page, library.path("reports/sample/sample_report.html"));
  EXPECT_THAT(report->files, Contains(EndsWith("sample_memory.json")));
  for (const std::string& file : report->files) EXPECT_TRUE(fs::is_regular_file(file)) << file;
  EXPECT_TRUE(fs::is_regular_file(report->path + "/source.json"));
}

TEST(ReportLibrary, TheSameLogIsReplacedAndAnotherOneGetsItsOwnName) {
  const testing::TempFolder library;
  const mem::Profile profile = sample_profile();
  const std::string other = library.file("sample.log", "another log of that name");
  ASSERT_EQ(write_report_folder(profile, {library.path("reports"), sample_log()}, {})->name, "sample");
  EXPECT_EQ(write_report_folder(profile, {library.path("reports"), sample_log()}, {})->name, "sample");
  EXPECT_EQ(write_report_folder(profile, {library.path("reports"), other}, {})->name, "sample-2");
  EXPECT_EQ(std::distance(fs::directory_iterator(library.path("reports")), {}), 2);
}

TEST(ReportLibrary, AFolderThatCannotBeMadeIsAnError) {
  const testing::TempFolder library;
  library.file("taken", "a file");
  EXPECT_FALSE(
      write_report_folder(sample_profile(), {library.path("taken/reports"), sample_log()}, {}).has_value());
}

}  // namespace
}  // namespace ttscope::app
