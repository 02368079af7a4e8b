// The profiler's files while a process lives: reads between programs, a killed host, a program that hangs,
// logs of an earlier process, several devices.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "perf/load.h"
#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kWork = R"(
void kernel_main() {
  DeviceZoneScopedN("work");
  for (volatile int i = 0; i < 20; i = i + 1) {}
})";

class ProfilerLife : public MetalCase {
 protected:
  static void run(IDevice* device, std::size_t times) {
    Program one = program(kWork, CoreCoord{0, 0});
    for (std::size_t i = 0; i < times; ++i) EnqueueProgram(device->command_queue(), one, false);
  }
};

TEST_F(ProfilerLife, WithoutMidRunDumpsFilesAreWrittenOnceAtTheEnd) {
  use({});
  IDevice* device = CreateDevice(0);
  run(device, 3);
  ReadDeviceProfiler(device);
  EXPECT_FALSE(has_file("profile_log_device.csv"));
  run(device, 2);
  CloseDevice(device);
  EXPECT_EQ(starts_of(log_rows(), "work"), 5u * 5);
  EXPECT_FALSE(has_file("cpp_device_perf_report.csv"));
  EXPECT_THAT(file_content(log_path("zone_src_locations.log")), HasSubstr("#pragma message: work,"));
}

TEST_F(ProfilerLife, EveryReadDumpsWhatItFoundInMidRun) {
  use({{"TT_METAL_PROFILER_MID_RUN_DUMP", "1"}});
  IDevice* device = CreateDevice(0);
  for (std::size_t read = 1; read <= 4; ++read) {
    run(device, read);
    ReadDeviceProfiler(device);
    EXPECT_EQ(starts_of(log_rows(), "work", "TRISC_1"), read * (read + 1) / 2);
  }
  CloseDevice(device);
  EXPECT_EQ(starts_of(log_rows(), "work", "TRISC_1"), 10u);
}

/// More programs than the buffers hold, with reads in between: nothing is lost.
TEST_F(ProfilerLife, ReadsInTimeLoseNothing) {
  use({{"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "50"}});
  IDevice* device = CreateDevice(0);
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 10; ++i) {
    run(device, 30);
    ReadDeviceProfiler(device);
  }
  CloseDevice(device);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(starts_of(log_rows(), "work", "BRISC"), 300u);
}

TEST_F(ProfilerLife, NothingIsWrittenWhereFilesAreSwitchedOff) {
  use({{"TT_METAL_PROFILER_DISABLE_DUMP_TO_FILES", "1"}});
  IDevice* device = CreateDevice(0);
  run(device, 1);
  CloseDevice(device);
  EXPECT_FALSE(has_file("profile_log_device.csv"));
}

TEST_F(ProfilerLife, LogsOfAnEarlierProcessAreReplacedAndItsZonesKept) {
  std::filesystem::create_directories(folder.path(".logs"));
  std::ofstream(log_path("profile_log_device.csv")) << "old\n";
  std::ofstream(log_path("noc_trace_dev0_ID1024.json")) << "[]\n";
  std::ofstream(log_path("zone_src_locations.log")) << "'#pragma message: older,a.cpp,3,KERNEL_PROFILER'\n";
  use({});
  IDevice* device = CreateDevice(0);
  run(device, 1);
  CloseDevice(device);
  EXPECT_EQ(file_content(log_path("profile_log_device.csv")).find("old\n"), std::string::npos);
  EXPECT_FALSE(has_file("noc_trace_dev0_ID1024.json")) << "no transfers were recorded this time";
  const std::string zones = file_content(log_path("zone_src_locations.log"));
  EXPECT_THAT(zones, HasSubstr("older,a.cpp,3"));
  EXPECT_THAT(zones, HasSubstr("work,"));
  EXPECT_EQ(file_content(log_path("new_zone_src_locations.log")).find("older"), std::string::npos);
}

/// What a host wrote before it was killed is whole.
TEST_F(ProfilerLife, AKilledHostLeavesWhatItHadRead) {
  use({{"TT_METAL_PROFILER_MID_RUN_DUMP", "1"}, {"TT_METAL_PROFILER_CPP_POST_PROCESS", "1"}});
  const pid_t child = ::fork();
  if (child == 0) {
    IDevice* device = CreateDevice(0);
    for (int i = 0; i < 2; ++i) {
      run(device, 3);
      ReadDeviceProfiler(device);
    }
    run(device, 2);  // these are lost
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(starts_of(log_rows(), "work", "NCRISC"), 6u);
  perf::LoadOptions options;
  const Result<perf::Profile> profile = perf::load({folder.path()}, options);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->report.rows.size(), 6u);
}

TEST_F(ProfilerLife, AProgramThatHangsLeavesItsWords) {
  use({});
  IDevice* device = CreateDevice(0);
  run(device, 2);
  Finish(device->command_queue());
  Program hung = program(R"(
void kernel_main() {
  { DeviceZoneScopedN("before it hung"); }
  volatile uint32_t* never = reinterpret_cast<volatile uint32_t*>(get_semaphore(0));
  while (*never == 0) {}
})",
                         CoreCoord{0, 0}, true, false);
  CreateSemaphore(hung, CoreCoord{0, 0}, 0);
  std::string message;
  try {
    EnqueueProgram(device->command_queue(), hung, true);
  } catch (const std::runtime_error& error) {
    message = error.what();
  }
  const std::string document = log_path("device_0_hung.json");
  EXPECT_THAT(message, HasSubstr("ttscope perf --raw " + document));
  const Result<perf::RawRun> run = perf::load_raw(document);
  ASSERT_TRUE(run) << run.error().message;
  std::size_t sent = 0;
  for (const perf::RawCore& core : run->cores) {
    for (const perf::RawProcessor& processor : core.processors) sent += processor.dram.runs.size();
  }
  EXPECT_EQ(sent, 2u * 5);
  // Where it hangs is in L1 alone, in front of what an earlier launch left there.
  std::vector<std::string> zones;
  for (const perf::RunningLaunch& running : run->running) {
    for (const std::uint16_t id : running.zones) zones.emplace_back(run->name_of(id));
  }
  EXPECT_THAT(zones, ElementsAre("BRISC-FW", "BRISC-KERNEL", "NCRISC-FW", "NCRISC-KERNEL"));
  const auto& kept = run->cores[0].processors[0].l1.markers;
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_EQ(run->name_of(kept.back()), "before it hung");
  ::testing::internal::CaptureStderr();
  CloseDevice(device);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("Device profiling never finished on device 0, worker core 1, 1"));
  EXPECT_EQ(starts_of(log_rows(), "work"), 2u * 5) << "what had ended before is read all the same";
}

