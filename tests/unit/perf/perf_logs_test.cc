#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "perf/analyze/clock_sync.h"
#include "perf/read/host_logs.h"
#include "perf/read/side_files.h"
#include "support/perf_lines.h"

namespace ttscope::perf {
namespace {

using testing::kMessagesHead;
using testing::kTimesHead;
using testing::op_message;
using testing::op_zone;

HostCapture read_messages(const std::string& text) {
  HostCapture capture;
  read_host_messages(kMessagesHead + text, capture);
  return capture;
}

TEST(HostMessages, FullAndShortMessagesShareWhatTheProgramIs) {
  const HostCapture capture = read_messages(op_message(1024, "Matmul", 0, 77) +
                                            "`TT_DNN_DEVICE_OP: \"Matmul\", 77, 0, true, 2048`;500\n");
  ASSERT_EQ(capture.ops.size(), 2u);
  EXPECT_EQ(capture.ops[1].info, capture.ops[0].info);
  EXPECT_EQ(capture.ops[1].id, 2048u);
  EXPECT_TRUE(capture.ops[1].reported_cache_hit);
  EXPECT_FALSE(capture.ops[0].hash_seen_before);
  EXPECT_TRUE(capture.ops[1].hash_seen_before);
  EXPECT_EQ(capture.ops[1].message_ns, 500);
}

TEST(HostMessages, OpsAreAskedForAtTheLastLocationBeforeThem) {
  const HostCapture capture =
      read_messages(op_message(1, "Matmul", 0, 77) + "MLIR_OP_LOCATION;loc(\"model.layers.0.mlp\");12\n" +
                    op_message(2, "Matmul", 0, 77) + op_message(3, "Softmax", 0, 78) +
                    "loc(\"/home/me/model.py:59:id(0)\");13\n" + op_message(4, "Matmul", 0, 77) +
                    "MLIR_OP_LOCATION;loc(\"model.layers.0.mlp\");14\n" + op_message(5, "Matmul", 0, 77));
  ASSERT_EQ(capture.ops.size(), 5u);
  const auto place = [&](std::size_t op) { return capture.locations[capture.ops[op].location]; };
  EXPECT_EQ(place(0), "");
  EXPECT_EQ(place(1), "loc(\"model.layers.0.mlp\")");
  EXPECT_EQ(place(2), place(1));
  EXPECT_EQ(place(3), "loc(\"/home/me/model.py:59:id(0)\")");
  EXPECT_EQ(capture.ops[4].location, capture.ops[1].location);
  EXPECT_FALSE(capture.problems.any());
}

/// csvexport writes messages as they are: the first backtick of a text ended it.
TEST(HostMessages, BackticksInTextsCutThem) {
  const HostCapture capture = read_messages(
      "`TT_SIGNPOST: use `a`; b\nthen ``c```;5\n`TT_SIGNPOST: `d`\n`e``;6\n`TT_SIGNPOST: last`;7\n");
  ASSERT_EQ(capture.signposts.size(), 3u);
  EXPECT_EQ(capture.signposts[0].text, "TT_SIGNPOST: use `a`; b\nthen ``c``");
  EXPECT_EQ(capture.signposts[1].text, "TT_SIGNPOST: `d`\n`e`");
  EXPECT_EQ(capture.signposts[2].time_ns, 7);
  EXPECT_FALSE(capture.problems.any());
}

TEST(HostMessages, AUsersMessageThatBeginsWithABacktickSwallowedTheNextSignpost) {
  const HostCapture capture =
      read_messages("`step`: 1;100\n`TT_SIGNPOST: Warmup`;200\n`x` loaded;300\n`TT_SIGNPOST: Run `y``;400\n");
  ASSERT_EQ(capture.signposts.size(), 2u);
  EXPECT_EQ(capture.signposts[0].text, "TT_SIGNPOST: Warmup");
  EXPECT_EQ(capture.signposts[0].time_ns, 200);
  EXPECT_EQ(capture.signposts[1].text, "TT_SIGNPOST: Run `y`");
  EXPECT_FALSE(capture.problems.any());
}

TEST(HostMessages, SignpostsThatNameOpsWereTakenForBrokenOnes) {
  const HostCapture capture = read_messages("`TT_SIGNPOST: TT_METAL and TT_DNN OP test`;5\n");
  EXPECT_EQ(capture.signposts.size(), 1u);
  EXPECT_TRUE(capture.ops.empty());
  EXPECT_FALSE(capture.problems.any());
}

TEST(HostMessages, MessagesOfOlderRuntimesHaveNoCacheFlag) {
  const HostCapture capture =
      read_messages(op_message(1, "Matmul", 0, 77) + "`TT_DNN_DEVICE_OP: \"Matmul\", 77, 0, 5`;500\n");
  ASSERT_EQ(capture.ops.size(), 2u);
  EXPECT_EQ(capture.ops[1].id, 5u);
}

TEST(HostMessages, ACutMessageKeepsNameIdAndDevice) {
  std::string cut = op_message(2048, "Softmax", 3);
  cut = cut.substr(0, cut.find("input_tensors")) + "`;7\n";
  const HostCapture capture = read_messages(cut);
  ASSERT_EQ(capture.ops.size(), 1u);
  EXPECT_EQ(capture.ops[0].id, 2048u);
  EXPECT_EQ(capture.ops[0].device, 3);
  EXPECT_EQ(capture.infos[capture.ops[0].info].op_code, "Softmax");
  EXPECT_EQ(capture.problems.count(PerfProblem::kOpMessageCut), 1u);
}

TEST(HostMessages, AShortMessageWithoutItsFullOneKeepsItsName) {
  const HostCapture capture = read_messages("`TT_DNN_DEVICE_OP: \"Gone\", 99, 0, false, 4096`;7\n");
  ASSERT_EQ(capture.ops.size(), 1u);
  EXPECT_EQ(capture.infos[capture.ops[0].info].op_code, "Gone");
  EXPECT_EQ(capture.problems.count(PerfProblem::kOpMessageUnknownHash), 1u);
}

TEST(HostMessages, TracesHoldTheOpsBetweenBeginAndEnd) {
  const HostCapture capture = read_messages(
      op_message(1024) + "`TT_METAL_TRACE_BEGIN: 0, 7`;1\n" + op_message(2048) + op_message(2049, "Op", 1) +
      "`TT_METAL_TRACE_ENQUEUE_PROGRAM: 0, 7, 2`;1\n`TT_METAL_TRACE_END: 0, 7`;1\n" + op_message(3072) +
      "`TT_METAL_TRACE_REPLAY: 0, 7`;300\n`TT_METAL_TRACE_REPLAY: 0, 7`;400\n");
  ASSERT_EQ(capture.ops.size(), 4u);
  EXPECT_EQ(capture.ops[0].trace, -1);
  EXPECT_EQ(capture.ops[1].trace, 7);
  EXPECT_EQ(capture.ops[2].trace, -1);
  EXPECT_EQ(capture.ops[3].trace, -1);
  EXPECT_EQ(capture.replays.at({0, 7}), (std::vector<std::int64_t>{300, 400}));
}

TEST(HostMessages, AnEndWithoutItsBeginIsCounted) {
  const HostCapture capture =
      read_messages("`TT_METAL_TRACE_END: 0, 7`;1\n`TT_METAL_TRACE_BEGIN: 0`;1\n" + op_message(1024));
  EXPECT_EQ(capture.problems.count(PerfProblem::kTraceEndUnmatched), 1u);
  EXPECT_EQ(capture.problems.count(PerfProblem::kMessageMalformed), 1u);
  EXPECT_EQ(capture.ops.size(), 1u);
}

TEST(HostMessages, DroppedMarkersAreNamedAsTheRuntimeSaysThem) {
  const HostCapture capture = read_messages(
      "`Profiler DRAM buffers were full, markers were dropped! device 0, worker core 1, 2, Risc BRISC, "
      "bufferEndIndex = 12000. Please either decrease the number of ops being profiled`;1\n" +
      op_message(1024));
  EXPECT_EQ(capture.problems.count(PerfProblem::kMarkersDropped), 1u);
  EXPECT_EQ(capture.problems.places(PerfProblem::kMarkersDropped).front(),
            "device 0, worker core 1, 2, Risc BRISC");
  EXPECT_EQ(capture.ops.size(), 1u);
}

TEST(HostMessages, ALaterMessageWithTheSameIdCounts) {
  const HostCapture capture = read_messages(op_message(1024, "A") + op_message(1024, "B"));
  ASSERT_EQ(capture.ops.size(), 1u);
  EXPECT_EQ(capture.infos[capture.ops[0].info].op_code, "B");
  EXPECT_EQ(capture.problems.count(PerfProblem::kOpIdRepeated), 1u);
}

TEST(HostMessages, ValuesBecomeCellsAsPythonPrintsThem) {
  const HostCapture capture = read_messages(
      "`TT_DNN_FALL_BACK_OP:\"pad\" ->\n{\"op_code\": \"pad\", \"global_call_count\": 2147484672, "
      "\"attributes\": {\"a\": "
      "\"it's\", \"b\": null, \"c\": [1, 2.50, true]}, \"input_tensors\": [{\"shape\": {\"W\": 1, \"X\": "
      "\"32[5]\", \"Y\": "
      "2, \"Z\": 3}, \"dtype\": \"BF16\", \"layout\": \"TILE\", \"storage_type\": \"HOST\"}]}`;9\n");
  ASSERT_EQ(capture.ops.size(), 1u);
  const OpInfo& info = capture.infos[0];
  EXPECT_EQ(info.attributes, "{'a': \"it's\", 'b': None, 'c': [1, 2.5, True]}");
  EXPECT_EQ(info.inputs[0].x, "32[5]");
  EXPECT_EQ(info.inputs[0].memory, "HOST");
  EXPECT_EQ(capture.ops[0].device, -1);
}

TEST(HostZones, ChildrenAreSummedAndTheOwnZoneIsTold) {
  HostCapture capture = read_messages(op_message(1024));
  read_host_zones(kTimesHead +
                      "TT_DNN_DEVICE_OP,op_profiler_serialize.hpp,1,,\"id:1024\",90,100,1,id:1024\n" +
                      "CompileProgram,x,1,,,95,40,1,id:1024\nCompileProgram,x,1,,,96,2,1,id:1024\n",
                  capture);
  const HostOp& op = capture.ops[0];
  EXPECT_EQ(op.zone_start_ns, 90);
  EXPECT_TRUE(op.zone_is_message);
  ASSERT_EQ(op.children.size(), 2u);
  EXPECT_EQ(op.children[0].own_zone_ns, 100);
  EXPECT_EQ(op.children[1].total_ns, 42);
  EXPECT_EQ(capture.child_names[op.children[1].name], "CompileProgram");
}

TEST(HostZones, TheNearestZoneAroundOneOpIsItsOwnTime) {
  HostCapture capture = read_messages(op_message(1024) + op_message(2048));
  read_host_zones(kTimesHead + "model,m.py,1,,,0,10000,1,\nlaunch,l.hpp,1,,,100,900,1,\n" +
                      op_zone(1024, 200, 50, "op_profiler_serialize.hpp") + "launch,l.hpp,1,,,2000,500,1,\n" +
                      op_zone(2048, 2100, 50, "op_profiler_serialize.hpp"),
                  capture);
  EXPECT_EQ(capture.ops[0].around_ns, 900);
  EXPECT_EQ(capture.ops[1].around_ns, 500);
  EXPECT_EQ(capture.ops[1].around_start_ns, 2000);
}

TEST(HostZones, ZonesOfUnknownOpsAndBadNumbersAreCounted) {
  HostCapture capture = read_messages(op_message(1024));
  read_host_zones(kTimesHead + op_zone(5, 1, 2) + "TT_DNN_DEVICE_OP,x,1,,\"id:1024\",1e300,5,1,\n", capture);
  EXPECT_EQ(capture.problems.count(PerfProblem::kZoneWithoutOp), 1u);
  EXPECT_EQ(capture.problems.count(PerfProblem::kRowUnreadable), 1u);
}

TEST(CppReport, ReadsKnownColumnsInAnyOrderAndKeepsTheLastOfTwo) {
  PerfProblems problems;
  const std::vector<Execution> rows = read_cpp_report(
      "DEVICE ID,GLOBAL CALL COUNT,METAL TRACE ID,NEW COLUMN,DEVICE FW DURATION [ns],DEVICE ARCH\n"
      "3,1027,,x,10,blackhole\n3,1027,,x,20,blackhole\n3,,,x,5,y\n3,2051,7,x,nan,\n",
      problems);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].figures[Figure::kFwNs], 20);
  EXPECT_EQ(rows[1].key.trace, 7);
  EXPECT_FALSE(rows[1].figures.has(Figure::kFwNs));
  EXPECT_EQ(problems.count(PerfProblem::kDuplicateKey), 1u);
  EXPECT_EQ(problems.count(PerfProblem::kRowUnreadable), 1u);
}

