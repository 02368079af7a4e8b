// The profiler's variables: defaults, the order in which they are handled, what cannot be together.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include <ttscope_device/profiler_layout.h>

#include "launch/profiler_variables.h"
#include "metal/machine.h"
#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using metal::HostSettings;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Settings : public ::testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : profiler_variables()) ::unsetenv(name);
    ::unsetenv("TT_METAL_PROFILER_DIR");
  }
  void TearDown() override { SetUp(); }

  static HostSettings read(const std::vector<std::pair<const char*, const char*>>& environment) {
    for (const auto& [name, value] : environment) ::setenv(name, value, 1);
    return metal::settings_from_environment({});
  }
  static std::string refusal(const std::vector<std::pair<const char*, const char*>>& environment) {
    try {
      read(environment);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return {};
  }
};

TEST_F(Settings, ProgramsCouldNotAskWhetherTheProfilerIsOn) {
  EXPECT_FALSE(profiles_devices());
  ::setenv("TTNN_OP_PROFILER", "1", 1);
  EXPECT_FALSE(profiles_devices()) << "ops can be told without it";
  for (const char* name : {"TT_METAL_DEVICE_PROFILER", "TT_METAL_DEVICE_PROFILER_NOC_EVENTS",
                           "TT_METAL_PROFILE_PERF_COUNTERS", "TT_METAL_NOC_DEBUG_DUMP"}) {
    ::setenv(name, "1", 1);
    EXPECT_TRUE(profiles_devices()) << name;
    ::unsetenv(name);
  }
  ::unsetenv("TTNN_OP_PROFILER");
}

// Compiled kernels went to a folder in /tmp that anybody can make first.
TEST_F(Settings, NothingIsWrittenBelowAWorldWritableFolder) {
  const char* const variables[] = {"TTSCOPE_CHIP_CACHE", "XDG_CACHE_HOME", "HOME"};
  std::vector<std::pair<const char*, std::string>> before;
  for (const char* name : variables) {
    if (const char* value = ::getenv(name)) before.emplace_back(name, value);
    ::unsetenv(name);
  }
  EXPECT_THAT(refusal({}), HasSubstr("HOME is set"));
  EXPECT_EQ(read({{"HOME", "/home/somebody"}}).cache, "/home/somebody/.cache/ttscope/chip");
  ::unsetenv("HOME");
  for (const auto& [name, value] : before) ::setenv(name, value.c_str(), 1);
}

TEST_F(Settings, SupportCountsAreSaidAsTheyAreKept) {
  for (const char* mode : {"TT_METAL_DEVICE_PROFILER", "TT_METAL_PROFILER_SUM", "TT_METAL_NOC_DEBUG_DUMP"}) {
    for (const char* count : {"", "1", "31", "32", "33", "42", "43", "500", "4000"}) {
      SetUp();
      std::vector<std::pair<const char*, const char*>> variables = {{"TT_METAL_DEVICE_PROFILER", "1"},
                                                                    {mode, "1"}};
      if (*count != '\0') variables.emplace_back("TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", count);
      std::vector<std::string> environment;
      for (const auto& [name, value] : variables) environment.push_back(std::string(name) + "=" + value);
      EXPECT_EQ(launch::support_count(environment).kept, read(variables).support_count)
          << mode << " " << count;
    }
  }
}

TEST_F(Settings, Defaults) {
  const HostSettings settings = read({});
  EXPECT_FALSE(settings.profiler);
  EXPECT_FALSE(settings.build.on);
  EXPECT_TRUE(settings.writes_files);
  EXPECT_EQ(settings.logs, "generated/profiler/.logs");
  EXPECT_THAT(settings.warnings, IsEmpty());
  const HostSettings on = read({{"TT_METAL_DEVICE_PROFILER", "1"}, {"TT_METAL_HOME", "/opt/metal"}});
  EXPECT_TRUE(on.profiler);
  EXPECT_EQ(on.build.flags, ttscope_device::kProfileOn);
  EXPECT_EQ(on.support_count, 1000u);
  EXPECT_EQ(on.build.region_bytes, 48000u);
  EXPECT_FALSE(on.dumps_mid_run || on.post_processes || on.synchronizes);
  EXPECT_EQ(on.logs, "/opt/metal/generated/profiler/.logs");
  EXPECT_EQ(on.noc_traces, on.logs);
  EXPECT_EQ(read({{"TT_METAL_PROFILER_DIR", "/tmp/p"}}).logs, "/tmp/p/.logs");
}

