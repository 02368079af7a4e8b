// How Python runs under the profiler: by tt-metal's own runner where it is, else by ours.
#include "app/trace/python.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "launch/profiler_variables.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> kTyped = {"python", "model.py", "--batch", "8"};

PythonRun run_with(bool tracy) {
  PythonRun run;
  run.standins = {"/standins", "/package"};
  run.found = {tracy, tracy, true};
  return run;
}

TEST(ProfiledPython, OurRunnerStandsInFrontOfTheScript) {
  PythonRun run = run_with(false);
  run.makes_report = true;  // made by the profiler afterwards, no word for the runner
  run.of_marked_parts = true;
  run.of_lines = true;
  EXPECT_THAT(profiled_command(kTyped, run, {}), ElementsAre("python", "/standins/tracy/tracy/run_program.py",
                                                             "-p", "-l", "model.py", "--batch", "8"));
}

TEST(ProfiledPython, TheRunnerOfTtMetalIsToldWhatItWouldOtherwiseRemove) {
  PythonRun run = run_with(true);
  EXPECT_THAT(profiled_command(kTyped, run, {}),
              ElementsAre("python", "-c", HasSubstr("'tracy'"), "--no-capture-tool", "--no-device",
                          "model.py", "--batch", "8"));
  run.profiles_devices = true;
  run.makes_report = true;
  EXPECT_THAT(profiled_command(kTyped, run, {"TT_METAL_PROFILER_NO_CACHE_OP_INFO=1"}),
              ElementsAre("python", "-c", HasSubstr("'tracy'"), "--no-capture-tool", "-r",
                          "--no-op-info-cache", "--no-runtime-analysis", "model.py", "--batch", "8"));
  EXPECT_THAT(profiled_command(kTyped, run, {"TT_METAL_PROFILER_CPP_POST_PROCESS=1"}),
              ElementsAre("python", "-c", HasSubstr("'tracy'"), "--no-capture-tool", "-r", "model.py",
                          "--batch", "8"));
}

TEST(ProfiledPython, WhatIsAbsentStandsInThePathOfModules) {
  std::vector<std::string> environment = {"PYTHONPATH=/mine"};
  set_python_variables(run_with(false), environment);
  EXPECT_EQ(launch::value_in(environment, "PYTHONPATH"), "/standins/tracy:/standins/ttnn:/package:/mine");
  EXPECT_FALSE(launch::value_in(environment, "TTSCOPE_FORWARD_TTNN").has_value());
}

TEST(ProfiledPython, OurTracyForwardsToATtnnThatIsThere) {
  PythonRun run = run_with(false);
  run.found.has_ttnn = true;
  std::vector<std::string> environment;
  set_python_variables(run, environment);
  EXPECT_EQ(launch::value_in(environment, "PYTHONPATH"), "/standins/tracy:/package");
  EXPECT_EQ(launch::value_in(environment, "TTSCOPE_FORWARD_TTNN"), "1");
}

TEST(ProfiledPython, TheInterpreterIsTheOneThatWasNamed) {
  EXPECT_EQ(python_of({"TTSCOPE_PYTHON=/opt/python", "PATH=/none"}), "/opt/python");
  EXPECT_EQ(python_of({"TTSCOPE_PYTHON=", "PATH=/none"}), "python3");
}

TEST(ProfiledPython, OptingInWithoutStandInsIsAnError) {
  const Result<std::string> commands = opt_in_commands({}, "/bin/ttscope", {"PATH=/none"});
  ASSERT_FALSE(commands.has_value());
  EXPECT_EQ(commands.error().message, kNoStandins);
}

TEST(ProfiledPython, OptingInKeepsThePathOfModulesAsOneWord) {
  const Result<std::string> commands =
      opt_in_commands({"/my standins", "/package"}, "/it's/ttscope", {"PATH=/none", "PYTHONPATH=/mine"});
  ASSERT_TRUE(commands.has_value());
  EXPECT_EQ(*commands,
            "export PYTHONPATH='/my standins/tracy:/my standins/ttnn:/package:/mine'\n"
            "export TTSCOPE_PROGRAM='/it'\\''s/ttscope'\n");
}

TEST(PythonStandins, LieBesideTheProgramElseWhereTheyWereInstalled) {
  const testing::TempFolder place;
  const std::string program = place.path("bin/ttscope");
  EXPECT_EQ(find_standins(program, "../share").folder, "");
  std::filesystem::create_directories(place.path("bin/python/ttscope"));
  std::filesystem::create_directories(place.path("share/tracy"));
  EXPECT_EQ(find_standins(program, "../share").folder, place.path("share"));
  EXPECT_EQ(find_standins(program, "../share").package_folder, place.path("bin/python"));
  std::filesystem::create_directories(place.path("bin/python_standins/tracy"));
  EXPECT_EQ(find_standins(program, "../share").folder, place.path("bin/python_standins"));
}

}  // namespace
}  // namespace ttscope::app