TEST(SideFiles, ClocksOfSynchronizedDevices) {
  PerfProblems problems;
  const auto clocks = clock_lines(read_sync_info(
      "device id,core_x, "
      "core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,"
      "tracy_base_time,device_frequency_ratio,device_shift\n"
      "    0,1,1,5,6,7,8,9,10,1.35,1,2,1.0,0\n1,,,,,,,,,,,,0.5,3\n",
      problems));
  EXPECT_DOUBLE_EQ(clocks.at(0).cycles_per_ns, 1.35);
  EXPECT_DOUBLE_EQ(clocks.at(1).cycles_per_ns, 2.7) << "half a cycle of the root for each of its own";
  EXPECT_TRUE(read_sync_info("", problems).devices.empty());
  EXPECT_FALSE(problems.any());
}

/// A row that ends in its frequency lacks the host's times: taken for 0 they moved the device by seconds.
TEST(SideFiles, ExchangesThatAreCutCountForNothing) {
  const std::string header =
      "device id,core_x, "
      "core_y,device,host_tracy,host_real,write_overhead,host_start,delay,frequency,tracy_ratio,"
      "tracy_base_time,device_frequency_ratio,device_shift\n";
  const std::string whole =
      "    0,    1,    1,                 500,                 100,              100.00,                   4,"
      "            90000000,                0.00,   1.000000000000000,   0.500000000000000,            "
      "80000000,1.0,0\n";
  PerfProblems problems;
  const std::string text = header + "\n" + whole + whole.substr(0, whole.find("1.0000") + 4) + "\ngarbage\n";
  const SyncInfo info = read_sync_info(text, problems);
  EXPECT_THAT(problems.places(PerfProblem::kRowUnreadable),
              ::testing::ElementsAre("sync_device_info.csv:4", "sync_device_info.csv:5"))
      << "empty lines count";
  ASSERT_EQ(info.devices.at(0).samples.size(), 1U);
  EXPECT_DOUBLE_EQ(info.devices.at(0).samples[0].host_ns, (10000000 + 100) * 0.5);
}

