// The defects of the reference that spec and issues list, each with what the report says instead. Numbers are
// those of docs/formats/ops_report.md.
#include <gtest/gtest.h>

#include "support/perf_texts.h"

namespace ttscope::testing {
using namespace perf;

namespace {

const std::string kCppHead =
    "GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,DEVICE ARCH,OP NAME,CORE "
    "COUNT,AVAILABLE "
    "WORKER CORE COUNT,DEVICE TRACE FIRMWARE DURATION [ns],DEVICE FW DURATION [ns],DEVICE FW START "
    "CYCLE,DEVICE FW END "
    "CYCLE,DEVICE KERNEL DURATION [ns],DEVICE KERNEL START CYCLE,DEVICE KERNEL END CYCLE,OP TO OP LATENCY "
    "[ns],OP TO OP "
    "LATENCY BR/NRISC START [ns]\n";

/// A row of the runtime's report; the kernel is 100 after and 100 before the firmware's ends, the clock 1
/// GHz.
std::string cpp_row(std::uint64_t id, std::uint64_t start, std::uint64_t end, const std::string& latency = "",
                    int device = 0, const std::string& trace = ",") {
  return std::to_string(id) + "," + trace + "," + std::to_string(device) + ",wormhole_b0,,2,64,," +
         std::to_string(end - start) + "," + std::to_string(start) + "," + std::to_string(end) + "," +
         std::to_string(end - start - 200) + "," + std::to_string(start + 100) + "," +
         std::to_string(end - 100) + "," + latency + ",\n";
}

Cells cells_of(const PerfTexts& texts, bool compat = false) {
  static std::vector<std::string> kept;  // the cells point into it
  const MadeReport made = make_report(texts, compat);
  EXPECT_EQ(made.difference, "");
  kept.push_back(made.csv);
  return Cells(kept.back());
}

PerfTexts two_ops() {
  PerfTexts texts;
  texts.messages = kMessagesHead + op_message(1024) + op_message(2048);
  texts.times = kTimesHead + op_zone(1024, 90, 100) + op_zone(2048, 190, 100);
  texts.cpp = kCppHead + cpp_row(1024, 1000, 2000, "0") + cpp_row(2048, 3000, 4000, "1200");
  return texts;
}

TEST(OpsReportDefects, Defect1HostDurationIsNotThatOfTheMessage) {
  PerfTexts texts = two_ops();
  texts.times = kTimesHead + "launch,device_operation.hpp,1,,,80,500,1,\n" +
                op_zone(1024, 90, 100, "op_profiler_serialize.hpp") +
                op_zone(2048, 900, 60, "op_profiler_serialize.hpp");
  const Cells cells = cells_of(texts);
  EXPECT_EQ(cells.at(0, "HOST DURATION [ns]"), "500");
  EXPECT_EQ(cells.at(0, "HOST MESSAGE DURATION [ns]"), "100");
  EXPECT_EQ(cells.at(1, "HOST DURATION [ns]"), "");
  EXPECT_EQ(cells.at(1, "HOST MESSAGE DURATION [ns]"), "60");
  EXPECT_EQ(cells_of(texts, true).at(0, "HOST DURATION [ns]"), "100");
  EXPECT_FALSE(cells_of(two_ops()).has("HOST MESSAGE DURATION [ns]"));
}

TEST(OpsReportDefects, Defect2TheOwnZoneIsNoChild) {
  PerfTexts texts = two_ops();
  texts.times = kTimesHead +
                "TT_DNN_DEVICE_OP,x,1,,\"id:1024\",90,100,1,id:1024\nCompileProgram,x,1,,,95,40,1,id:1024\n" +
                op_zone(2048, 190, 100);
  EXPECT_FALSE(cells_of(texts).has("TT_DNN_DEVICE_OP_TT_HOST_FUNC [ns]"));
  EXPECT_EQ(cells_of(texts).at(0, "CompileProgram_TT_HOST_FUNC [ns]"), "40");
  EXPECT_EQ(cells_of(texts, true).at(0, "TT_DNN_DEVICE_OP_TT_HOST_FUNC [ns]"), "100");
}

TEST(OpsReportDefects, Defect3ARepeatedProgramIsACacheHit) {
  PerfTexts texts = two_ops();
  texts.messages =
      kMessagesHead + op_message(1024, "Op", 0, 7) + "`TT_DNN_DEVICE_OP: \"Op\", 7, 0, false, 2048`;500\n";
  const Cells cells = cells_of(texts);
  EXPECT_EQ(cells.at(0, "PROGRAM CACHE HIT"), "False");
  EXPECT_EQ(cells.at(1, "PROGRAM CACHE HIT"), "True");
  EXPECT_EQ(cells_of(texts, true).at(1, "PROGRAM CACHE HIT"), "False");
}

TEST(OpsReportDefects, Defect4AWholeReplayIsNoOp) {
  PerfTexts texts = two_ops();
  texts.messages += "`TT_METAL_TRACE_REPLAY: 0, 7`;900\n";
  texts.cpp = kCppHead + "1024,,,0,wormhole_b0,,2,64,15800000,15800000,1000,15801000,,,,,\n";
  const MadeReport made = make_report(texts);
  const Cells cells(made.csv);
  ASSERT_EQ(cells.rows(), 3u);
  EXPECT_EQ(cells.at(0, "DEVICE FW DURATION [ns]"), "");
  EXPECT_EQ(cells.at(2, "OP TYPE"), "trace_replay");
  EXPECT_EQ(cells.at(2, "DEVICE TRACE FIRMWARE DURATION [ns]"), "15800000");
  EXPECT_EQ(made.problems.count(PerfProblem::kTraceOnlyRows), 1u);
  EXPECT_EQ(cells_of(texts, true).at(0, "DEVICE FW DURATION [ns]"), "15800000");
}

TEST(OpsReportDefects, Defect5UnknownLatencyIsEmptyAndFollowsTheDevice) {
  PerfTexts texts = two_ops();
  // The host issued 1024 first, the device ran 2048 first.
  texts.cpp = kCppHead + cpp_row(1024, 5000, 6000) + cpp_row(2048, 1000, 2000);
  const Cells cells = cells_of(texts);
  EXPECT_EQ(cells.at(0, "OP TO OP LATENCY [ns]"), "3200");
  EXPECT_EQ(cells.at(1, "OP TO OP LATENCY [ns]"), "");
  EXPECT_EQ(cells_of(texts, true).at(0, "OP TO OP LATENCY [ns]"), "0");
  EXPECT_EQ(cells_of(texts, true).at(1, "OP TO OP LATENCY [ns]"), "-4800");
  texts.cpp = kCppHead + cpp_row(1024, 1000, 9000) + cpp_row(2048, 2000, 3000);
  EXPECT_EQ(cells_of(texts).at(1, "OP TO OP LATENCY [ns]"), "");
}

std::string waits(const std::string& core, int front, int back) {
  return core + ",TRISC_0,111,1030," + std::to_string(front) +
         ",1024,,,CB-COMPUTE-WAIT-FRONT,ZONE_TOTAL,19,l.h,\n" + core + ",TRISC_2,112,1030," +
         std::to_string(back) + ",1024,,,CB-COMPUTE-RESERVE-BACK,ZONE_TOTAL,21,l.h,\n";
}

TEST(OpsReportDefects, Defect6BufferWaitsAreAveragesOverCores) {
  PerfTexts texts = two_ops();
  texts.cpp.clear();
  texts.log = kLogHead;
  for (const char* core : {"0,1,1", "0,1,2"}) texts.log += risc_lines(core, "BRISC", "1024,,", 1000, 2000);
  texts.log += waits("0,1,1", 100, 0) + waits("0,1,2", 200, 0);
  EXPECT_EQ(cells_of(texts).at(0, "DEVICE COMPUTE CB WAIT FRONT [ns]"), "150");
  EXPECT_EQ(cells_of(texts).at(0, "DEVICE COMPUTE CB RESERVE BACK [ns]"), "0");
  EXPECT_EQ(cells_of(texts, true).at(0, "DEVICE COMPUTE CB WAIT FRONT [ns]"), "300");
  EXPECT_EQ(cells_of(texts, true).at(0, "DEVICE COMPUTE CB RESERVE BACK [ns]"), "");
}

std::string counter(const std::string& core, const std::string& name, int value) {
  return core + ",BRISC,9090,1500,5,1024,,,,TS_DATA,0,,{\"counter type\":\"" + name +
         "\";\"ref cnt\":1000;\"value\":" + std::to_string(value) + "}\n";
}

TEST(OpsReportDefects, Defect7CountersAreTheSameWithAndWithoutTheHost) {
  PerfTexts with_host = two_ops();
  with_host.cpp.clear();
  with_host.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2150) +
                  counter("0,1,1", "FPU_COUNTER", 320) + counter("0,1,1", "THREAD_STALLS_0", 100) +
                  counter("0,1,1", "PACKER_DEST_READ_AVAILABLE", 100) +
                  counter("0,1,1", "DEST_READ_GRANTED_0", 150);
  for (const char* unit : {"THCON_IDLE", "UNPACK_IDLE", "PACK_IDLE", "MATH_IDLE", "NONZERO_SEM",
                           "NONFULL_SEM", "MOVE_IDLE", "MMIO_IDLE", "SFPU_IDLE"}) {
    with_host.log += counter("0,1,1", std::string("WAITING_FOR_") + unit + "_0", 10);
  }
  PerfTexts alone;
  alone.log = with_host.log;
  for (const char* column :
       {"Avg FPU util on full grid (%)", "Stall Overlap T0 Avg (%)", "Dest Read Backpressure Avg (%)"}) {
    EXPECT_EQ(cells_of(with_host).at(0, column), cells_of(alone).at(0, column)) << column;
  }
  EXPECT_EQ(cells_of(alone).at(0, "Avg FPU util on full grid (%)"), "0.5");  // 320 cycles of 64 cores in 1000
  EXPECT_EQ(cells_of(alone).at(0, "Stall Overlap T0 Avg (%)"), "90.0");
  EXPECT_EQ(cells_of(alone).at(0, "Dest Read Backpressure Avg (%)"), "0.0");
  EXPECT_EQ(cells_of(alone, true).at(0, "Stall Overlap T0 Avg (%)"), "0.9");
  EXPECT_EQ(cells_of(with_host, true).at(0, "Dest Read Backpressure Avg (%)"), "-50.0");
}

TEST(OpsReportDefects, Defect9ZonesOfTheUserDoNotChangeDurations) {
  PerfTexts texts = two_ops();
  texts.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
              zone_lines({"0,1,1,BRISC", "1024,,", "X-KERNEL", 900, 9000, ""});
  texts.cpp =
      kCppHead + "1024,,,0,wormhole_b0,,1,64,,1000,1000,2000,8100,900,9000,,\n" + cpp_row(2048, 10000, 11000);
  const MadeReport made = make_report(texts);
  EXPECT_EQ(Cells(made.csv).at(0, "DEVICE KERNEL DURATION [ns]"), "850");
  EXPECT_EQ(made.problems.count(PerfProblem::kReportsDiffer), 1u);
}

TEST(OpsReportDefects, Defect10TheTimerMayStartAgainFromZero) {
  const std::uint64_t end = std::uint64_t{1} << 44;
  PerfTexts texts = two_ops();
  texts.cpp.clear();
  texts.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", end - 2000, end - 1000) +
              zone_lines({"0,1,1,BRISC", "2048,,", "BRISC-FW", end - 400, 500, ""}) +
              zone_lines({"0,1,1,BRISC", "2048,,", "BRISC-KERNEL", end - 300, 400, ""});
  const Cells cells = cells_of(texts);
  EXPECT_EQ(cells.at(1, "DEVICE FW DURATION [ns]"), "900");
  EXPECT_EQ(cells.at(1, "DEVICE KERNEL DURATION [ns]"), "700");
  EXPECT_EQ(cells.at(1, "OP TO OP LATENCY [ns]"), "750");
}

TEST(OpsReportDefects, Defect11EachDeviceHasItsClock) {
  PerfTexts texts;
  texts.messages = kMessagesHead + op_message(1024) + op_message(1025, "Op", 1);
  texts.times = kTimesHead + op_zone(1024, 90, 100) + op_zone(1025, 95, 100);
  texts.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 10000, 20000) +
              risc_lines("1,1,1", "BRISC", "1025,,", 10000, 20000);
  // The runtime says 20 us for 10000 cycles of device 1: it runs at 500 MHz, not at the 1000 of the first
  // line.
  texts.cpp = kCppHead + cpp_row(1024, 10000, 20000) +
              "1025,,,1,wormhole_b0,,1,64,,20000,10000,20000,19700,10100,19950,,\n";
  const Cells cells = cells_of(texts);
  EXPECT_EQ(cells.at(0, "DEVICE FW DURATION [ns]"), "10000");
  EXPECT_EQ(cells.at(1, "DEVICE FW DURATION [ns]"), "20000");
  EXPECT_EQ(cells.at(1, "DEVICE KERNEL DURATION PER CORE MAX [ns]"), "19700");
}

