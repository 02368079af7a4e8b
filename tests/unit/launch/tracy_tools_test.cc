// Tracy's programs of a tt-metal build: which are taken, and what they are asked for.
#include "launch/tracy_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"

namespace ttscope::launch {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ttscope::testing::TempFolder;

std::string tool(const TempFolder& folder, const std::string& name, const std::string& script) {
  const std::string path = folder.file(name, "#!/bin/sh\n" + script);
  fs::permissions(path, fs::perms::owner_all);
  return path;
}

TEST(TracyTools, NewAndOldNamesAreFoundInPairs) {
  TempFolder folder;
  EXPECT_FALSE(find_tracy_tools(folder.path()).has_value());
  tool(folder, "csvexport-release", "");
  tool(folder, "tracy-capture", "");
  EXPECT_FALSE(find_tracy_tools(folder.path()).has_value()) << "one of each pair";
  tool(folder, "capture-release", "");
  ASSERT_TRUE(find_tracy_tools(folder.path()).has_value());
  EXPECT_EQ(find_tracy_tools(folder.path())->parent_flag, "-p");
  tool(folder, "tracy-csvexport", "");
  EXPECT_EQ(find_tracy_tools(folder.path())->csvexport, folder.path("tracy-csvexport"));
  EXPECT_EQ(find_tracy_tools(folder.path())->parent_flag, "-t");
}

TEST(TracyTools, TablesAreExportedWithTheChildFunctionsAskedFor) {
  const TracyTools tools{"capture", "csvexport", "-t"};
  const std::vector<TableExport> tables = table_exports(tools, "logs", {"MyFunction", "Other"});
  ASSERT_EQ(tables.size(), 2u);
  EXPECT_THAT(tables[0].command, ElementsAre("csvexport", "-u", "-t", "TT_", "-x",
                                             "CompileProgram,HWCommandQueue_write_buffer,MyFunction,Other",
                                             "logs/tracy_profile_log_host.tracy"));
  EXPECT_EQ(tables[0].output, "logs/tracy_ops_times.csv");
  EXPECT_THAT(tables[1].command,
              ElementsAre("csvexport", "-m", "-s", ";", "logs/tracy_profile_log_host.tracy"));
  EXPECT_EQ(tables[1].output, "logs/tracy_ops_data.csv");
}

TEST(TracyTools, AnExportThatFailsLeavesNoTable) {
  TempFolder folder;
  const std::string output = folder.path("table.csv");
  EXPECT_TRUE(run_export({{tool(folder, "good", "echo name")}, output}, {}).has_value());
  EXPECT_TRUE(fs::exists(output));
  const Result<void> failed = run_export({{tool(folder, "bad", "echo half; exit 3")}, output}, {});
  ASSERT_FALSE(failed.has_value());
  EXPECT_THAT(failed.error().message, HasSubstr("bad ended with 3"));
  EXPECT_FALSE(fs::exists(output));
  const Result<void> silent = run_export({{tool(folder, "silent", "exit 0")}, output}, {});
  ASSERT_FALSE(silent.has_value());
  EXPECT_THAT(silent.error().message, HasSubstr("printed nothing"));
}

}  // namespace
}  // namespace ttscope::launch
