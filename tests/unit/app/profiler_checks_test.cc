// What `ttscope doctor` says of the profiler that `ttscope trace` uses.
#include "app/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "app/simulator.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// The checks of one environment, of which HOME of tt-metal and the profiler's folder are the test's own.
class ProfilerChecks : public ::testing::Test {
 protected:
  ProfilerChecks() { std::filesystem::create_directories(folder_.path("profiler/.logs")); }

  Diagnosis checks_with(std::vector<std::string> environment) const {
    environment.push_back("TT_METAL_PROFILER_DIR=" + folder_.path("profiler"));
    Diagnosis diagnosis;
    add_profiler_checks(environment, diagnosis);
    return diagnosis;
  }
  std::string log(const std::string& name, const std::string& text) const {
    return folder_.file("profiler/.logs/" + name, text);
  }
  /// A run of so many programs on device 0 and one on device 1.
  void log_programs(int count) const {
    std::string rows = "GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,OP NAME\n";
    for (int i = 0; i < count; ++i) rows += std::to_string(1024 * i) + ",,,0,Add\n";
    log("profile_log_device.csv", "ARCH: wormhole_b0\n");
    log("cpp_device_perf_report.csv", rows + "7,,,1,Add\n");
  }
  std::string tool(const std::string& name) const {
    std::filesystem::create_directories(folder_.path("metal/build/tools/profiler/bin"));
    const std::string path = folder_.file("metal/build/tools/profiler/bin/" + name, "#!/bin/sh\n");
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  testing::TempFolder folder_;
};

std::vector<Check> checks_of(const Diagnosis& diagnosis, const std::string& name) {
  std::vector<Check> found;
  std::copy_if(diagnosis.checks.begin(), diagnosis.checks.end(), std::back_inserter(found),
               [&](const Check& check) { return check.name == name; });
  return found;
}

/// The one check of that name.
Check check_of(const Diagnosis& diagnosis, const std::string& name) {
  const std::vector<Check> found = checks_of(diagnosis, name);
  EXPECT_EQ(found.size(), 1u) << name;
  return found.empty() ? Check{} : found.front();
}

TEST_F(ProfilerChecks, WithoutTtMetalItsOwnRecorderIsUsed) {
  const Diagnosis diagnosis = checks_with({});
  const Check tools = check_of(diagnosis, "capture tools");
  EXPECT_EQ(tools.status, has_simulator() ? CheckStatus::kOk : CheckStatus::kNote);
  EXPECT_EQ(tools.found, "TT_METAL_HOME is not set");
  EXPECT_FALSE(diagnosis.has_problem());
}

TEST_F(ProfilerChecks, ABuildWithoutTracyIsAProblemWithItsRemedy) {
  const std::string home = "TT_METAL_HOME=" + folder_.path("metal");
  const std::string bin = folder_.path("metal/build/tools/profiler/bin");
  const Check absent = check_of(checks_with({home}), "capture tools");
  EXPECT_EQ(absent.status, CheckStatus::kProblem);
  EXPECT_EQ(absent.found, bin + ": no such folder");
  EXPECT_THAT(absent.fix, HasSubstr("-DENABLE_TRACY=ON"));
  const std::string capture = tool("tracy-capture");
  EXPECT_EQ(check_of(checks_with({home}), "capture tools").found, bin + ": no capture tool in it");
  tool("tracy-csvexport");
  const Check both = check_of(checks_with({home}), "capture tools");
  EXPECT_EQ(both.status, CheckStatus::kOk);
  EXPECT_EQ(both.found, capture);
}

TEST_F(ProfilerChecks, WhatIsNotSetIsToldWithItsOption) {
  const Diagnosis diagnosis = checks_with({"TT_METAL_PROFILER_SUM=1"});
  const Check noc = check_of(diagnosis, "TT_METAL_DEVICE_PROFILER_NOC_EVENTS");
  EXPECT_EQ(noc.status, CheckStatus::kOk);
  EXPECT_EQ(noc.found, "not set");
  EXPECT_EQ(noc.fix, "ttscope trace --collect-noc-traces");
  // What is set, and what trace sets itself, needs nothing.
  EXPECT_THAT(check_of(diagnosis, "TT_METAL_PROFILER_SUM").fix, IsEmpty());
  EXPECT_EQ(check_of(diagnosis, "TT_METAL_PROFILER_SUM").found, "1");
  EXPECT_THAT(check_of(diagnosis, "TT_METAL_DEVICE_PROFILER").fix, IsEmpty());
}

TEST_F(ProfilerChecks, OfVariablesThatExcludeEachOtherTheRefusedOneIsToldOnce) {
  const Diagnosis diagnosis = checks_with({"TT_METAL_PROFILER_MID_RUN_DUMP=1", "TT_METAL_TRACE_PROFILER=1"});
  const Check refused = check_of(diagnosis, "TT_METAL_PROFILER_MID_RUN_DUMP");
  EXPECT_EQ(refused.status, CheckStatus::kProblem);
  EXPECT_EQ(refused.found, "1");
  EXPECT_THAT(refused.means, HasSubstr("exclude each other"));
  EXPECT_EQ(refused.fix, "unset TT_METAL_PROFILER_MID_RUN_DUMP");
  EXPECT_EQ(check_of(diagnosis, "TT_METAL_TRACE_PROFILER").status, CheckStatus::kOk);
}

TEST_F(ProfilerChecks, KernelPrintsAreToldOnceWhetherTheProfilerIsOnOrNot) {
  for (const std::vector<std::string>& environment :
       {std::vector<std::string>{"TT_METAL_DPRINT_CORES=0,0"},
        {"TT_METAL_DPRINT_CORES=0,0", "TT_METAL_DEVICE_PROFILER=1"}}) {
    const Check prints = check_of(checks_with(environment), "TT_METAL_DPRINT_CORES");
    EXPECT_EQ(prints.status, CheckStatus::kProblem);
    EXPECT_EQ(prints.found, "0,0");
    EXPECT_EQ(prints.fix, "unset TT_METAL_DPRINT_CORES");
  }
  EXPECT_THAT(checks_of(checks_with({"TT_METAL_DPRINT_CORES="}), "TT_METAL_DPRINT_CORES"), IsEmpty());
}

TEST_F(ProfilerChecks, WithoutALastRunNothingIsSaidOfIt) {
  const Diagnosis diagnosis = checks_with({});
  EXPECT_THAT(checks_of(diagnosis, "ops of the last run"), IsEmpty());
  EXPECT_THAT(checks_of(diagnosis, "clocks of the last run"), IsEmpty());
}

TEST_F(ProfilerChecks, ClocksOfARunThatWasNotSynchronizedAreToldWithTheOption) {
  log_programs(1);
  const Check apart = check_of(checks_with({}), "clocks of the last run");
  EXPECT_EQ(apart.status, CheckStatus::kNote);
  EXPECT_EQ(apart.fix, "ttscope trace --sync-host-device");
  log("sync_device_info.csv", "device id,host_time,device_time\n");
  EXPECT_THAT(checks_of(checks_with({}), "clocks of the last run"), IsEmpty());
}

TEST_F(ProfilerChecks, NoExchangeHelpsSimulatedChips) {
  log_programs(1);
  log("simulated_chips.txt", "");
  const Check clocks = check_of(checks_with({}), "clocks of the last run");
  EXPECT_EQ(clocks.found, "simulated chips");
  EXPECT_THAT(clocks.fix, IsEmpty());
}

}  // namespace
}  // namespace ttscope::app
