#include "perf/analyze/clock_sync.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/writer.h"
#include "perf/read/side_files.h"
#include "perf/write/capture_files.h"

namespace ttscope::perf {
namespace {

constexpr double kMicrosecond = 1000;

/// A device clock with an offset and a frequency that is not quite what it should be.
struct TrueClock {
  double cycles_per_ns;
  double cycles_at_zero;
  double at(double ns) const { return cycles_at_zero + cycles_per_ns * ns; }
};

/// 249 exchanges, 10 ms apart, as a host would see them; each is seen up to a microsecond early or late.
std::vector<SyncExchange> exchanges_of(const TrueClock& clock, double ns_per_tick, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> jitter(-kMicrosecond, kMicrosecond);
  std::vector<SyncExchange> exchanges;
  for (int i = 0; i < 249; ++i) {
    const double ns = 10e6 * (i + 1);
    const auto host = static_cast<std::uint64_t>(ns / ns_per_tick);
    const auto device = static_cast<std::uint64_t>(clock.at(ns + jitter(random)));
    exchanges.push_back({static_cast<std::uint32_t>(device), static_cast<std::uint32_t>(host), 0});
  }
  return exchanges;
}

TEST(ClockSync, FrequencyIsWithinAMillionthAndEventsWithinAMicrosecond) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    // Both low words begin again from zero in these 2.5 s.
    const TrueClock clock = {1.0 + 1e-4 * (static_cast<double>(seed) - 10), 11.0 * 4294967296.0 + 4.2e9};
    constexpr double kNsPerTick = 0.4;
    const std::vector<SyncExchange> exchanges = exchanges_of(clock, kNsPerTick, seed);
    const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(clock.at(10e6)) >> 32);
    const auto sync = sync_host_device(unwrap_samples(exchanges, high), kNsPerTick);
    ASSERT_TRUE(sync);
    EXPECT_NEAR(sync->cycles_per_ns / clock.cycles_per_ns, 1, 1e-6) << seed;
    for (double ns = 10e6; ns <= 2490e6; ns += 37e6) {
      EXPECT_NEAR(sync->host_ns_at(static_cast<std::uint64_t>(clock.at(ns))), ns, kMicrosecond) << seed;
    }
  }
}

TEST(ClockSync, TheTimeOfTheWriteIsAdded) {
  const std::vector<SyncSample> samples = unwrap_samples({{100, 10, 5}, {200, 20, 5}}, 0x1001);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].host_ticks, 15u);
  EXPECT_EQ(samples[0].device_cycles, (std::uint64_t{1} << 32) + 100) << "twelve bits of the high word count";
  EXPECT_EQ(samples[1].device_cycles, (std::uint64_t{1} << 32) + 200);
}

TEST(ClockSync, DevicesAreBroughtTogetherThroughTheHost) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> jitter(0, 1000);
  const TrueClock root = {1.0, 5e9};
  const TrueClock other = {1.34996, 9e12};
  const auto line_of = [&](const TrueClock& clock) {
    std::vector<std::pair<double, double>> points;
    for (int i = 0; i < 249; ++i) points.emplace_back(1e7 * i + jitter(random), clock.at(1e7 * i + 500));
    return *fit_line(points);
  };
  const DeviceShift shift = shift_between(line_of(other), line_of(root));
  EXPECT_NEAR(shift.scale, 1 / 1.34996, 1e-6);
  for (double ns = 0; ns <= 2.5e9; ns += 1e8) EXPECT_NEAR(shift.at(other.at(ns)), root.at(ns), kMicrosecond);
}

TEST(ClockSync, SamplesThatTellNothingGiveNothing) {
  EXPECT_FALSE(sync_host_device({}, 1));
  EXPECT_FALSE(sync_host_device({{5, 5}, {5, 9}}, 1));
  EXPECT_FALSE(sync_host_device({{5, 9}, {6, 5}}, 1)) << "a clock that runs backwards";
}

TEST(SyncCsv, IsReadBack) {
  const auto sync = sync_host_device({{0, 100}, {1000, 1300}, {2000, 2500}}, 1);
  ASSERT_TRUE(sync);
  StringWriter out;
  write_sync_header(out);
  write_sync_rows({3, 1, 2, 77, 88}, *sync, {4, 5, 6}, out);
  write_sync_shift(4, {0.5, -10}, out);
  ASSERT_TRUE(out.finish());
  PerfProblems problems;
  const DeviceClockLines lines = clock_lines(read_sync_info(out.text(), problems));
  ASSERT_TRUE(lines.contains(3));
  EXPECT_NEAR(lines.at(3).cycles_per_ns, 1.2, 1e-9);
  EXPECT_NEAR(lines.at(3).ns_at(1300), 77 - 88 + 1000, 1e-6) << "since the base time, as the host's zones";
  ASSERT_TRUE(lines.contains(4));
  EXPECT_NEAR(lines.at(4).cycles_per_ns, 2.4, 1e-9) << "half a cycle of the root for each of its own";
  EXPECT_NEAR(lines.at(4).ns_at(2620), 77 - 88 + 1000, 1e-6) << "2620 * 0.5 - 10 cycles of the root";
}

}  // namespace
}  // namespace ttscope::perf
