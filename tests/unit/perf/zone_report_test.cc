// Zones of device logs: kinds, names, timers, markers without a partner, and the forms they are written in.
#include "perf/write/capture_sections.h"

#include <gtest/gtest.h>

#include "support/zone_texts.h"

namespace ttscope::testing {
using namespace perf;

namespace {

std::string total_line(std::uint64_t cycles, const std::string& zone, const std::string& where) {
  return where + ",7,1000," + std::to_string(cycles) + ",1024,,," + zone + ",ZONE_TOTAL,3,llk.h,\n";
}

std::string csv_of(const ZoneStats& stats, double clock_mhz) {
  StringWriter out;
  write_zone_csv({{}, stats, {{0, clock_mhz}}}, out);
  EXPECT_TRUE(out.finish());
  return out.text();
}

std::string table_of(const ZoneStats& stats) {
  StringWriter out;
  write_zone_table({{}, stats, {}}, {}, out);
  EXPECT_TRUE(out.finish());
  return out.text();
}

TEST(ZoneStats, TimeInsideOfAnOpIsSplitAmongItsZones) {
  const std::string log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                          zone_lines({"0,1,1,BRISC", "1024,,", "READ", 1200, 1500, ""}) +
                          zone_lines({"0,1,1,BRISC", "1024,,", "READ", 1600, 1700, ""}) +
                          risc_lines("0,1,2", "BRISC", "2048,,", 1000, 2000);
  const ZoneStats stats = zones_of(log);
  const ZoneFigures* read = find_zone(stats, "READ");
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(read->count, 2u);
  EXPECT_EQ(read->total_cycles, 400u);
  EXPECT_EQ(read->cores, 1u);
  EXPECT_EQ(read->executions, 1u);
  EXPECT_EQ(read->min_cycles, 100u);
  EXPECT_EQ(read->max_cycles, 300u);
  EXPECT_EQ(read->source.file, "k.cc");
  EXPECT_EQ(read->source.line, "12");
  EXPECT_EQ(find_zone(stats, "BRISC-KERNEL")->self_cycles, 850u - 400u + 850u);
  EXPECT_EQ(find_zone(stats, "BRISC-KERNEL")->executions, 2u);
  EXPECT_EQ(find_zone(stats, "BRISC-FW")->self_cycles, 300u);
  EXPECT_EQ(find_zone(stats, "BRISC-FW")->cores, 2u);
  ASSERT_EQ(stats.processors.size(), 1u);
  EXPECT_EQ(stats.processors[0].zone_cycles, 2000u);
  EXPECT_EQ(stats.unmatched, 0u);
}

TEST(ZoneStats, KindsAreTold) {
  const std::vector<std::pair<std::string, ZoneKind>> kinds = {
      {"NCRISC-FW", ZoneKind::kFirmware},    {"TRACE-KERNEL", ZoneKind::kKernel},
      {"MY-KERNEL", ZoneKind::kUser},        {"CQ-PREFETCH", ZoneKind::kDispatch},
      {"SYNC-ZONE-SENDER", ZoneKind::kSync}, {"PROFILER-DRAM-PUSH", ZoneKind::kProfiler}};
  std::string log = kLogHead;
  std::uint64_t time = 100;
  for (const auto& [name, kind] : kinds) {
    log += zone_lines({"0,1,1,BRISC", "0,,", name, time, time + 10, ""});
    time += 100;
  }
  const ZoneStats stats = zones_of(log);
  for (const auto& [name, kind] : kinds) {
    ASSERT_NE(find_zone(stats, name), nullptr) << name;
    EXPECT_EQ(find_zone(stats, name)->source.kind, kind) << name;
  }
}

TEST(ZoneStats, DispatchZonesGoByCommandNotByProgram) {
  std::string log = kLogHead;
  for (int program = 1; program <= 5; ++program) {
    const auto start = static_cast<std::uint64_t>(program) * 100;
    const std::string id = std::to_string(program);
    // The runtime renames the start and gives it the program's id; the end is as the device wrote it.
    log += marker_line({"0,9,9,BRISC", std::to_string(program << 10) + ",,",
                        "CQ-DISPATCH:" + id + ":CQ_DISPATCH_CMD_WAIT", start, 0, ""},
                       true);
    log += marker_line({"0,9,9,BRISC", "0,,", "CQ-DISPATCH", 0, start + 30, ""}, false);
    log += zone_lines({"0,9,9,NCRISC", "0,,", "CQ-DISPATCH-SUBORDINATE:SEND_GO", start, start + 7, ""});
  }
  const ZoneStats stats = zones_of(log);
  ASSERT_EQ(stats.zones.size(), 2u);
  const ZoneFigures* wait = find_zone(stats, "CQ-DISPATCH:CQ_DISPATCH_CMD_WAIT");
  ASSERT_NE(wait, nullptr);
  EXPECT_EQ(wait->count, 5u);
  EXPECT_EQ(wait->total_cycles, 150u);
  EXPECT_EQ(wait->executions, 5u);
  EXPECT_NE(find_zone(stats, "CQ-DISPATCH-SUBORDINATE:SEND_GO", "NCRISC"), nullptr);
  EXPECT_EQ(stats.unmatched, 0u);
}

TEST(ZoneStats, SumsAreAKindOfTheirOwnAndNotPartOfTheTree) {
  const std::string where = "0,1,1,TRISC_0";
  const std::string log = kLogHead + risc_lines("0,1,1", "TRISC_0", "1024,,", 1000, 2000) +
                          total_line(40, "CB-COMPUTE-WAIT-FRONT", where) +
                          total_line(60, "CB-COMPUTE-WAIT-FRONT", where);
  const ZoneStats stats = zones_of(log);
  const ZoneFigures* sum = find_zone(stats, "CB-COMPUTE-WAIT-FRONT", "TRISC_0");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->source.kind, ZoneKind::kSum);
  EXPECT_EQ(sum->count, 2u);
  EXPECT_EQ(sum->total_cycles, 100u);
  EXPECT_EQ(stats.processors[0].zone_cycles, 1000u);
  EXPECT_NE(csv_of(stats, 0).find("CB-COMPUTE-WAIT-FRONT,sum,2,1,1,100,,,,,50.0,,"), std::string::npos);
}

TEST(ZoneStats, MarkersWithoutANameAreKnownByTheirNumber) {
  const std::string log = kLogHead + "0,1,1,BRISC,61457,100,0,0,,,,ZONE_START,0,,\n" +
                          "0,1,1,BRISC,126993,150,0,0,,,,ZONE_END,0,,\n";  // old logs: the start's and 65536
  const ZoneStats stats = zones_of(log);
  ASSERT_NE(find_zone(stats, "marker 61457"), nullptr);
  EXPECT_EQ(find_zone(stats, "marker 61457")->total_cycles, 50u);
}

TEST(ZoneStats, ZonesGoOnWhereTheTimerStartsAgain) {
  const std::uint64_t turn = std::uint64_t{1} << 44;
  const std::vector<std::string> rows = {bare_marker(turn - 100, "BRISC-FW", true),
                                         bare_marker(turn - 50, "A", true), bare_marker(10, "A", false),
                                         bare_marker(30, "BRISC-FW", false)};
  const std::string in_time = kLogHead + rows[0] + rows[1] + rows[2] + rows[3];
  // The runtime sorts by the numbers, so what came after the end stands first.
  const std::string by_number = kLogHead + rows[2] + rows[3] + rows[0] + rows[1];
  for (const std::string& log : {in_time, by_number}) {
    const ZoneStats stats = zones_of(log);
    EXPECT_EQ(find_zone(stats, "A")->total_cycles, 60u);
    EXPECT_EQ(find_zone(stats, "BRISC-FW")->self_cycles, 70u);
    EXPECT_EQ(stats.unmatched, 0u);
  }
  const std::string wide =
      kLogHead + bare_marker(turn - 100, "A", true) + bare_marker(turn + 100, "A", false);
  EXPECT_EQ(find_zone(zones_of(wide), "A")->total_cycles, 200u);
}

TEST(ZoneStats, MarkersWithoutAPartnerAreCountedAndNamed) {
  const std::string lost_end = kLogHead + bare_marker(100, "BRISC-FW", true) + bare_marker(110, "A", true) +
                               bare_marker(120, "B", true) + bare_marker(150, "B", false) +
                               bare_marker(200, "BRISC-FW", false);
  ZoneStats stats = zones_of(lost_end);
  EXPECT_EQ(find_zone(stats, "A")->unmatched_starts, 1u);
  EXPECT_EQ(find_zone(stats, "A")->count, 0u);
  EXPECT_EQ(find_zone(stats, "BRISC-FW")->self_cycles, 70u) << "B is inside of it, whatever became of A";
  ASSERT_EQ(stats.unmatched_places.size(), 1u);
  EXPECT_EQ(stats.unmatched_places[0], "start of A on device 0, core 1-1, BRISC");

  const std::string overlapping = kLogHead + bare_marker(100, "A", true) + bare_marker(110, "B", true) +
                                  bare_marker(120, "A", false) + bare_marker(130, "B", false);
  stats = zones_of(overlapping);
  EXPECT_EQ(find_zone(stats, "A")->total_cycles, 20u);
  EXPECT_EQ(find_zone(stats, "B")->unmatched_starts, 1u);
  EXPECT_EQ(find_zone(stats, "B")->unmatched_ends, 1u);

  const std::string reversed = kLogHead + bare_marker(200, "A", true) + bare_marker(100, "A", false);
  stats = zones_of(reversed);
  EXPECT_EQ(stats.unmatched, 2u);
  EXPECT_EQ(find_zone(stats, "A")->count, 0u);
  EXPECT_NE(table_of(stats).find("no zone with both of its ends"), std::string::npos);
  EXPECT_NE(table_of(stats).find("2 markers without a partner"), std::string::npos);
}

TEST(ZoneStats, AnEndDoesNotCloseAZoneOfAnotherExecution) {
  const std::string log = kLogHead + marker_line({"0,1,1,BRISC", "1024,,", "A", 100, 0, ""}, true) +
                          marker_line({"0,1,1,BRISC", "2048,,", "A", 0, 900, ""}, false);
  EXPECT_EQ(find_zone(zones_of(log), "A")->count, 0u);
  EXPECT_EQ(zones_of(log).unmatched, 2u);
}

TEST(ZoneStats, WhatCanBeClosedAtAMomentIsClosedFirst) {
  const std::string log = kLogHead + bare_marker(100, "A", true) + bare_marker(200, "B", true) +
                          bare_marker(200, "A", false) + bare_marker(300, "B", false);
  const ZoneStats stats = zones_of(log);
  EXPECT_EQ(stats.unmatched, 0u);
  EXPECT_EQ(find_zone(stats, "A")->self_cycles, 100u);
  EXPECT_EQ(find_zone(stats, "B")->self_cycles, 100u);
}

TEST(ZoneStats, RowsOfOldLogsAreKnownByTheirColumns) {
  const std::string log =
      "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n"
      "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], stat value, Run "
      "ID, "
      "run host ID, zone name, zone phase, source line, source file\n"
      "0, 1, 1, BRISC, 1, 100, 0, 0, 0, BRISC-FW, begin, 5, fw.cc\n"
      "0, 1, 1, BRISC, 2, 160, 0, 0, 0, BRISC-FW, end, 5, fw.cc\n";
  const ZoneStats stats = zones_of(log);
  ASSERT_EQ(stats.zones.size(), 1u);
  EXPECT_EQ(stats.zones[0].total_cycles, 60u);
  EXPECT_EQ(stats.zones[0].source.file, "fw.cc");
  EXPECT_EQ(stats.zones[0].source.line, "5");
}

TEST(CaptureZones, TextOfALogIsHarmlessWhereItIsShown) {
  const std::string log =
      kLogHead + bare_marker(100, "=1+1\x1b[31m|<b>", true) + bare_marker(150, "=1+1\x1b[31m|<b>", false);
  const ZoneStats stats = zones_of(log);
  EXPECT_NE(csv_of(stats, 1000).find(",'=1+1"), std::string::npos);
  EXPECT_EQ(table_of(stats).find('\x1b'), std::string::npos);
  const CaptureZones report{{}, stats, {}};
  const std::string markdown = zone_markdown({&report});
  EXPECT_EQ(markdown.find("<b>"), std::string::npos);
  EXPECT_NE(markdown.find("\\|"), std::string::npos);
}

TEST(CaptureZones, TheTableHasTheSameZonesOfAllDevicesInOneLine) {
  std::string log = kLogHead;
  for (const char* device : {"0", "1", "2"}) {
    const std::string where = std::string(device) + ",1,1,BRISC";
    log += bare_marker(100, "A", true, where) + bare_marker(200, "A", false, where);
  }
  const ZoneStats stats = zones_of(log);
  EXPECT_EQ(stats.zones.size(), 3u);
  StringWriter out;
  write_zone_table({{}, stats, {{0, 1.0}, {1, 1.0}, {2, 2.0}}}, {}, out);
  ASSERT_TRUE(out.finish());
  EXPECT_NE(out.text().find("3 devices"), std::string::npos) << out.text();
  EXPECT_NE(out.text().find("250.0 μs  100.0%"), std::string::npos) << out.text();
  EXPECT_NE(table_of(stats).find("300 cycles  100.0%"), std::string::npos) << "without clocks";
}

TEST(CaptureZones, SumsBeyondAllNumbersStayAtTheMost) {
  const std::string log =
      kLogHead + total_line(UINT64_MAX, "S", "0,1,1,BRISC") + total_line(UINT64_MAX, "S", "0,1,1,BRISC");
  const ZoneStats stats = zones_of(log);
  EXPECT_EQ(find_zone(stats, "S")->total_cycles, UINT64_MAX);
  EXPECT_NE(csv_of(stats, 0.5).find(",18446744073709551615,36893488147419103232000,"), std::string::npos);
}

TEST(CaptureZones, RowsOfTheTableOfZones) {
  const std::string log = kLogHead + bare_marker(100, "A", true) + bare_marker(150, "A", false);
  EXPECT_EQ(csv_of(zones_of(log), 500),
            "DEVICE ID,RISC,ZONE,KIND,COUNT,CORES,EXECUTIONS,TOTAL [cycles],TOTAL [ns],SELF [cycles],SELF "
            "[ns],SELF [%],MEAN [cycles],MEAN [ns],P50 [cycles],P99 [cycles],MIN [cycles],MAX "
            "[cycles],UNMATCHED STARTS,UNMATCHED ENDS,SOURCE FILE,SOURCE LINE,MIN VALUE,MAX VALUE\r\n"
            "0,BRISC,A,user,1,1,0,50,100,50,100,100.0000,50.0,100.0,50,50,50,50,0,0,k.cc,12,,\r\n");
}

}  // namespace
}  // namespace ttscope::testing