TEST(OpsReportDefects, Defect12MissingDeviceDataLeaveEmptyCells) {
  PerfTexts texts = two_ops();
  texts.cpp = kCppHead + cpp_row(1024, 1000, 2000) + cpp_row(9216, 5000, 6000);
  for (const bool compat : {false, true}) {
    const MadeReport made = make_report(texts, compat);
    const Cells cells(made.csv);
    ASSERT_EQ(cells.rows(), 2u);
    EXPECT_EQ(cells.at(0, "DEVICE FW DURATION [ns]"), "1000");
    EXPECT_EQ(cells.at(1, "DEVICE FW DURATION [ns]"), "");
    EXPECT_EQ(made.problems.count(PerfProblem::kOpWithoutDeviceData), 1u);
    EXPECT_EQ(made.problems.count(PerfProblem::kDeviceOpWithoutHost), 1u);
    EXPECT_TRUE(made.problems.any_harmful());
  }
}

TEST(OpsReportDefects, Defect12ATraceThatNeverRanIsNoDamage) {
  PerfTexts texts = two_ops();
  texts.messages = kMessagesHead + op_message(1024) + "`TT_METAL_TRACE_BEGIN: 0, 7`;1\n" + op_message(2048);
  texts.cpp = kCppHead + cpp_row(1024, 1000, 2000);
  const MadeReport made = make_report(texts);
  EXPECT_EQ(made.problems.count(PerfProblem::kTraceNeverReplayed), 1u);
  EXPECT_FALSE(made.problems.any_harmful());
}