constexpr const char* kSyncHead =
    "device id,device,host_tracy,host_start,frequency,tracy_ratio,tracy_base_time,device_frequency_ratio,"
    "device_shift\n";

/// Times by a clock that no device has were not numbers, or beyond all numbers.
TEST(SideFiles, FrequenciesOfNoClockWereBelieved) {
  PerfProblems problems;
  const SyncInfo info = read_sync_info(std::string(kSyncHead) +
                                           "0,10,500,500,1e-320,1,400,,\n"
                                           "0,10,500,500,1e300,1,400,,\n"
                                           "0,1e300,500,500,1.0,1,400,,\n"
                                           "0,10,1e300,500,1.0,1,400,,\n"
                                           "0,10,500,500,1.0,1e300,400,,\n"
                                           "1,,,,,,,1e-320,0\n"
                                           "1,,,,,,,1e300,0\n"
                                           "1,,,,,,,1.0,1e300\n",
                                       problems);
  EXPECT_EQ(problems.count(PerfProblem::kRowUnreadable), 8U);
  EXPECT_TRUE(info.devices.empty());
}

/// Each of these exchanges can be, all of them cannot: the runtime's own frequency is left.
TEST(SideFiles, ExchangesAlongWhichNoClockRunsGaveAFrequency) {
  PerfProblems problems;
  const auto clocks =
      clock_lines(read_sync_info(std::string(kSyncHead) + "0,10,0,500,0.002,1,400,,\n"
                                                          "0,10.000001,1e9,500,0.002,1,400,,\n"
                                                          "1,,,,,,,900,0\n2,,,,,,,0.5,0\n",
                                 problems));
  EXPECT_FALSE(problems.any());
  EXPECT_DOUBLE_EQ(clocks.at(0).cycles_per_ns, 0.002);
  EXPECT_EQ(clocks.count(1), 0U) << "about two cycles in a millisecond";
  EXPECT_DOUBLE_EQ(clocks.at(2).cycles_per_ns, 0.004);
}

