#include "perf/read/device_log.h"

#include <gtest/gtest.h>

#include "perf/read/log_rows.h"
#include "support/perf_lines.h"

namespace ttscope::perf {
namespace {

using testing::kLogHead;
using testing::risc_lines;
using testing::zone_lines;

DeviceProfile read(const std::string& rows, DeviceLogOptions options = {}) {
  Result<DeviceProfile> log = read_device_log(kLogHead + rows, options);
  EXPECT_TRUE(log) << log.error().message;
  return log ? std::move(*log) : DeviceProfile();
}

TEST(DeviceLogHeader, KnowsAllVersionsOfTheFirstLine) {
  DeviceLogHeader header;
  ASSERT_TRUE(read_device_log_header(kLogHead, header));
  EXPECT_EQ(header.arch, "wormhole_b0");
  EXPECT_EQ(header.clock_mhz, 1000);
  EXPECT_EQ(header.max_compute_cores, 64);
  EXPECT_TRUE(header.current_columns);
  ASSERT_TRUE(
      read_device_log_header("ARCH: blackhole, CHIP_FREQ[MHz]: 1350\r\nPCIe slot, core_x\r\n", header));
  EXPECT_EQ(header.clock_mhz, 1350);
  EXPECT_EQ(header.max_compute_cores, kNoFigure);
  EXPECT_FALSE(header.current_columns);
  ASSERT_TRUE(read_device_log_header("Chip clock is at 1200 MHz\n", header));
  EXPECT_EQ(header.arch, "grayskull");
  EXPECT_FALSE(read_device_log_header("OP CODE,x\n", header));
  EXPECT_FALSE(read_device_log_header("", header));
}

TEST(DeviceLog, CollectsTheRunsOfAnExecution) {
  const DeviceProfile log = read(risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                                 risc_lines("0,1,1", "TRISC_0", "1024,,", 1010, 2010) +
                                 risc_lines("0,1,2", "BRISC", "1024,,", 900, 1900));
  ASSERT_EQ(log.executions.size(), 1u);
  ASSERT_EQ(log.runs.size(), 2u);
  EXPECT_EQ(log.runs[0].fw.start, 1000u);
  EXPECT_EQ(log.runs[0].fw.end, 2010u);
  EXPECT_EQ(log.runs[0].kernels().start, 1100u);
  EXPECT_EQ(log.runs[0].kernels().end, 1960u);
  EXPECT_EQ(log.runs[1].y, 2);
  EXPECT_EQ(log.executions[0].first_cycle, 900u);
  EXPECT_EQ(log.rows, 12u);
}

TEST(DeviceLog, ReplaysWithoutNumbersAreToldApartByTheirFirmware) {
  std::string rows;
  for (const char* core : {"0,1,1", "0,1,2"}) {
    for (const char* risc : {"BRISC", "NCRISC"}) {
      for (std::uint64_t n = 0; n < 3; ++n)
        rows += risc_lines(core, risc, "1024,,", 1000 + n * 5000, 2000 + n * 5000);
    }
  }
  const DeviceProfile log = read(rows);
  ASSERT_EQ(log.executions.size(), 3u);
  for (std::uint32_t n = 0; n < 3; ++n) {
    EXPECT_EQ(log.executions[n].occurrence, n);
    EXPECT_EQ(log.executions[n].run_count, 2u);
    EXPECT_EQ(log.executions[n].first_cycle, 1000u + n * 5000);
  }
}

TEST(DeviceLog, NumberedReplaysAreDifferentExecutions) {
  const DeviceProfile log = read(risc_lines("0,1,1", "BRISC", "1024,7,1", 1000, 2000) +
                                 risc_lines("0,1,1", "BRISC", "1024,7,2", 3000, 4000));
  ASSERT_EQ(log.executions.size(), 2u);
  EXPECT_EQ(log.executions[1].key.trace, 7);
  EXPECT_EQ(log.executions[1].key.replay, 2);
  EXPECT_EQ(log.executions[1].occurrence, 0u);
}

TEST(DeviceLog, AMissingMarkerDamagesItsCoreOnly) {
  const DeviceProfile log =
      read(risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
           testing::marker_line({"0,1,2,BRISC", "1024,,", "BRISC-FW", 1000, 0, ""}, true));
  ASSERT_EQ(log.runs.size(), 2u);
  EXPECT_FALSE(log.runs[0].damaged);
  EXPECT_TRUE(log.runs[1].damaged);
  EXPECT_EQ(log.problems.count(PerfProblem::kMarkerUnmatched), 1u);
}

TEST(DeviceLog, TimesPassTheEndOfTheTimer) {
  const std::uint64_t end = std::uint64_t{1} << 44;
  const std::string rows = zone_lines({"0,1,1,BRISC", "1024,,", "BRISC-FW", end - 500, end - 100, ""}) +
                           zone_lines({"0,1,1,BRISC", "2048,,", "BRISC-FW", end - 50, 70, ""}) +
                           zone_lines({"0,1,1,BRISC", "3072,,", "BRISC-FW", 100, 200, ""});
  const DeviceProfile log = read(rows);
  ASSERT_EQ(log.executions.size(), 3u);
  EXPECT_EQ(log.executions[0].key.op_id, 1024u);
  EXPECT_EQ(log.runs[1].fw.cycles(), 120);
  EXPECT_EQ(log.runs[2].fw.start, end + 100);
  EXPECT_EQ(log.problems.count(PerfProblem::kTimestampWrapped), 1u);
  const DeviceProfile as_recorded = read(rows, {.unwrap = false});
  EXPECT_EQ(as_recorded.executions[2].key.op_id, 1024u);
  EXPECT_EQ(as_recorded.problems.count(PerfProblem::kTimestampWrapped), 0u);
}

TEST(DeviceLog, TimesBeyondTheTimerAreTakenAsTheyAre) {
  const std::uint64_t wide = std::uint64_t{1} << 50;
  const DeviceProfile log = read(zone_lines({"0,1,1,BRISC", "1024,,", "BRISC-FW", wide, wide + 10, ""}) +
                                 zone_lines({"0,1,1,BRISC", "2048,,", "BRISC-FW", 5, 10, ""}));
  EXPECT_EQ(log.runs[1].fw.start, wide);
  EXPECT_EQ(log.problems.count(PerfProblem::kTimestampWrapped), 0u);
}

TEST(DeviceLog, ZonesOfTheUserAreNoKernels) {
  const std::string rows = risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                           zone_lines({"0,1,1,BRISC", "1024,,", "MY-KERNEL-LOOP", 500, 9000, ""}) +
                           zone_lines({"0,1,1,BRISC", "1024,,", "X-KERNEL", 500, 9000, ""});
  EXPECT_EQ(read(rows).runs[0].kernels().cycles(), 850);
  EXPECT_EQ(read(rows, {.substrings = true}).runs[0].kernels().cycles(), 8500);
}

TEST(DeviceLog, RowsThatCannotBeReadAreCountedWithTheirLines) {
  const DeviceProfile log = read("0,1,1,BRISC,7\n" + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                                 "0,1,x,BRISC,7,1,0,1024,,,BRISC-FW,ZONE_START,1,k,\n" +
                                 "0,1,1,BRISC,7,99999999999999999999,0,1024,,,BRISC-FW,ZONE_START,1,k,\n");
  EXPECT_EQ(log.rows, 4u);
  EXPECT_EQ(log.problems.count(PerfProblem::kRowUnreadable), 3u);
  EXPECT_EQ(log.problems.places(PerfProblem::kRowUnreadable)[0], "profile_log_device.csv:3");
  EXPECT_EQ(log.problems.places(PerfProblem::kRowUnreadable)[1], "profile_log_device.csv:8");
}

TEST(DeviceLog, ARowThatFailsDoesNotSpoilTheNextOfItsProcessor) {
  const std::string good = risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000);
  const DeviceProfile log = read(good + "5,9,9,BRISC\n" + risc_lines("0,1,1", "BRISC", "2048,,", 3000, 4000));
  ASSERT_EQ(log.executions.size(), 2u);
  EXPECT_EQ(log.executions[1].key.device, 0u);
  EXPECT_EQ(log.runs[1].x, 1);
}

TEST(DeviceLog, OlderColumnsAreFoundByTheirNames) {
  const std::string text =
      "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n"
      "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], stat value, run "
      "ID, run host "
      "ID,  zone name, zone phase, source line, source file\n"
      "0,1,1,BRISC,1,1000,0,0,1024,BRISC-FW,begin,1,k.cc\n"
      "0,1,1,BRISC,1,2000,0,0,1024,BRISC-FW,end,1,k.cc\n";
  const auto log = read_device_log(text, {});
  ASSERT_TRUE(log);
  ASSERT_EQ(log->executions.size(), 1u);
  EXPECT_EQ(log->runs[0].fw.cycles(), 1000);
  EXPECT_EQ(log->problems.count(PerfProblem::kHeaderIncomplete), 1u);
}

TEST(DeviceLog, OtherTextsAreAnError) {
  EXPECT_FALSE(read_device_log("a,b\n1,2\n", {}));
  EXPECT_FALSE(read_device_log("", {}));
  EXPECT_FALSE(read_device_log("ARCH: x\na,b\n1,2\n", {}));
  EXPECT_TRUE(read_device_log("ARCH: x", {}));
}

TEST(DeviceLog, SubDevicesCountersAndSums) {
  const std::string meta = "{\"sub_device_id\":1;\"sub_device_manager_id\":7}";
  const DeviceProfile log = read(zone_lines({"0,1,1,BRISC", "1024,,", "BRISC-FW", 10, 20, meta}) +
                                 "0,1,1,TRISC_0,111,10,100,1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,19,l.h,\n"
                                 "0,1,1,BRISC,9090,9260,21474836481483,1024,,,,TS_DATA,0,,{\"counter "
                                 "type\":\"FPU_COUNTER\";\"ref cnt\":5000;"
                                 "\"value\":1483}\n");
  EXPECT_EQ(log.executions[0].figures[Figure::kSubDevice], 1);
  ASSERT_EQ(log.sums.size(), 1u);
  EXPECT_EQ(log.sums[0].cycles, 100u);
  ASSERT_EQ(log.counters.size(), 1u);
  EXPECT_EQ(log.counter_names[0], "FPU_COUNTER");
  EXPECT_EQ(log.counters[0].value, 1483);
  EXPECT_EQ(log.counters[0].reference, 5000);
}

TEST(DeviceLog, QuasarProcessorsShareTheirSlots) {
  const std::string text = "ARCH: quasar, CHIP_FREQ[MHz]: 1400, Max Compute Cores: 4\n" +
                           std::string(testing::kLogColumns) +
                           zone_lines({"0,1,1,QUASAR_DM0", "1024,,", "DM0-FW", 10, 100, ""}) +
                           zone_lines({"0,1,1,QUASAR_DM1", "1024,,", "DM-FW", 12, 90, ""}) +
                           zone_lines({"0,1,1,QUASAR_DM1", "1024,,", "DM-KERNEL", 20, 80, ""}) +
                           zone_lines({"0,1,1,QUASAR_NEO0_TRISC2", "1024,,", "TRISC-FW", 15, 95, ""}) +
                           zone_lines({"0,1,1,QUASAR_NEO0_TRISC2", "1024,,", "TRISC-KERNEL", 30, 70, ""});
  const auto log = read_device_log(text, {});
  ASSERT_TRUE(log);
  EXPECT_TRUE(log->quasar);
  ASSERT_EQ(log->executions.size(), 1u);
  EXPECT_EQ(log->runs[0].kernel[0].cycles(), 60);
  EXPECT_EQ(log->runs[0].kernel[static_cast<std::size_t>(RiscSlot::kTrisc0)].cycles(), 40);
  EXPECT_FALSE(log->runs[0].damaged);
}

/// The times of the rows of a lane.
std::vector<std::string> times_of(const MarkerLog& log, const MarkerLane& lane) {
  std::vector<std::string> times;
  for (const MarkerExtent& extent : lane.extents) {
    std::uint64_t at = extent.at;
    for (std::uint32_t row = 0; row < extent.rows; ++row, at = log.rows->after(at)) {
      times.emplace_back(log.rows->read(at).time);
      EXPECT_EQ(times.back(), std::to_string(log.rows->cycle_at(at)));
    }
  }
  return times;
}

TEST(MarkerLanes, HoldTheRowsOfEachProcessorInOrder) {
  const std::string text = kLogHead + risc_lines("0,1,2", "BRISC", "1024,,", 1000, 2000) +
                           risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) + "damaged\n" +
                           risc_lines("0,1,2", "BRISC", "2048,,", 3000, 4000);
  const MarkerLog log = find_marker_lanes(text);
  ASSERT_EQ(log.devices.size(), 1u);
  const DeviceMarkers& device = log.devices[0];
  ASSERT_EQ(device.cores.size(), 2u);
  EXPECT_EQ(device.cores[0].y, 2);  // in order of appearance
  EXPECT_EQ(device.ops.size(), 2u);
  // The times fall inside of each op here: firmware from 1000 to 2000, then the kernel.
  ASSERT_EQ(device.lanes.size(), 5u);
  EXPECT_EQ(times_of(log, device.lanes[0]), (std::vector<std::string>{"1000", "2000"}));
  EXPECT_EQ(times_of(log, device.lanes[1]), (std::vector<std::string>{"1100", "1950", "3000", "4000"}));
  EXPECT_EQ(times_of(log, device.lanes[2]), (std::vector<std::string>{"3100", "3950"}));
}