TEST(OpsReportDefects, Defect13LogsWithoutTheNumberOfCoresAreRead) {
  PerfTexts texts;
  texts.log = "ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000\n" + std::string(kLogColumns) +
              risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000);
  const MadeReport made = make_report(texts);
  EXPECT_EQ(Cells(made.csv).at(0, "DEVICE FW DURATION [ns]"), "1000");
  EXPECT_EQ(made.problems.count(PerfProblem::kHeaderIncomplete), 1u);
}

TEST(OpsReportDefects, Defect14TraceOnlyLogsGiveReports) {
  PerfTexts texts;
  texts.log = kLogHead + zone_lines({"0,1,1,TENSIX_RISC_AGG", "1024,,", "TRACE-FW", 1000, 2000, ""}) +
              zone_lines({"0,1,1,TENSIX_RISC_AGG", "1024,,", "TRACE-KERNEL", 1010, 1990, ""});
  EXPECT_EQ(cells_of(texts).at(0, "DEVICE TRACE KERNEL DURATION [ns]"), "980");
  texts.messages = two_ops().messages;
  texts.times = two_ops().times;
  EXPECT_EQ(cells_of(texts).rows(), 3u);
}

std::string dispatch(std::uint64_t id, std::uint64_t at) {
  const std::string start = "0,7,7,BRISC,500,";
  return zone_lines({"0,7,7,BRISC", "0,,",
                     "CQ-DISPATCH:" + std::to_string(id) + ":CQ_DISPATCH_CMD_WRITE_PACKED", at, at + 60,
                     ""}) +
         start + std::to_string(at + 20) +
         ",1,0,,,runtime_host_id_dispatch,TS_DATA,1,x,{\"a\":1;\"workers_runtime_id\":" + std::to_string(id) +
         "}\n" +
         zone_lines({"0,7,7,BRISC", "0,,",
                     "CQ-DISPATCH:" + std::to_string(id) + ":CQ_DISPATCH_NOTIFY_SUBORDINATE_GO_SIGNAL",
                     at + 200, at + 260, ""});
}