TEST(SideFiles, ZonesWithEqualMarkerIdsAreNamed) {
  // Two texts with one 16-bit hash, found by trying.
  std::map<std::uint16_t, std::string> seen;
  std::string first, second;
  for (int i = 0; second.empty(); ++i) {
    const std::string zone = "ZONE" + std::to_string(i) + ",a.cc,1,KERNEL_PROFILER";
    const auto [known, is_new] = seen.try_emplace(zone_marker_id(zone), zone);
    if (!is_new) {
      first = known->second;
      second = zone;
    }
  }
  PerfProblems problems;
  find_zone_collisions(
      "x: note: '#pragma message: " + first + "'\nx: note: '#pragma message: " + first + "'\n", problems);
  EXPECT_EQ(problems.count(PerfProblem::kZoneHashCollision), 0u);
  find_zone_collisions("'#pragma message: " + first + "'\n'#pragma message: " + second + "'\n", problems);
  EXPECT_EQ(problems.count(PerfProblem::kZoneHashCollision), 1u);
}

TEST(NocTrace, SumsTransfersByTypeAndSender) {
  const auto summary =
      read_noc_trace("noc_trace_dev2_Matmul_ID1026_traceID30064771073.json",
                     R"([{"zone": "BRISC-KERNEL", "zone_phase": "begin", "sx": 1, "sy": 2, "timestamp": 0},
          {"type": "READ", "num_bytes": 64, "sx": 1, "sy": 2},
          {"type": "WRITE_", "num_bytes": 8160, "sx": 3, "sy": 2, "op_name": "Matmul"},
          {"type": "FABRIC_UNICAST_WRITE", "sx": 1, "sy": 2, "dst": [{"num_bytes": 32}, {"num_bytes": 32}]}])");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->key.device, 2u);
  EXPECT_EQ(summary->key.op_id, 1026u);
  EXPECT_EQ(summary->key.trace, 7);
  EXPECT_EQ(summary->key.replay, 1);
  EXPECT_EQ(summary->all.transfers, 3u);
  EXPECT_EQ(summary->all.bytes, 8288u);
  EXPECT_EQ(summary->by_core.at({1, 2}).bytes, 128u);
  EXPECT_EQ(summary->saturated, 1u);
  EXPECT_FALSE(read_noc_trace("x.json", "{}"));
  EXPECT_FALSE(read_noc_trace("x.json", "[{\"type\": "));
}

