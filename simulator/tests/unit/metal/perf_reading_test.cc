// `ttscope perf` on what simulated chips leave: devices on one clock, accumulated markers, figures of the
// runtime.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "perf/load.h"
#include "perf/write/advice_text.h"
#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;

constexpr const char* kWork = R"(
void kernel_main() {
  DeviceZoneScopedN("work");
  for (volatile int i = 0; i < 200; i = i + 1) {}
})";

class PerfReading : public MetalCase {
 protected:
  /// Runs one program on each device, one after the other, and reads what was left.
  perf::Profile run_and_load(const Environment& environment, const std::vector<SimulatedChip>& chips) {
    use(environment, chips);
    const auto mesh = distributed::MeshDevice::create({1, static_cast<std::uint32_t>(chips.size())});
    std::uint64_t id = 1;
    for (IDevice* device : mesh->get_devices()) {
      Program one = program(kWork, CoreCoord{0, 0});
      one.set_runtime_id(id++);
      EnqueueProgram(device->command_queue(), one, true);
    }
    mesh->close();
    return value_of(perf::load({folder.path()}, {}));
  }
};

const std::vector<SimulatedChip> kTwo = {{.frequency_mhz = 1000, .clock_offset_cycles = 5'000'000},
                                         {.frequency_mhz = 1200, .clock_offset_cycles = 900'000'000'000}};

TEST_F(PerfReading, SynchronizedDevicesAreOnOneClock) {
  const perf::Profile profile = run_and_load({{"TT_METAL_PROFILER_SYNC", "1"}}, kTwo);
  const perf::RunClock& clock = profile.analysis.ops.clock;
  EXPECT_EQ(clock.basis, perf::ClockBasis::kSync);
  ASSERT_EQ(clock.lanes.size(), 2u);
  // The second device ran when the first had ended; their clocks alone would tell otherwise.
  EXPECT_GE(clock.lanes[1].ops.front().start_ns, clock.lanes[0].ops.front().end_ns - 1000);
  EXPECT_LT(clock.lanes[1].ops.front().start_ns, 100'000'000);
  EXPECT_NEAR(clock.lanes[1].cycles_per_ns, 1.2, 1e-5);
}

TEST_F(PerfReading, WithoutSynchronizationTheReportSaysThatDevicesAreNotAligned) {
  const perf::Profile profile = run_and_load({}, kTwo);
  EXPECT_EQ(profile.analysis.ops.clock.basis, perf::ClockBasis::kNone);
  const std::vector<std::string> lines = perf::time_lines(profile.report, profile.analysis);
  EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
    return line.find("The devices are not aligned") != std::string::npos;
  }));
}

/// Nothing is sent after each launch: what is left in L1 is read too, and no program is known.
TEST_F(PerfReading, AccumulatedMarkersAreAllRead) {
  use({{"TT_METAL_PROFILER_ACCUMULATE", "1"}, {"TT_METAL_PROFILER_CPP_POST_PROCESS", "1"}});
  IDevice* device = CreateDevice(0);
  Program one = program(kWork, CoreCoord{0, 0});
  constexpr std::size_t kPrograms = 101;
  for (std::size_t i = 0; i < kPrograms; ++i) EnqueueProgram(device->command_queue(), one, false);
  CloseDevice(device);
  const std::vector<LogRow> rows = log_rows();
  for (const char* risc : {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2"})
    EXPECT_EQ(starts_of(rows, "work", risc), kPrograms) << risc;
  EXPECT_GT(starts_of(rows, "PROFILER-DRAM-PUSH"), 0u);
  EXPECT_FALSE(has_file("cpp_device_perf_report.csv"));
  const Result<perf::Profile> profile = perf::load({folder.path()}, {});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_TRUE(profile->zones_only);
}

}  // namespace
}  // namespace ttscope::testing
