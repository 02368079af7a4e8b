// The files of a report on a run's memory.
#include "app/report_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/load.h"
#include "support/profile_text.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Result<mem::Profile> profile_in(const testing::TempFolder& folder) {
  testing::LogText log;
  log.start("main").op(testing::ones("%1", 4)).block("ttnn.ones", 4 * testing::kUnit).finish("main");
  return mem::load_logs({folder.file("log", log.text())}, {});
}

TEST(RunReport, IsSixFilesOfWhichThePageIsTheLast) {
  const testing::TempFolder logs;
  const testing::TempFolder folder;
  const Result<mem::Profile> profile = profile_in(logs);
  ASSERT_TRUE(profile.has_value());
  mem::MemPageOptions page;
  page.name = "run";
  const auto files = write_run_report(*profile, folder.path(), page);
  ASSERT_TRUE(files.has_value()) << files.error().message;
  EXPECT_THAT(folder.names(), ElementsAre("run_inputs_registry.json", "run_ir.json", "run_memory.json",
                                          "run_operations.json", "run_report.html", "run_report.md"));
  EXPECT_EQ(files->size(), 6u);
  EXPECT_EQ(files->back(), page_path(folder.path(), "run"));
  EXPECT_THAT(testing::file_content(folder.path("run_report.md")), HasSubstr("ttnn.ones"));
  EXPECT_THAT(testing::file_content(folder.path("run_report.html")), HasSubstr("<title>"));
}

TEST(RunReport, AFolderThatCannotBeMadeIsAnError) {
  const testing::TempFolder folder;
  const Result<mem::Profile> profile = profile_in(folder);
  ASSERT_TRUE(profile.has_value());
  mem::MemPageOptions page;
  page.name = "run";
  const auto files = write_run_report(*profile, folder.path("log/in"), page);
  ASSERT_FALSE(files.has_value());
  EXPECT_EQ(files.error().code, ErrorCode::kWriteFailed);
  EXPECT_THAT(files.error().message, HasSubstr(folder.path("log")));
}

}  // namespace
}  // namespace ttscope::app