/// Their size has 8 bits, in pieces of 32 bytes: larger ones look like 8160 bytes, which used to be taken for
/// their size.
TEST(NocTrace, TransfersWhoseSizeDidNotFitAreCounted) {
  const auto summary = read_noc_trace("x_ID1.json",
                                      R"([{"type": "READ", "num_bytes": 8160, "sx": 1, "sy": 2},
          {"type": "READ", "num_bytes": 8128, "sx": 1, "sy": 2}, {"type": "WRITE_", "num_bytes": 8160, "sx": 1, "sy": 2}])");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->saturated, 2u);
}

TEST(NocTrace, APortCarriesBothDirectionsAtOnce) {
  const auto summary =
      read_noc_trace("DRAM_TO_1x1.json",
                     R"([{"type": "READ", "noc": "NOC_0", "num_bytes": 640, "sx": 1, "sy": 2},
          {"type": "WRITE_", "noc": "NOC_0", "num_bytes": 960, "sx": 1, "sy": 2},
          {"type": "READ", "noc": "NOC_1", "num_bytes": 320, "sx": 1, "sy": 2}])");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->busiest_port_bytes(), 960u) << "640 bytes come in meanwhile";
  EXPECT_EQ(summary->op_name, "DRAM_TO_1x1") << "by its file, where nothing else names it";
}

TEST(NocTrace, ResultsOfTheSimulatorAreReadFromTheirBeginning) {
  const auto result = read_npe_result(
      "{\"common_info\": {\"link_util\": 10.14, \"dram_bw_util\": 23.16, \"noc\": {}}, \"noc_tr");
  ASSERT_TRUE(result);
  EXPECT_DOUBLE_EQ(result->link_util, 10.14);
  EXPECT_TRUE(std::isnan(result->congestion_impact));
  EXPECT_FALSE(read_npe_result("{\"common_info\": {\"link_util\": 10.14"));
  EXPECT_EQ(read_npe_manifest(R"([{"global_call_count": 5, "file": "a.npeviz.zst"}])").front().second,
            "a.npeviz.zst");
}

}  // namespace
}  // namespace ttscope::perf