TEST(OpsReportDefects, Defect15DispatchIdsMayBePlainAndMetaDataMayHaveSeveralKeys) {
  for (const std::uint64_t shift : {0, 10}) {
    PerfTexts texts = two_ops();
    texts.cpp.clear();
    texts.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                risc_lines("0,1,1", "BRISC", "2048,,", 5000, 6000) + dispatch(1u << shift, 500) +
                dispatch(2u << shift, 4000) + dispatch(50u << shift, 9000) +
                zone_lines({"0,7,7,NCRISC", "0,,", "CQ-DISPATCH-SUBORDINATE:CQ_DISPATCH_CMD_SEND_GO_SIGNAL",
                            1500, 1540, ""});
    const MadeReport made = make_report(texts);
    const Cells cells(made.csv);
    EXPECT_EQ(cells.at(0, "DISPATCH TOTAL CQ CMD OP TIME [ns]"), "260") << shift;
    EXPECT_EQ(cells.at(0, "DISPATCH GO SEND WAIT TIME [ns]"), "40");
    EXPECT_EQ(cells.at(1, "DISPATCH TOTAL CQ CMD OP TIME [ns]"), "260");
    EXPECT_EQ(cells.at(1, "DISPATCH GO SEND WAIT TIME [ns]"), "");
    EXPECT_EQ(made.problems.count(PerfProblem::kDispatchUnmatched), 1u);
  }
}

