// What the options of `ttscope trace` set, and what they exclude.
#include "launch/profiler_variables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::launch {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kDevice = "TT_METAL_DEVICE_PROFILER";
constexpr const char* kPostProcess = "TT_METAL_PROFILER_CPP_POST_PROCESS";

TracePlan plan_of(const TraceOptions& options, const std::vector<std::string>& environment = {}) {
  Result<TracePlan> plan = plan_trace(options, environment);
  EXPECT_TRUE(plan.has_value()) << plan.error().message;
  return plan ? *plan : TracePlan{};
}

std::string refusal_of(const TraceOptions& options, const std::vector<std::string>& environment = {}) {
  const Result<TracePlan> plan = plan_trace(options, environment);
  return plan ? "accepted" : plan.error().message;
}

TEST(TracePlan, DevicesAreProfiledUnlessTheyAreLeftOut) {
  const TracePlan plan = plan_of({}, {"PATH=/bin"});
  EXPECT_TRUE(plan.device);
  EXPECT_TRUE(plan.device_in_capture);
  EXPECT_EQ(value_in(plan.environment, kDevice), "1");
  EXPECT_EQ(value_in(plan.environment, "PATH"), "/bin");
  EXPECT_EQ(value_in(plan.environment, "TTNN_OP_PROFILER"), std::nullopt);
  const TracePlan without = plan_of({{"--no-device", ""}}, {"TT_METAL_DEVICE_PROFILER=1"});
  EXPECT_FALSE(without.device);
  EXPECT_EQ(value_in(without.environment, kDevice), std::nullopt);
  EXPECT_THAT(without.notes, ElementsAre("--no-device: TT_METAL_DEVICE_PROFILER is removed"));
}

TEST(TracePlan, WhatWasSetByHandIsKept) {
  const TracePlan plan = plan_of({}, {"TT_METAL_DEVICE_PROFILER=0", "TT_METAL_PROFILER_CPP_POST_PROCESS=0"});
  EXPECT_FALSE(plan.device);
  EXPECT_EQ(value_in(plan.environment, kDevice), "0");
  EXPECT_THAT(plan.notes, ElementsAre("TT_METAL_DEVICE_PROFILER=0 is kept: devices are not profiled"));
  EXPECT_EQ(value_in(plan_of({}, {std::string(kPostProcess) + "=0"}).environment, kPostProcess), "0");
}

TEST(TracePlan, AReportNeedsOpsAndTheirTraces) {
  const TracePlan plan = plan_of({{"--report", ""}});
  EXPECT_EQ(value_in(plan.environment, "TTNN_OP_PROFILER"), "1");
  EXPECT_EQ(value_in(plan.environment, "TT_METAL_PROFILER_TRACE_TRACKING"), "1");
  const TracePlan host = plan_of({{"--report", ""}, {"--no-device", ""}});
  EXPECT_EQ(value_in(host.environment, "TTNN_OP_PROFILER"), "1");
  EXPECT_EQ(value_in(host.environment, "TT_METAL_PROFILER_TRACE_TRACKING"), std::nullopt);
  EXPECT_THAT(plan_of({{"--report", ""}, {"--disable-device-data-dump-to-files", ""}}).notes,
              ElementsAre(HasSubstr("the report will have no device columns")));
}

TEST(TracePlan, TheRuntimeMeasuresUnlessSomethingNeedsTheDeviceLog) {
  const TracePlan usual = plan_of({});
  EXPECT_THAT(usual.legacy_reasons, IsEmpty());
  EXPECT_EQ(value_in(usual.environment, kPostProcess), "1");
  const TracePlan sums = plan_of({{"--enable-sum-profiling", ""}, {"--profile-dispatch-cores", ""}});
  EXPECT_THAT(sums.legacy_reasons, ElementsAre("sums of zones", "dispatch cores"));
  EXPECT_EQ(value_in(sums.environment, kPostProcess), std::nullopt);
  const TracePlan plan = plan_of({{"--no-runtime-analysis", ""}}, {std::string(kPostProcess) + "=1"});
  EXPECT_THAT(plan.legacy_reasons, ElementsAre("--no-runtime-analysis"));
  EXPECT_EQ(value_in(plan.environment, kPostProcess), std::nullopt);
}

TEST(TracePlan, ValuesReachTheirVariables) {
  const TracePlan plan = plan_of({{"--op-support-count", "5000"},
                                  {"--port", "9000"},
                                  {"--profiler-capture-perf-counters", "fpu"},
                                  {"--disable-device-data-push-to-tracy", ""}});
  EXPECT_EQ(value_in(plan.environment, "TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT"), "5000");
  EXPECT_EQ(value_in(plan.environment, "TRACY_PORT"), "9000");
  EXPECT_EQ(value_in(plan.environment, "TT_METAL_PROFILE_PERF_COUNTERS"), "1");
  EXPECT_FALSE(plan.device_in_capture);
}

TEST(TracePlan, WrongValuesSayWhatWasExpected) {
  for (const char* port : {"0", "70000", "80x", ""})
    EXPECT_THAT(refusal_of({{"--port", port}}), HasSubstr("expected a port, 1 to 65535")) << port;
  EXPECT_THAT(refusal_of({{"--op-support-count", "many"}}), HasSubstr("expected a whole number above 0"));
  EXPECT_THAT(refusal_of({{"--profiler-capture-perf-counters", "nonsense"}}),
              HasSubstr("--profiler-capture-perf-counters: "));
}

TEST(TracePlan, WithoutDevicesNothingOfDevicesCanBeAskedFor) {
  EXPECT_EQ(refusal_of({{"--no-device", ""}, {"--sync-host-device", ""}}),
            "--sync-host-device and --no-device exclude each other: there would be no device data");
  EXPECT_THAT(refusal_of({{"--no-device", ""}}, {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS=1"}),
              HasSubstr("unset TT_METAL_DEVICE_PROFILER_NOC_EVENTS"));
}

TEST(TracePlan, ConflictsAreToldInTheWordsThatWereTyped) {
  const std::string typed = refusal_of({{"--dump-device-data-mid-run", ""}, {"--device-trace-profiler", ""}});
  EXPECT_EQ(
      typed,
      "--dump-device-data-mid-run and --device-trace-profiler exclude each other: data of trace runs alone "
      "cannot be dumped mid-run; leave out --dump-device-data-mid-run");
  const std::string by_hand =
      refusal_of({{"--device-trace-profiler", ""}}, {"TT_METAL_PROFILER_MID_RUN_DUMP=1"});
  EXPECT_THAT(by_hand, HasSubstr("unset TT_METAL_PROFILER_MID_RUN_DUMP"));
  EXPECT_THAT(by_hand, HasSubstr("and --device-trace-profiler exclude"));
}

TEST(TracePlan, LinesWithoutPartsAreEveryCall) {
  EXPECT_THAT(plan_of({{"--lines", ""}}).notes, ElementsAre(HasSubstr("without -p every call")));
  EXPECT_THAT(plan_of({{"--lines", ""}, {"--partial", ""}}).notes, IsEmpty());
}

}  // namespace
}  // namespace ttscope::launch
