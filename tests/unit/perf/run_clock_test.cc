// Wall, busy and idle time of several devices, their order and the path that decides.
#include <gtest/gtest.h>

#include <cstdint>

#include "perf/analyze/critical_path.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::OpsCsv;
using testing::reading_of;
using testing::SlowDeviceRun;

TEST(RunClock, WaitingIsCountedOnceAndPartsAddUpToTheWall) {
  const SlowDeviceRun run(6, 9);
  for (const bool in_blocks : {false, true}) {
    const OpsReport table = run.table(in_blocks);
    const OpAnalysis analysis = reading_of(table);
    const ShownOps& ops = analysis.ops;
    ASSERT_EQ(ops.clock.lanes.size(), 4u);
    for (const DeviceLane& lane : ops.clock.lanes) {
      EXPECT_NEAR(lane.wall_ns / 1000, run.wall_us(), 0.01);
      EXPECT_NEAR(lane.idle_ns() / 1000, 6 * 3 - 1, 0.01);
      EXPECT_DOUBLE_EQ(lane.busy_ns + lane.idle_ns(), lane.wall_ns);
    }
    EXPECT_NEAR(ops.device_us, 6 * (20 + 90 + 5), 0.01) << "the sum of the table";
    double percent = 0;
    for (const ShownOp& row : ops.rows) percent += row.total_percent;
    EXPECT_NEAR(percent, 100, 1e-6);
    double path_us = 0;
    for (const PathPart& part : ops.path.parts) path_us += part.us;
    EXPECT_NEAR(path_us, ops.path.wall_us, 1e-6);
    EXPECT_NEAR(RunGraph(ops.clock).replay_ns({}), ops.path.wall_us * 1000, 1e-3);
  }
}

TEST(RunClock, OpsAreInTheOrderInWhichTheyRanAndGapsBeforeTheWindowAreNone) {
  const OpsReport table = SlowDeviceRun(3, 2).table(true);
  const OpAnalysis analysis = reading_of(table);
  ASSERT_EQ(analysis.ops.rows.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    const char* names[] = {"Matmul", "Softmax", "AllBroadcast"};
    EXPECT_EQ(table.text(table.kind_of(table.rows[analysis.ops.rows[i].row]).op_code), names[i % 3]);
    EXPECT_EQ(has_number(analysis.ops.rows[i].gap_us), i > 0);
  }
  EXPECT_NEAR(analysis.ops.gap_us, 8, 1e-9) << "90 ms before the first op of each device are no gap";
}

TEST(RunClock, CyclesThatNoTimerHasAreNoTimes) {
  OpsCsv csv;
  csv.op("Unary").op("Unary", {{"DEVICE FW START CYCLE", "1e300"}, {"DEVICE FW END CYCLE", "1e301"}});
  csv.op("Unary", {{"METAL TRACE ID", "1e30"}, {"METAL TRACE REPLAY SESSION ID", "3e38"}});
  csv.op("Unary", {{"DEVICE FW START CYCLE", "-5"}, {"DEVICE FW END CYCLE", "7"}});
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.ops.clock.lanes.size(), 1u);
  EXPECT_EQ(analysis.ops.clock.lanes[0].ops.size(), 2u);
  EXPECT_EQ(analysis.ops.clock.without_times, 2u);
}

TEST(RunClock, ATimerThatBeginsAgainGoesOn) {
  // The second op ends behind the 44 bits of the timer, the third starts there.
  constexpr std::uint64_t kSpan = std::uint64_t{1} << 44;
  OpsCsv csv;
  std::uint64_t at = kSpan - 20'000;
  for (int i = 0; i < 4; ++i) {
    csv.op("Unary", {{"DEVICE FW START CYCLE", std::to_string(at % kSpan)},
                     {"DEVICE FW END CYCLE", std::to_string((at + 13'500) % kSpan)}});
    at += 14'850;
  }
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.ops.clock.lanes.size(), 1u);
  const DeviceLane& lane = analysis.ops.clock.lanes[0];
  EXPECT_EQ(lane.ops.size(), 4u);
  EXPECT_NEAR(lane.wall_ns / 1000, 4 * 10 + 3, 0.01);
  EXPECT_NEAR(lane.busy_ns / 1000, 40, 0.01);
}

TEST(CriticalPath, GoesThroughTheDeviceThatAllWaitFor) {
  const OpsReport table = SlowDeviceRun(4, 9).table(false);
  const OpAnalysis analysis = reading_of(table);
  double slow_us = 0;
  double collective_us = 0;
  for (const PathPart& part : analysis.ops.path.parts) {
    const std::string_view name = table.text(table.kind_of(table.rows[part.row]).op_code);
    if (name == "Softmax" && part.kind == PathPartKind::kOp) {
      EXPECT_EQ(part.device, 2);
      slow_us += part.us;
    }
    if (part.kind == PathPartKind::kCollective) collective_us += part.us;
  }
  EXPECT_NEAR(slow_us, 4 * 90, 0.01);
  EXPECT_NEAR(collective_us, 4 * 5, 0.01) << "without what devices wait in it";
}

}  // namespace
}  // namespace ttscope::perf