TEST(MarkerLanes, ReadOlderColumns) {
  const std::string text =
      "Chip clock is at 1200 MHz\nPCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles "
      "since "
      "reset], stat value, run ID, zone name, zone phase, source line, source file\n"
      "0,1,1,BRISC,3,500,0,1,BRISC-FW,begin,12,k.cc\n0,1,1,BRISC,3,900,0,1,BRISC-FW,end,12,k.cc\n";
  const MarkerLog log = find_marker_lanes(text);
  ASSERT_EQ(log.devices.size(), 1u);
  ASSERT_EQ(log.devices[0].lanes.size(), 1u);
  EXPECT_EQ(times_of(log, log.devices[0].lanes[0]), (std::vector<std::string>{"500", "900"}));
  const LogMarker marker = log.rows->read(log.devices[0].lanes[0].extents[0].at);
  EXPECT_EQ(marker.zone, "BRISC-FW");
  EXPECT_EQ(marker.file, "k.cc");
  EXPECT_EQ(marker.meta, "");
}

TEST(MarkerLanes, KnowDispatchCoresAndTimersThatBeganAgain) {
  const std::string text = kLogHead +
                           zone_lines({"0,1,1,BRISC", "0,,", "CQ-DISPATCH", 17592186044000, 20, ""}) +
                           zone_lines({"0,1,2,ERISC", "0,,", "CQ-DISPATCH", 30, 40, ""}) +
                           zone_lines({"1,1,1,BRISC", "1,,", "BRISC-FW", 30, 40, ""});
  const MarkerLog log = find_marker_lanes(text);
  ASSERT_EQ(log.devices.size(), 2u);
  EXPECT_TRUE(log.devices[0].wrapped);
  EXPECT_FALSE(log.devices[1].wrapped);
  EXPECT_TRUE(log.devices[0].cores[0].dispatches);
  EXPECT_FALSE(log.devices[0].cores[1].dispatches);
}

}  // namespace
}  // namespace ttscope::perf
