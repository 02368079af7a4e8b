// What tt-metal's own tests of the profiler expect, on simulated chips: how many markers are kept, and what
// is said of the others. The grid is small; counts are in proportion to it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chip/runtime/device.h"
#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;
using ::testing::HasSubstr;

constexpr std::size_t kCores = 4;
const CoreRange kGrid({0, 0}, {1, 1});
constexpr std::size_t kRiscs = 5;

class ProfilerCounts : public MetalCase {
 protected:
  static void run(IDevice* device, Program& program, std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) EnqueueProgram(device->command_queue(), program, false);
  }
};

constexpr const char* kEmpty = "void kernel_main() {}";

/// A loop of 50 nops, 2000 turns: between a fifth and ten times of two instructions more than that.
TEST_F(ProfilerCounts, CustomCycleCount) {
  use({});
  IDevice* device = CreateDevice(0);
  Program one = program(R"(
void kernel_main() {
  for (int i = 0; i < 2000; i++) {
    asm volatile(".rept 50\n nop\n .endr");
  }
})",
                        CoreCoord{0, 0});
  run(device, one, 1);
  CloseDevice(device);
  std::map<std::string, std::uint64_t> starts;
  std::size_t kernels = 0;
  for (const LogRow& row : log_rows()) {
    if (row.zone.find("-KERNEL") == std::string::npos) continue;
    if (row.type == "ZONE_START") starts[row.risc] = row.time;
    if (row.type != "ZONE_END") continue;
    ++kernels;
    EXPECT_GT(row.time - starts[row.risc], 52u * 2000 / 5);
    EXPECT_LT(row.time - starts[row.risc], 52u * 2000 * 10);
  }
  EXPECT_EQ(kernels, kRiscs);
}

TEST_F(ProfilerCounts, FullBuffer) {
  use({});
  IDevice* device = CreateDevice(0);
  Program full = program(R"(
void kernel_main() {
  for (int i = 0; i < 150; i++) {
    DeviceZoneScopedN("TEST-FULL");
  }
})",
                         kGrid);
  const CoreCoord channel = device->get_inactive_ethernet_cores().front();
  CreateKernel(full, kernel(R"(
void kernel_main() {
  for (int i = 0; i < 150; i++) {
    DeviceZoneScopedN("TEST-FULL");
  }
})"),
               channel, EthernetConfig{});
  ::testing::internal::CaptureStderr();
  run(device, full, 23);
  CloseDevice(device);
  const std::string said = ::testing::internal::GetCapturedStderr();
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "TEST-FULL") - starts_of(rows, "TEST-FULL", "ERISC"), kCores * 23 * kRiscs * 125);
  EXPECT_EQ(starts_of(rows, "TEST-FULL", "ERISC"), 23u * 125);
  EXPECT_EQ(said.find("dropped"), std::string::npos);
  EXPECT_THAT(said, HasSubstr("buffer in L1 was full"));  // which tt-metal does not say
}

/// The 24th launch has room for its guaranteed markers alone.
TEST_F(ProfilerCounts, TheLaunchAfterTheLastThatFitsIsDropped) {
  use({});
  IDevice* device = CreateDevice(0);
  Program full = program(R"(
void kernel_main() {
  for (int i = 0; i < 150; i++) {
    DeviceZoneScopedN("TEST-FULL");
  }
})",
                         CoreCoord{0, 0});
  ::testing::internal::CaptureStderr();
  run(device, full, 24);
  CloseDevice(device);
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "TEST-FULL"), 23 * kRiscs * 125);
  EXPECT_EQ(starts_of(rows, "BRISC-KERNEL"), 24u);
  EXPECT_THAT(
      ::testing::internal::GetCapturedStderr(),
      HasSubstr("Profiler DRAM buffers were full, markers were dropped! device 0, worker core 1, 1, Risc "
                "BRISC,  bufferEndIndex = 11788. Please either decrease the number of ops being profiled "
                "or run read device profiler more often"));
}

