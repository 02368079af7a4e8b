// What decides which lines a log will hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "launch/live_log.h"
#include "launch/runtime_logging.h"
#include "support/temp_folder.h"

namespace ttscope::launch {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using testing::TempFolder;

std::string problem_with(const std::string& assignment) {
  for (const LogVariable& variable : plan_environment({assignment}).variables) {
    if (variable.is_users) return variable.remark;
  }
  return "not taken for the user's";
}

TEST(LogVariables, MissingOnesAreAdded) {
  const LogEnvironment plan = plan_environment({"PATH=/bin", "TTXLA_LOGGER_LEVEL=VERBOSE"});
  EXPECT_THAT(plan.environment, Contains("PATH=/bin"));
  EXPECT_THAT(plan.environment, Contains("TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG"));
  EXPECT_THAT(plan.environment, Contains("TT_RUNTIME_MEMORY_LOG_LEVEL=operation"));
  EXPECT_THAT(plan.environment, Contains("TTXLA_LOGGER_LEVEL=VERBOSE"));
  EXPECT_THAT(plan.environment, SizeIs(5));
  EXPECT_THAT(plan.obstacles, IsEmpty());
}

TEST(LogVariables, ValuesAreReadAsTheRuntimesReadThem) {
  for (const char* good : {"TTMLIR_RUNTIME_LOGGER_LEVEL=debug", "TTMLIR_RUNTIME_LOGGER_LEVEL=TRACE",
                           "TT_RUNTIME_MEMORY_LOG_LEVEL=OPERATION", "TT_RUNTIME_MEMORY_LOG_LEVEL=any",
                           "TTXLA_LOGGER_LEVEL=DEBUG", "PYTHONUNBUFFERED="}) {
    EXPECT_EQ(problem_with(good), "") << good;
  }
  for (const char* bad : {"TTMLIR_RUNTIME_LOGGER_LEVEL=INFO", "TT_RUNTIME_MEMORY_LOG_LEVEL=program",
                          "TTXLA_LOGGER_LEVEL=debug", "TTXLA_LOGGER_LEVEL="}) {
    EXPECT_THAT(problem_with(bad), HasSubstr("need")) << bad;
  }
}

TEST(LogVariables, Obstacles) {
  EXPECT_THAT(plan_environment({"TTMLIR_RUNTIME_LOGGER_FILE=/x"}).obstacles, SizeIs(1));
  EXPECT_THAT(plan_environment({"TTMLIR_RUNTIME_LOGGER_FILE="}).obstacles, IsEmpty());
  EXPECT_THAT(plan_environment({"TTMLIR_RUNTIME_LOGGER_TYPES=RuntimeTTMetal"}).obstacles, SizeIs(1));
  EXPECT_THAT(plan_environment({"TTMLIR_RUNTIME_LOGGER_TYPES=RuntimeTTNN"}).obstacles, IsEmpty());
  EXPECT_THAT(plan_environment({"LOGGER_LEVEL=DEBUG"}).obstacles, SizeIs(1));
}

void write(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

TEST(RuntimeBuild, IsToldByTheTextsInside) {
  const TempFolder folder;
  const std::string package = folder.path() + "/site/pjrt_plugin_tt/";
  EXPECT_EQ(find_runtime_build({folder.path()}).plugin, "");
  write(package + "pjrt_plugin_tt.so", "TT_RUNTIME_MEMORY_LOG_LEVEL");
  RuntimeBuild build = find_runtime_build({folder.path(), folder.path() + "/site"});
  EXPECT_EQ(build.plugin, package + "pjrt_plugin_tt.so");
  EXPECT_EQ(build.reads_memory_variable, Tristate::kYes);
  EXPECT_EQ(build.has_op_lines, Tristate::kUnknown);
  write(package + "lib/libTTMLIRRuntime.so", "nothing");
  build = find_runtime_build({package});
  EXPECT_EQ(build.has_op_lines, Tristate::kNo);
  EXPECT_EQ(build.has_memory_lines, Tristate::kNo);
  write(package + "lib/libTTMLIRRuntime.so", "Executing operation: Device memory state ");
  build = find_runtime_build({package});
  EXPECT_EQ(build.has_op_lines, Tristate::kYes);
  EXPECT_EQ(build.has_memory_lines, Tristate::kYes);
}

TEST(RuntimeBuild, OfACheckout) {
  const TempFolder folder;
  write(folder.path() + "/build/pjrt_implementation/src/pjrt_plugin_tt.so", "x");
  write(folder.path() + "/third_party/tt-mlir/install/lib/libTTMLIRRuntime.so", "Executing operation: ");
  const RuntimeBuild build = find_runtime_build({folder.path()});
  EXPECT_EQ(build.reads_memory_variable, Tristate::kNo);
  EXPECT_EQ(build.has_op_lines, Tristate::kYes);
}

/// All that the follower gives now, with `|` for a new beginning and `?` for a missing file.
std::string read_all(FileFollower& follower) {
  std::string text;
  char room[4];
  for (int step = 0; step < 1000; ++step) {
    const auto next = follower.next(room, sizeof(room));
    if (!next) return text + "!";
    if (next->event == FileFollower::Event::kNothing) return text;
    if (next->event == FileFollower::Event::kGone) return text + "?";
    if (next->event == FileFollower::Event::kRestarted) text += "|";
    text.append(room, next->size);
  }
  return text;
}

TEST(FileFollower, GrowthTruncationAndRotation) {
  const TempFolder folder;
  const std::string path = folder.path() + "/log";
  write(path, "one two");
  auto follower = FileFollower::open(path);
  ASSERT_TRUE(follower.has_value());
  EXPECT_EQ(read_all(*follower), "one two");
  EXPECT_EQ(read_all(*follower), "");
  std::ofstream(path, std::ios::app) << " three";
  EXPECT_EQ(read_all(*follower), " three");
  write(path, "new");
  EXPECT_EQ(read_all(*follower), "|new");
  std::ofstream(path, std::ios::app) << "er";
  std::filesystem::rename(path, path + ".1");
  EXPECT_EQ(read_all(*follower), "er?") << "the end of the old log is not lost";
  write(path, "next");
  EXPECT_EQ(read_all(*follower), "|next");
}

TEST(FileFollower, WhatCannotBeFollowed) {
  const TempFolder folder;
  EXPECT_FALSE(FileFollower::open(folder.path() + "/none").has_value());
  EXPECT_FALSE(FileFollower::open(folder.path()).has_value());
}

}  // namespace
}  // namespace ttscope::launch