/// The document was there, but its words were zeroes: "no sign of a loss".
TEST_F(ProfilerLife, ALibraryThatEndsLeavesTheWordsOfTheProfiler) {
  use({{"TT_METAL_SIMULATOR", FAKE_TTSIM}});
  IDevice* device = CreateDevice(0);
  run(device, 2);
  ReadDeviceProfiler(device);
  Program wrong =
      program("void kernel_main() { DeviceZoneScopedN(\"fault\"); asm volatile(\"sw zero, 3(zero)\"); }",
              CoreCoord{0, 0}, true, false);
  EnqueueProgram(device->command_queue(), wrong, false);
  try {
    Finish(device->command_queue());
    FAIL() << "a misaligned store went unseen";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("which is not aligned (exit code 1); what the profiler had recorded is in"));
  }
  const Result<perf::RawRun> run = perf::load_raw(log_path("device_0_hung.json"));
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_FALSE(run->running.empty());
  EXPECT_EQ(run->name_of(run->running[0].zones.back()), "fault");
  CloseDevice(device);
  EXPECT_EQ(starts_of(log_rows(), "work"), 2u * 5) << "what was read before";
}

/// Whatever took longer than 50 ms of simulated time was said to hang, and nothing could be done about it.
TEST_F(ProfilerLife, HowLongAProgramMayTakeCanBeSaid) {
  const auto take = [&](const char* seconds) -> std::string {
    use({{"TT_METAL_OPERATION_TIMEOUT_SECONDS", seconds}});
    IDevice* device = CreateDevice(0);
    Program slow = program("void kernel_main() { for (volatile int i = 0; i < 30000; i = i + 1) {} }",
                           CoreCoord{0, 0}, true, false);
    std::string said;
    try {
      EnqueueProgram(device->command_queue(), slow, true);
    } catch (const std::runtime_error& error) {
      said = error.what();
    }
    CloseDevice(device);
    return said;
  };
  EXPECT_THAT(take("0.00001"), HasSubstr("(TT_METAL_OPERATION_TIMEOUT_SECONDS, in simulated time, gives"));
  EXPECT_EQ(take("0.01"), "");
  for (const char* wrong : {"0", "-1", "soon", "nan"}) {
    EXPECT_THROW(take(wrong), std::runtime_error) << wrong;
  }
}

/// The first device that hung ended the closing of all.
TEST_F(ProfilerLife, ADeviceThatHangsDoesNotCostOthersTheirFiles) {
  use({{"TT_METAL_PROFILER_SYNC", "1"}}, {{}, {}});
  const auto mesh = distributed::MeshDevice::create({1, 2});
  run(mesh->get_devices()[1], 2);
  Program hung = program("void kernel_main() { while (true) {} }", CoreCoord{0, 0}, true, false);
  EnqueueProgram(mesh->get_devices()[0]->command_queue(), hung, false);
  EXPECT_THROW(mesh->close(), std::runtime_error);
  EXPECT_EQ(starts_of(log_rows(), "work"), 2u * 5);
  EXPECT_TRUE(has_file("device_0_hung.json"));
  // It does not answer when the clocks are to be compared either; what is known of it is written.
  ::testing::internal::CaptureStderr();
  mesh->close();
  EXPECT_THAT(::testing::internal::GetCapturedStderr(),
              HasSubstr("device 0: no clock synchronisation before it is closed: "));
}

TEST_F(ProfilerLife, SeveralDevicesShareTheirFiles) {
  use({{"TT_METAL_PROFILER_CPP_POST_PROCESS", "1"}},
      {{}, {.arch = tt::ARCH::BLACKHOLE, .frequency_mhz = 1350}});
  const auto mesh = distributed::MeshDevice::create({1, 2});
  for (IDevice* device : mesh->get_devices()) run(device, 2);
  mesh->close();
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(count(rows, [](const LogRow& row) { return row.zone == "work" && row.type == "ZONE_START"; }),
            2u * 2 * 5);
  EXPECT_GT(count(rows, [](const LogRow& row) { return row.device == 1 && row.run_id == 1025; }), 0u);
  const Result<perf::Profile> profile = perf::load({folder.path()}, {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->report.rows.size(), 4u);
  // Figures of the runtime's report and those measured from the log are the same.
  for (std::size_t i = 0; i < perf::kPerfProblemCount; ++i) {
    const auto problem = static_cast<perf::PerfProblem>(i);
    if (problem == perf::PerfProblem::kHostFilesMissing || problem == perf::PerfProblem::kSimulatedChips)
      continue;
    EXPECT_EQ(profile->report.capture_problems.count(problem), 0u) << perf::info_of(problem).key;
  }
}

}  // namespace
}  // namespace ttscope::testing
