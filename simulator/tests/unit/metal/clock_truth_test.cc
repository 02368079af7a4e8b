// Clock synchronization against the clocks that the simulation has: frequency, every event, device to device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "perf/analyze/clock_sync.h"
#include "perf/read/side_files.h"
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
  /// A program between the two synchronizations; some time passes around it.
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
    perf::PerfProblems problems;
    const perf::SyncInfo info =
        perf::read_sync_info(file_content(log_path("sync_device_info.csv")), problems);
    const perf::DeviceClockLines lines = perf::clock_lines(info);
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
    check_shifts(info, chips);
  }

  /// What the rows of other devices say the root's clock showed, against what it did show.
  void check_shifts(const perf::SyncInfo& info, const std::vector<SimulatedChip>& chips) const {
    EXPECT_EQ(info.root, 0u);
    for (const LogRow& row : log_rows()) {
      const std::optional<perf::DeviceSyncRows::Shift>& shift = info.devices.at(row.device).to_root;
      ASSERT_EQ(shift.has_value(), row.device != 0);
      if (!shift) continue;
      const double root_cycles = static_cast<double>(row.time) * shift->scale + shift->shift;
      const double error = true_ns(chips[0], static_cast<std::uint64_t>(std::llround(root_cycles))) -
                           true_ns(chips[row.device], row.time);
      EXPECT_LE(std::abs(error), 1000) << "device " << row.device;
    }
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

/// A write of the host takes up to 2 us: it arrives up to 1 us before or after the middle.
TEST_F(ClockTruth, FourChipsThatDriftWithAMicrosecondOfJitterEitherWay) {
  const auto chip = [](tt::ARCH arch, double mhz, std::uint64_t offset, double drift) {
    return SimulatedChip{.arch = arch,
                         .frequency_mhz = mhz,
                         .clock_offset_cycles = offset,
                         .drift_ppm_per_second = drift,
                         .host_jitter_ns = 2000};
  };
  check({chip(tt::ARCH::WORMHOLE_B0, 1000.01, 5, 0.004),
         chip(tt::ARCH::WORMHOLE_B0, 999.98, 1ull << 33, -0.004),
         chip(tt::ARCH::BLACKHOLE, 1350.02, (1ull << 32) - 9'000'000, 0.002),
         chip(tt::ARCH::BLACKHOLE, 1349.9, 400'000'000'000, -0.002)});
}

/// Traces of transfers were told by the clocks as they were found when the device was opened.
TEST_F(ClockTruth, TracesOfTransfersAreToldByTheLastSynchronization) {
  const std::vector<SimulatedChip> chips = {{.frequency_mhz = 1000, .drift_ppm_per_second = 0.1},
                                            {.frequency_mhz = 1000, .drift_ppm_per_second = -0.1}};
  use({{"TT_METAL_PROFILER_SYNC", "1"}, {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS", "1"}}, chips);
  const auto mesh = distributed::MeshDevice::create({1, 2});
  Program one = program(
      "void kernel_main() { noc_async_write(0x40000, get_noc_addr_from_bank_id<true>(0, "
      "0x8000000), 32); noc_async_write_barrier(); }",
      CoreCoord{0, 0}, true, false);
  for (IDevice* device : mesh->get_devices()) EnqueueProgram(device->command_queue(), one, true);
  mesh->close();
  const auto start_of = [](const auto& rows, const auto& fits) {
    return *std::find_if(rows.begin(), rows.end(), fits);
  };
  const LogRow start = start_of(log_rows(), [](const LogRow& row) {
    return row.device == 1 && row.zone == "BRISC-KERNEL" && row.type == "ZONE_START";
  });
  const JsonTree events =
      parse_json_tree(file_content(log_path("noc_trace_dev1_ID1025.json")), "trace").value();
  const JsonTree event = start_of(events.items(), [](const JsonTree& one) {
    const JsonTree* zone = one.find("zone");
    return zone != nullptr && zone->content() == "BRISC-KERNEL" &&
           one.find("zone_phase")->content() == "ZONE_START";
  });
  const auto root_cycles = static_cast<std::uint64_t>(event.find("timestamp")->whole_number().value());
  EXPECT_NEAR(true_ns(chips[0], root_cycles), true_ns(chips[1], start.time), 1000);
  perf::PerfProblems problems;
  const perf::SyncInfo info = perf::read_sync_info(file_content(log_path("sync_device_info.csv")), problems);
  const perf::DeviceSyncRows::Shift last = info.devices.at(1).to_root.value();
  EXPECT_NEAR(static_cast<double>(root_cycles), static_cast<double>(start.time) * last.scale + last.shift, 2);
}

TEST_F(ClockTruth, AClockThatDrifts) {
  check({{.frequency_mhz = 1000, .drift_ppm_per_second = 0.1, .host_jitter_ns = 1000},
         {.frequency_mhz = 1000, .drift_ppm_per_second = -0.1, .host_jitter_ns = 1000}});
}

}  // namespace
}  // namespace ttscope::testing