TEST_F(ProfilerCounts, TimestampedEvents) {
  use({});
  IDevice* device = CreateDevice(0);
  constexpr const char* kText = R"(
void kernel_main() {
  for (int i = 0; i < 150; i++) {
    DeviceZoneScopedN("TEST");
    DeviceTimestampedData("DATA", i + (uint64_t(i) << 32));
    DeviceRecordEvent(i);
  }
})";
  Program events = program(kText, kGrid);
  CreateKernel(events, kernel(kText), device->get_inactive_ethernet_cores().at(1), EthernetConfig{});
  run(device, events, 2);
  CloseDevice(device);
  const std::vector<LogRow> rows = log_rows();
  constexpr std::size_t kProcessors = kCores * kRiscs + 1;
  EXPECT_EQ(count(rows, [](const LogRow& row) { return row.type == "TS_DATA" || row.type == "TS_EVENT"; }),
            kProcessors * 2 * 100);
  EXPECT_EQ(
      count(rows, [](const LogRow& row) { return row.type == "TS_DATA" && row.data == (49 | 49ull << 32); }),
      kProcessors * 2);
  EXPECT_EQ(starts_of(rows, "TEST"), kProcessors * 2 * 50);
}

TEST_F(ProfilerCounts, MultiOp) {
  use({{"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "1200"}});
  IDevice* device = CreateDevice(0);
  Program empty = program(kEmpty, kGrid);
  for (int read = 0; read < 2; ++read) {
    run(device, empty, 1000);
    ReadDeviceProfiler(device);
  }
  CloseDevice(device);
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "BRISC-KERNEL"), kCores * 1000 * 2);
  EXPECT_EQ(starts_of(rows, "TRISC-KERNEL", "TRISC_2"), kCores * 1000 * 2);
}

TEST_F(ProfilerCounts, MultiOpBufferOverflow) {
  use({{"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "1000"}});
  IDevice* device = CreateDevice(0);
  Program with_compute = program(kEmpty, kGrid);
  Program movers_alone = program(kEmpty, kGrid, true, false);
  ::testing::internal::CaptureStderr();
  for (int i = 0; i < 1400; ++i) run(device, i % 5 == 0 ? with_compute : movers_alone, 1);
  CloseDevice(device);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("Profiler DRAM buffers were full"));
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "BRISC-KERNEL"), kCores * 1000);
  EXPECT_EQ(starts_of(rows, "NCRISC-KERNEL"), kCores * 1000);
  for (const char* risc : {"TRISC_0", "TRISC_1", "TRISC_2"})
    EXPECT_EQ(starts_of(rows, "TRISC-KERNEL", risc), kCores * 200) << risc;
}

TEST_F(ProfilerCounts, OpSupportCount) {
  for (const auto& [asked, kept] : std::vector<std::pair<std::size_t, std::size_t>>{
           {10, 43}, {100, 100}, {1000, 1000}, {5000, 5000}, {10000, 10000}}) {
    ::testing::internal::CaptureStderr();
    use({{"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", std::to_string(asked)},
         {"TT_METAL_PROFILER_DIR", folder.path(std::to_string(asked))}});
    IDevice* device = CreateDevice(0);
    Program empty = program(kEmpty, CoreCoord{0, 0}, true, false);
    run(device, empty, kept + 5);
    CloseDevice(device);
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(said.find("Increasing program support count from 10 to 43.") != std::string::npos, asked == 10);
    EXPECT_THAT(said, HasSubstr("markers were dropped"));
    const std::string log =
        file_content(folder.path(std::to_string(asked) + "/.logs/profile_log_device.csv"));
    std::size_t found = 0;
    for (std::size_t at = log.find(",BRISC-KERNEL,ZONE_START"); at != std::string::npos;
         at = log.find(",BRISC-KERNEL,ZONE_START", at + 1))
      ++found;
    EXPECT_EQ(found, kept);
  }
}

/// With sums a program has room for two more markers; processors without sums keep more programs.
TEST_F(ProfilerCounts, SumsShareTheirRoom) {
  use({{"TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT", "200"}, {"TT_METAL_PROFILER_SUM", "1"}});
  IDevice* device = CreateDevice(0);
  Program sums = program("void kernel_main() {}", CoreCoord{0, 0}, true, false);
  CreateKernel(sums, kernel(R"(
void kernel_main() {
  { DeviceZoneScopedSumN1("CB-COMPUTE-WAIT-FRONT"); asm volatile("nop"); }
  { DeviceZoneScopedSumN2("CB-COMPUTE-RESERVE-BACK"); asm volatile("nop"); }
})"),
               CoreCoord{0, 0}, ComputeConfig{});
  ::testing::internal::CaptureStderr();
  run(device, sums, 300);
  CloseDevice(device);
  ::testing::internal::GetCapturedStderr();
  const std::vector<LogRow> rows = log_rows();
  EXPECT_EQ(starts_of(rows, "BRISC-KERNEL"), 266u);
  EXPECT_EQ(starts_of(rows, "TRISC-KERNEL", "TRISC_0"), 200u);
  for (const char* zone : {"CB-COMPUTE-WAIT-FRONT", "CB-COMPUTE-RESERVE-BACK"}) {
    EXPECT_EQ(count(rows,
                    [&](const LogRow& row) {
                      return row.zone == zone && row.type == "ZONE_TOTAL" && row.data > 0;
                    }),
              3 * 200u);
  }
}

/// All three cores of a compute kernel took and gave pages, and nothing told how long they waited.
TEST_F(ProfilerCounts, ComputeKernelsWaitForPagesOnTheCoresThatMoveThem) {
  use({{"TT_METAL_PROFILER_SUM", "1"}});
  IDevice* device = CreateDevice(0);
  const CoreCoord core = {0, 0};
  Program pipe = CreateProgram();
  for (const std::uint32_t index : {0u, 1u})
    CreateCircularBuffer(pipe, core, {.index = index, .total_bytes = 2 * 64, .page_bytes = 64});
  const auto mover = [](DataMovementProcessor processor) {
    return DataMovementConfig{.processor = processor, .compile_args = {}, .defines = {}};
  };
  CreateKernel(pipe, kernel(R"(void kernel_main() {
  for (int i = 0; i < 9; i++) { cb_reserve_back(0, 1); cb_push_back(0, 1); }
})"),
               core, mover(DataMovementProcessor::RISCV_0));
  CreateKernel(pipe, kernel(R"(void kernel_main() {
  for (int i = 0; i < 9; i++) {
    cb_wait_front(0, 1); cb_reserve_back(1, 1); cb_push_back(1, 1); cb_pop_front(0, 1);
  }
})"),
               core, ComputeConfig{});
  CreateKernel(pipe, kernel(R"(void kernel_main() {
  for (int i = 0; i < 9; i++) {
    cb_wait_front(1, 1);
    for (volatile int k = 0; k < 20; k = k + 1) {}
    cb_pop_front(1, 1);
  }
  const volatile auto& in = ttscope_device::circular_buffer(0);
  DeviceTimestampedData("pages", uint64_t(ttscope_device::circular_buffer(1).received) << 32 | in.acked);
})"),
               core, mover(DataMovementProcessor::RISCV_1));
  run(device, pipe, 1);
  CloseDevice(device);
  std::vector<std::pair<std::string, std::string>> sums;
  for (const LogRow& row : log_rows()) {
    if (row.type == "ZONE_TOTAL" && row.data > 0) sums.emplace_back(row.zone, row.risc);
    if (row.zone == "pages") {
      EXPECT_EQ(row.data, std::uint64_t{9} << 32 | 9);
    }
  }
  EXPECT_THAT(sums, ::testing::UnorderedElementsAre(std::pair("CB-COMPUTE-WAIT-FRONT", "TRISC_0"),
                                                    std::pair("CB-COMPUTE-RESERVE-BACK", "TRISC_2")));
}

}  // namespace
}  // namespace ttscope::testing