TEST_F(Settings, OnlyAOneSwitchesOn) {
  EXPECT_FALSE(read({{"TT_METAL_DEVICE_PROFILER", "true"}}).profiler);
  EXPECT_FALSE(read({{"TT_METAL_DEVICE_PROFILER", "0"}}).profiler);
  EXPECT_TRUE(read({{"TT_METAL_DEVICE_PROFILER", "1x"}}).profiler);
}

/// NoC events switch the profiler on, but too late for what was handled before.
TEST_F(Settings, SwitchesNeedTheProfilerWhenTheyAreHandled) {
  const HostSettings alone = read({{"TT_METAL_PROFILER_SUM", "1"}, {"TT_METAL_PROFILER_SYNC", "1"}});
  EXPECT_FALSE(alone.profiler || alone.synchronizes);
  EXPECT_EQ(alone.build.flags & ttscope_device::kProfileSum, 0u);
  const HostSettings events = read({{"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1"},
                                    {"TT_METAL_DEVICE_PROFILER_DISPATCH", "1"},
                                    {"TT_METAL_PROFILER_MID_RUN_DUMP", "1"},
                                    {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH", "/tmp/noc"}});
  EXPECT_TRUE(events.profiler && events.build.noc_events && events.dumps_mid_run);
  EXPECT_FALSE(events.synchronizes);
  EXPECT_EQ(events.build.flags, ttscope_device::kProfileOn | ttscope_device::kProfileSum);
  EXPECT_EQ(events.noc_traces, "/tmp/noc");
}

TEST_F(Settings, ADebugDumpHasHalfTheProgramsAndNocEvents) {
  const HostSettings settings = read({{"TT_METAL_NOC_DEBUG_DUMP", "1"}});
  EXPECT_TRUE(settings.profiler && settings.build.debug_dump && settings.build.noc_events);
  EXPECT_EQ(settings.support_count, 500u);
}

TEST_F(Settings, SumsNeedMoreRoomForEachProgram) {
  const HostSettings settings = read({{"TT_METAL_DEVICE_PROFILER", "1"},
                                      {"TT_METAL_PROFILER_SUM", "1"},
                                      {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "10"}});
  EXPECT_EQ(settings.support_count, 32u);
  EXPECT_EQ(settings.build.region_bytes, 64u * 32);
  EXPECT_THAT(settings.warnings,
              ElementsAre("Profiler program support count must be >= 32. Increasing program "
                          "support count from 10 to 32."));
}

TEST_F(Settings, WhatCannotBeTogetherIsRefused) {
  const std::pair<const char*, const char*> on = {"TT_METAL_DEVICE_PROFILER", "1"};
  EXPECT_EQ(refusal({on, {"TT_METAL_DPRINT_CORES", "0,0"}}),
            "Cannot enable both debug printing and profiling");
  SetUp();
  EXPECT_EQ(refusal({{"TT_METAL_DPRINT_CORES", "0,0"}}), "") << "printing alone is no conflict";
  SetUp();
  EXPECT_EQ(refusal({on, {"TT_METAL_TRACE_PROFILER", "1"}, {"TT_METAL_PROFILER_MID_RUN_DUMP", "1"}}),
            "Cannot dump data mid-run if only profiling trace runs");
  SetUp();
  EXPECT_EQ(
      refusal({on, {"TT_METAL_DEVICE_PROFILER_DISPATCH", "1"}, {"TT_METAL_PROFILER_MID_RUN_DUMP", "1"}}),
      "Cannot dump data mid-run if profiling dispatch cores");
  SetUp();
  EXPECT_THAT(refusal({{"TT_METAL_PROFILE_PERF_COUNTERS", "24"}}), HasSubstr("at most one bank of L1"));
  SetUp();
  EXPECT_THAT(refusal({on, {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "many"}}),
              HasSubstr("expected a whole number"));
  EXPECT_THAT(refusal({on, {"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "0"}}), HasSubstr("above 0"));
}

TEST_F(Settings, WhatHasNoEffectHereIsSaid) {
  EXPECT_THAT(read({{"TT_METAL_PROFILE_PERF_COUNTERS", "1"}}).warnings,
              Contains(HasSubstr("no hardware counters")));
  SetUp();
  EXPECT_THAT(read({{"TT_METAL_DEVICE_PROFILER", "1"}, {"TT_METAL_DEVICE_PROFILER_DISPATCH", "1"}}).warnings,
              Contains(HasSubstr("no dispatch cores")));
}

}  // namespace
}  // namespace ttscope::testing
