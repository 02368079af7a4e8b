// How simulated chips, whose exchanges are with a simulated host, are said to lie beside each other and
// beside the host of the zones.
#include "app/timeline/device_tracks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "timeline/write/outputs.h"

namespace ttscope::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using timeline::AlignmentBasis;

/// Devices with an op each, on one clock by exchanges of which `beside_host` says whose they are.
perf::Profile synchronized_chips(std::uint32_t devices) {
  perf::Profile run;
  run.captures.resize(1);
  run.analysis.ops.clock.basis = perf::ClockBasis::kSync;
  for (std::uint32_t device = 0; device < devices; ++device) {
    perf::OpRow row;
    row.device = static_cast<std::int32_t>(device);
    row.call_count = 1024 + device;
    row.fw_start_cycle = 1000 * (device + 1);
    row.fw_end_cycle = row.fw_start_cycle + 500;
    run.report.rows.push_back(row);
    perf::DeviceLane lane;
    lane.device = row.device;
    lane.cycles_per_ns = 1;
    lane.ops.push_back({device, kNone, 100.0 * device, 100.0 * device + 500, false});
    run.analysis.ops.clock.lanes.push_back(lane);
    perf::DeviceClockLine line;
    line.samples = 249;
    line.worst_ns = 3;
    line.is_on_host_axis = false;
    run.captures.front().sync[device] = line;
  }
  return run;
}

std::vector<HostClock> host_that_sent(HostStarts starts) {
  HostClock host;
  host.starts = std::move(starts);
  host.has_content = true;
  return {host};
}

constexpr const char* kPeers =
    "to the other devices by exchanges with a simulated host (249 exchanges, all within 3 ns)";

TEST(DeviceClocks, ChipsWithoutOpsOfTheHostWereSaidToShareNothing) {
  std::vector<HostClock> hosts = host_that_sent({});
  for (const auto& [device, clock] : device_clocks(synchronized_chips(2), hosts)) {
    EXPECT_EQ(clock.alignment.basis, AlignmentBasis::kSync);
    EXPECT_EQ(clock.alignment.samples, 249u);
    EXPECT_EQ(clock.alignment.worst_ns, 3);
    EXPECT_THAT(alignment_text(clock.alignment),
                AllOf(HasSubstr(kPeers), HasSubstr("how far from the host of the zones is not known"),
                      Not(HasSubstr("nothing is shared"))));
  }
}

TEST(DeviceClocks, AChipWithoutOpsOfTheHostBesideOneThatHasSomeWasSaidToShareNothing) {
  std::vector<HostClock> hosts = host_that_sent({{1024, 5'000}});
  auto clocks = device_clocks(synchronized_chips(2), hosts);
  EXPECT_EQ(clocks[0].alignment.basis, AlignmentBasis::kHostOps);
  EXPECT_EQ(clocks[0].alignment.samples, 1u);
  EXPECT_THAT(alignment_text(clocks[0].alignment),
              AllOf(HasSubstr("no op begins before it was sent"), HasSubstr("(1 shared op)"),
                    HasSubstr("; to the other devices by exchanges (249 exchanges, all within 3 ns)")));
  EXPECT_EQ(clocks[1].alignment.basis, AlignmentBasis::kSync);
  EXPECT_THAT(alignment_text(clocks[1].alignment),
              AllOf(HasSubstr(kPeers), HasSubstr("; to the host of the zones by their ops")));
  EXPECT_EQ(clocks[0].ns_at(1000), 5'000);
  EXPECT_EQ(clocks[1].ns_at(2000), 5'100) << "as far from the other as exchanges say";
}

TEST(DeviceClocks, AChipAloneHasNoOthers) {
  std::vector<HostClock> hosts = host_that_sent({{1024, 5'000}});
  EXPECT_THAT(alignment_text(device_clocks(synchronized_chips(1), hosts)[0].alignment),
              Not(HasSubstr("other devices")));
}

}  // namespace
}  // namespace ttscope::app