TEST(OpsReportDefects, Defect16WithoutDeviceFilesTheHostsOpsAreListed) {
  PerfTexts texts = two_ops();
  texts.cpp.clear();
  const MadeReport made = make_report(texts);
  EXPECT_EQ(Cells(made.csv).rows(), 2u);
  EXPECT_EQ(made.problems.count(PerfProblem::kDeviceMissing), 1u);
}

TEST(OpsReportDefects, Defect18And19CutCapturesKeepTheirOps) {
  PerfTexts texts = two_ops();
  const std::string whole = op_message(2048, "Softmax");
  texts.messages = kMessagesHead + op_message(1024) + whole.substr(0, whole.find("attributes")) + "`;500\n";
  const Cells cells = cells_of(texts);
  ASSERT_EQ(cells.rows(), 2u);
  EXPECT_EQ(cells.at(1, "OP CODE"), "Softmax");
  EXPECT_EQ(cells.at(1, "DEVICE FW DURATION [ns]"), "1000");
  texts.messages = kMessagesHead + op_message(1024);  // the capture ended early: a zone, but no message
  EXPECT_EQ(make_report(texts).problems.count(PerfProblem::kZoneWithoutOp), 1u);
}

TEST(ReportRows, DamagedCoresDoNotCount) {
  PerfTexts texts;
  texts.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
              marker_line({"0,1,2,BRISC", "1024,,", "BRISC-FW", 10, 0, ""}, true);
  const MadeReport made = make_report(texts);
  EXPECT_EQ(Cells(made.csv).at(0, "DEVICE FW DURATION [ns]"), "1000");
  EXPECT_EQ(Cells(made.csv).at(0, "CORE COUNT"), "1");
  EXPECT_EQ(made.problems.places(PerfProblem::kCoreQuarantined)[0], "op 1024 on device 0, core 1-2");
}

