// Clock synchronisation against the clocks that the simulation has: frequency, every event, device to device.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "perf/analyse/sync/clock_lines.h"
#include "perf/read/host_logs/sync_info.h"
#include "support/metal_case.h"

namespace ttscope::testing {
namespace {

using namespace tt::tt_metal;

/// When a chip's clock shows so many cycles, in ns of the simulation.
double true_ns(const SimulatedChip& chip, std::uint64_t cycles) {
  const auto ticks = static_cast<double>(cycles - chip.clock_offset_cycles);
  const double per_ns = chip.frequency_mhz / 1000;
  double ns = ticks / per_ns;
  for (int i = 0; i < 20; ++i) {  // the drift is small: a few turns are exact
    const double drift = chip.drift_ppm_per_second * 1e-6 * ns * 1e-9 / 2;
    ns = ticks / (per_ns * (1 + drift));
  }
  return ns;
}

class ClockTruth : public MetalCase {
 protected:
  /// A program between the two synchronisations; some time passes around it.
  static void run_between(IDevice* device, std::uint32_t host_jitter_free_pause) {
    Program one = program(R"(
void kernel_main() {
  for (int i = 0; i < 20; i++) {
    DeviceZoneScopedN("work");
    for (volatile int k = 0; k < 50; k = k + 1) {}
  }
})",
                          CoreCoord{0, 0});
    for (std::uint32_t i = 0; i < host_jitter_free_pause; ++i)
      EnqueueProgram(device->command_queue(), one, true);
  }

  void check(const std::vector<SimulatedChip>& chips) {
    use({{"TT_METAL_PROFILER_SYNC", "1"}}, chips);
    const auto mesh = distributed::MeshDevice::create({1, static_cast<std::uint32_t>(chips.size())});
    for (IDevice* device : mesh->get_devices()) run_between(device, 5);
    mesh->close();
    const perf::DeviceClockLines lines =
        perf::clock_lines(perf::read_sync_info(file_content(log_path("sync_device_info.csv"))));
    ASSERT_EQ(lines.size(), chips.size());
    for (const auto& [number, line] : lines) {
      const double mhz = line.cycles_per_ns * 1000;
      // Over the sampled span the frequency is that of its middle.
      const double middle_s = line.ns * 1e-9;
      const double truth =
          chips[number].frequency_mhz * (1 + chips[number].drift_ppm_per_second * 1e-6 * middle_s);
      EXPECT_NEAR(mhz / truth, 1, 1e-6) << "device " << number;
    }
    std::size_t events = 0;
    double least = 1e9;
    double most = -1e9;
    for (const LogRow& row : log_rows()) {
      const double error =
          lines.at(row.device).ns_at(static_cast<double>(row.time)) - true_ns(chips[row.device], row.time);
      EXPECT_LE(std::abs(error), 1000) << "device " << row.device;
      least = std::min(least, error);
      most = std::max(most, error);
      ++events;
    }
    EXPECT_LE(most - least, 1000) << "device to device";
    EXPECT_GE(events, chips.size() * 5 * 40);
  }
};

TEST_F(ClockTruth, OneChip) { check({{}}); }

TEST_F(ClockTruth, ChipsOfDifferentFrequencyAndOffsetWithJitter) {
  check({{.arch = tt::ARCH::WORMHOLE_B0,
          .frequency_mhz = 1000.02,
          .clock_offset_cycles = 123'456'789,
          .host_jitter_ns = 1000},
         {.arch = tt::ARCH::BLACKHOLE,
          .frequency_mhz = 1349.97,
          .clock_offset_cycles = 77,
          .host_jitter_ns = 1000},
         {.arch = tt::ARCH::WORMHOLE_B0,
          .frequency_mhz = 999.5,
          .clock_offset_cycles = (1ull << 32) - 5'000'000,
          .host_jitter_ns = 1000}});
}

TEST_F(ClockTruth, AClockThatDrifts) {
  check({{.frequency_mhz = 1000, .drift_ppm_per_second = 0.1, .host_jitter_ns = 1000},
         {.frequency_mhz = 1000, .drift_ppm_per_second = -0.1, .host_jitter_ns = 1000}});
}

}  // namespace
}  // namespace ttscope::testing
