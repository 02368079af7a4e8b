#include "app/captured_run.h"

#include <gtest/gtest.h>

#include <ctime>

#include "app/report_library.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

TEST(RunFolder, IsNamedByTheScriptElseByTheProgram) {
  EXPECT_EQ(name_of_command({"python", "-u", "path/model.py", "--steps", "3"}), "model");
  EXPECT_EQ(name_of_command({"pytest", "tests/test_vit.py::test_one"}), "test_vit");
  EXPECT_EQ(name_of_command({"/opt/bin/train"}), "train");
  EXPECT_FALSE(name_of_command({}).empty());
}

TEST(RunFolder, OneOfASecondGetsANumber) {
  const testing::TempFolder base;
  auto first = make_run_folder(base.path(), "model");
  auto second = make_run_folder(base.path(), "model");
  ASSERT_TRUE(first.has_value() && second.has_value());
  EXPECT_NE(first->path(), second->path());
}

TEST(RunFolder, DiskRoomIsThatOfTheNearestFolderThatExists) {
  const testing::TempFolder base;
  EXPECT_GT(free_bytes_at(base.path()), 0);
  EXPECT_GT(free_bytes_at(base.path("not/made/yet")), 0);
}

TEST(ScriptCommand, PythonFilesRunUnbuffered) {
  const testing::TempFolder home;
  const std::vector<std::string> command =
      script_command({.script = "model.py", .arguments = {"--steps", "3"}, .environment = {"PATH=/none"}});
  EXPECT_EQ(command, (std::vector<std::string>{"python3", "-u", "model.py", "--steps", "3"}));
}

TEST(ScriptCommand, TheActiveVirtualEnvironmentComesFirst) {
  const testing::TempFolder home;
  std::filesystem::create_directories(home.path("bin"));
  const std::string python = home.file("bin/python", "#!/bin/sh\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  EXPECT_EQ(script_command({.script = "model.py", .environment = {"VIRTUAL_ENV=" + home.path()}}).front(),
            python);
}

TEST(ScriptCommand, AProgramRunsItself) {
  const testing::TempFolder home;
  const std::string program = home.file("train", "#!/bin/sh\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  EXPECT_EQ(script_command({.script = program}), std::vector<std::string>{program});
}

TEST(ReportName, IsNeverAPath) {
  EXPECT_EQ(report_name("my_model_profile.log.gz"), "my-model");
  EXPECT_EQ(report_name("-"), "stdin");
  EXPECT_FALSE(is_plain_name("a/b"));
  EXPECT_FALSE(is_plain_name(""));
  EXPECT_TRUE(is_plain_name("run-1"));
}

}  // namespace
}  // namespace ttscope::app