TEST(ReportRows, SkewedTimersAreNamed) {
  PerfTexts texts;
  texts.log = kLogHead;
  for (std::uint64_t op = 1; op <= 3; ++op) {
    for (std::uint64_t core = 1; core <= 4; ++core) {
      const std::uint64_t skew = core == 4 ? 50000000 : core;
      const std::uint64_t start = 1000000000 + op * 100000 + skew;
      texts.log += risc_lines("0,1," + std::to_string(core), "BRISC", std::to_string(op << 10) + ",,", start,
                              start + 5000);
    }
  }
  const MadeReport made = make_report(texts);
  EXPECT_EQ(made.problems.count(PerfProblem::kCoreTimerSkewed), 1u);
  EXPECT_EQ(made.problems.places(PerfProblem::kCoreTimerSkewed)[0], "device 0, core 1-4");
}

TEST(ReportRows, QuasarHasColumnsOfItsOwn) {
  PerfTexts texts;
  texts.log = "ARCH: quasar, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 4\n" + std::string(kLogColumns);
  for (const std::uint64_t start : {1000, 5000}) {
    const std::string op = std::to_string(start * 1024) + ",,";
    texts.log += zone_lines({"0,1,1,QUASAR_DM0", op, "DM0-FW", start, start + 900, ""}) +
                 zone_lines({"0,1,1,QUASAR_DM1", op, "DM-KERNEL", start + 100, start + 700, ""}) +
                 zone_lines({"0,1,1,QUASAR_NEO0_TRISC0", op, "TRISC-FW", start + 150, start + 850, ""}) +
                 zone_lines({"0,1,1,QUASAR_NEO0_TRISC0", op, "TRISC-KERNEL", start + 200, start + 800, ""}) +
                 zone_lines({"0,1,1,QUASAR_NEO1_TRISC3", op, "TRISC-FW", start + 170, start + 880, ""});
  }
  const Cells cells = cells_of(texts);
  EXPECT_EQ(cells.at(1, "DEVICE QUASAR_DM KERNEL DURATION [ns]"), "600");
  EXPECT_EQ(cells.at(1, "DEVICE DM FW DURATION [ns]"), "900");
  EXPECT_EQ(cells.at(1, "DEVICE TRISC FW DURATION [ns]"), "730");
  EXPECT_EQ(cells.at(1, "OP TO OP DM LATENCY [ns]"), "3400");
  EXPECT_EQ(cells.at(0, "OP TO OP TRISC LATENCY [ns]"), "");
  EXPECT_EQ(cells_of(texts, true).at(0, "OP TO OP TRISC LATENCY [ns]"), "0");
  EXPECT_FALSE(cells.has("DEVICE BRISC KERNEL DURATION [ns]"));
}

TEST(ReportRows, FormulasInNamesAreDefusedOutsideCompat) {
  PerfTexts texts = two_ops();
  texts.messages = kMessagesHead + op_message(1024, "=HYPERLINK(x)") + op_message(2048);
  EXPECT_EQ(cells_of(texts).at(0, "OP CODE"), "'=HYPERLINK(x)");
  EXPECT_EQ(cells_of(texts, true).at(0, "OP CODE"), "=HYPERLINK(x)");
}

}  // namespace
}  // namespace ttscope::testing
