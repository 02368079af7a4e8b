#include "perf/analyze/profile.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perf/write/advice_text.h"
#include "support/ops_csv.h"

namespace ttscope::perf {
namespace {

using testing::OpsCsv;

OpAnalysis reading_of(const OpsReport& table) {
  ShownOptions options;
  options.ignore_signposts = true;
  Result<OpAnalysis> analysis = analyze_ops(table, options);
  EXPECT_TRUE(analysis.has_value());
  return std::move(*analysis);
}

const OpAdvice* find_advice(const OpAnalysis& analysis, std::string_view key) {
  const auto found = std::find_if(analysis.advice.begin(), analysis.advice.end(),
                                  [&](const OpAdvice& advice) { return key_of(advice.cause) == key; });
  return found == analysis.advice.end() ? nullptr : &*found;
}

TEST(OpGaps, EachGapHasACauseAndTheyAddUp) {
  OpsCsv csv;
  csv.op("A");
  csv.op("B", {{"OP TO OP LATENCY [ns]", "300000000"}, {"HOST START TS", "301000000"}});  // first run
  csv.op("A", {{"OP TO OP LATENCY [ns]", "20000"}, {"HOST START TS", "301030000"}});      // sent late
  csv.op("B", {{"OP TO OP LATENCY [ns]", "2000"}, {"HOST START TS", "301040000"}});       // a launch
  csv.op("A", {{"OP TO OP LATENCY [ns]", "50000000"}, {"HOST START TS", "351060000"}});   // the host was away
  csv.op("B", {{"OP TO OP LATENCY [ns]", "9000000"}, {"HOST START TS", "351062000"}});    // it was not
  csv.op(
      "C",
      {{"METAL TRACE ID", "1"}, {"METAL TRACE REPLAY SESSION ID", "1"}, {"OP TO OP LATENCY [ns]", "40000"}});
  csv.op(
      "C",
      {{"METAL TRACE ID", "1"}, {"METAL TRACE REPLAY SESSION ID", "1"}, {"OP TO OP LATENCY [ns]", "7000"}});
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  const std::vector<GapCause> wanted = {GapCause::kLaunch, GapCause::kCompile, GapCause::kDispatch,
                                        GapCause::kLaunch, GapCause::kSync,    GapCause::kUnknown,
                                        GapCause::kSync,   GapCause::kTrace};
  EXPECT_EQ(analysis.gaps.causes, wanted);
  double sum = 0;
  for (const GapTotal& total : analysis.gaps.totals) sum += total.gap_us;
  EXPECT_DOUBLE_EQ(sum, analysis.ops.gap_us);
}

TEST(OpGaps, AShortGapIsNotTheHostsWhereItWasFarAhead) {
  // All ops are sent in 1 us each; each second one begins 30 us after the device is free. Then the host sends
  // one op each 60 us, what the device takes for one with a gap of 50 us.
  OpsCsv csv;
  const auto add = [&](int host_us, int gap_us) {
    csv.op("A", {{"HOST START TS", std::to_string(host_us * 1000)},
                 {"HOST DURATION [ns]", "500"},
                 {"OP TO OP LATENCY [ns]", std::to_string(gap_us * 1000)}});
  };
  for (int i = 0; i < 30; ++i) add(1000 + i, i % 2 == 0 ? 1 : 30);
  for (int i = 0; i < 40; ++i) add(1815 + 60 * i, 50);
  const OpAnalysis analysis = reading_of(csv.table());
  for (std::size_t i = 11; i < 30; i += 2) EXPECT_EQ(analysis.gaps.causes[i], GapCause::kUnknown) << i;
  for (std::size_t i = 30; i < 70; ++i) EXPECT_EQ(analysis.gaps.causes[i], GapCause::kDispatch) << i;
}

TEST(OpGaps, OpsWithoutCyclesDoNotTellThatTheHostWasAhead) {
  // The capture of a trace: the host sends, nothing runs. The timer of the device had counted for long by
  // then.
  constexpr std::int64_t kCyclesPerUs = 1350;
  constexpr std::int64_t kFirstCycle = 5'000'000'000'000;
  OpsCsv csv;
  for (int i = 0; i < 20; ++i) {
    const std::int64_t start = kFirstCycle + 60 * i * kCyclesPerUs;
    csv.op("A", {{"DEVICE FW START CYCLE", std::to_string(start)},
                 {"DEVICE FW END CYCLE", std::to_string(start + 10 * kCyclesPerUs)},
                 {"HOST START TS", std::to_string(1'000'000 + 60'000 * i)},
                 {"HOST DURATION [ns]", "500"},
                 {"OP TO OP LATENCY [ns]", i == 0 ? "0" : "50000"}});
  }
  csv.row({{"OP CODE", "A"},
           {"OP TYPE", "tt_dnn_device"},
           {"DEVICE ID", "0"},
           {"HOST START TS", "9000000"},
           {"HOST DURATION [ns]", "500"}});
  const OpAnalysis analysis = reading_of(csv.table());
  for (std::size_t i = 5; i < 20; ++i) EXPECT_EQ(analysis.gaps.causes[i], GapCause::kDispatch) << i;
}

TEST(OpGaps, RowsOfTheHostHaveNone) {
  // The device waits 30 us for an op of the host: once, not once for each row.
  OpsCsv csv;
  csv.op("A").row({{"OP CODE", "(torch) add"},
                   {"OP TYPE", "python_fallback"},
                   {"HOST DURATION [ns]", "5000"},
                   {"OP TO OP LATENCY [ns]", "900000000"}});
  csv.op("A", {{"OP TO OP LATENCY [ns]", "30000"}});
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_FALSE(has_number(analysis.ops.rows[1].gap_us));
  EXPECT_NEAR(analysis.ops.gap_us, 30, 1e-9);
  EXPECT_LE(analysis.ops.device_us + analysis.ops.gap_us, analysis.ops.path.wall_us + 0.01);
}

TEST(OpGaps, AShortGapBeforeAFirstRunIsNoCompilation) {
  const OpsReport table = OpsCsv().op("A").op("B", {{"OP TO OP LATENCY [ns]", "23000"}}).table();
  EXPECT_EQ(reading_of(table).gaps.causes[1], GapCause::kUnknown) << "nor is it known who was late";
}

TEST(OpGaps, WithoutNamesAndHostTimesTheCauseOfAGapIsUnknown) {
  const OpsReport table = testing::read_table(
      "GLOBAL CALL COUNT,OP TO OP LATENCY [ns],DEVICE KERNEL DURATION "
      "[ns]\n1024,0,10\n2048,900000000,10\n3072,20000,10\n");
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(analysis.gaps.causes,
            (std::vector<GapCause>{GapCause::kLaunch, GapCause::kUnknown, GapCause::kUnknown}));
  EXPECT_EQ(analysis.ops.compile_us, 0);
}

TEST(OpAdvice, UnknownGapsDoNotSpeakOfAHostThatTheReportDoesNotHave) {
  const OpsReport table = testing::read_table(
      "GLOBAL CALL COUNT,OP TO OP LATENCY [ns],DEVICE KERNEL DURATION [ns]\n1024,0,10\n2048,900000000,10\n");
  const OpAnalysis analysis = reading_of(table);
  const OpAdvice* advice = find_advice(analysis, "unknown_gaps");
  ASSERT_NE(advice, nullptr);
  EXPECT_NE(advice_detail(table, analysis, *advice).find("does not say when the host"), std::string::npos);
}

TEST(OpBounds, EveryOpHasABoundAndTheyAddUp) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_WIDTH_SHARDED");
  csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"OP CODE", "Unary"}});
  csv.op("Softmax", {{"PM IDEAL [ns]", "5000"}, {"PM COMPUTE [ns]", "5000"}});
  csv.op("Copy", {{"DRAM BW UTIL (%)", "40"}, {"NOC UTIL (%)", "20"}});
  csv.op("Fill", {{"DEVICE KERNEL FIRST TO LAST START [ns]", "9000"}});
  csv.row({{"OP CODE", "(torch) add"}, {"OP TYPE", "python_fallback"}, {"HOST DURATION [ns]", "5000"}});
  csv.op("Mystery");
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  const std::vector<OpBound>& rows = analysis.bounds.rows;
  EXPECT_EQ(rows[0].limit, OpLimit::kCompute);
  EXPECT_EQ(rows[0].model, LimitModel::kShapes);
  EXPECT_EQ(rows[1].limit, OpLimit::kDram);
  EXPECT_NEAR(static_cast<double>(rows[1].ideal_us), 2.0 * (32 * 1024 * 2 + 1024 * 1024) / 512e9 * 1e6, 1e-3);
  EXPECT_EQ(rows[2].limit, OpLimit::kCompute);
  EXPECT_EQ(rows[2].model, LimitModel::kPm);
  EXPECT_NEAR(static_cast<double>(rows[2].percent), 50, 1e-3);
  EXPECT_EQ(rows[3].limit, OpLimit::kDram);
  EXPECT_EQ(rows[3].model, LimitModel::kNpe);
  EXPECT_EQ(rows[4].limit, OpLimit::kDispatch);
  EXPECT_EQ(rows[5].limit, OpLimit::kHost);
  EXPECT_EQ(rows[6].limit, OpLimit::kUnknown);
  double sum = 0;
  for (const LimitTotal& total : analysis.bounds.totals) sum += total.device_us;
  EXPECT_DOUBLE_EQ(sum, analysis.ops.device_us);
}

/// Bytes that an op with these tensors moves; a tensor is its width in a row of tiles, and where it is.
OpTraffic traffic(const std::string& name, const std::vector<std::pair<std::string, std::string>>& inputs,
                  const std::pair<std::string, std::string>& output) {
  testing::Cells cells;
  const auto add = [&](const std::string& prefix, const std::pair<std::string, std::string>& tensor) {
    cells[prefix + "W_PAD[LOGICAL]"] = cells[prefix + "Z_PAD[LOGICAL]"] = "1[1]";
    cells[prefix + "Y_PAD[LOGICAL]"] = "32[32]";
    cells[prefix + "X_PAD[LOGICAL]"] = tensor.first;
    cells[prefix + "DATATYPE"] = "BFLOAT16";
    cells[prefix + "MEMORY"] = tensor.second;
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) add("INPUT_" + std::to_string(i) + "_", inputs[i]);
  add("OUTPUT_0_", output);
  OpsCsv csv;
  csv.op(name, cells);
  return traffic_of(csv.table(), csv.table().kinds[0], true);
}

TEST(OpTraffic, CountsWhatAnOpMustMove) {
  constexpr double kRow = 32 * 2;  // bytes of one column of a row of tiles
  const std::string dram = "DEV_0_DRAM_INTERLEAVED";
  const std::string shards = "DEV_0_L1_WIDTH_SHARDED";
  const std::string spread = "DEV_0_L1_INTERLEAVED";
  EXPECT_EQ(traffic("Unary", {{"1024", dram}}, {"1024", dram}).dram, 2048 * kRow);
  // A slice reads what it returns, an embedding the rows it looks up, not the table.
  EXPECT_EQ(traffic("SliceDeviceOperation", {{"16384", dram}}, {"64", dram}).dram, 128 * kRow);
  EXPECT_EQ(traffic("EmbeddingsDeviceOperation", {{"32", dram}, {"65536", dram}}, {"64", dram}).dram,
            (32 + 64 + 64) * kRow);
  EXPECT_EQ(traffic("RotaryEmbeddingDeviceOperation", {{"64", dram}, {"256", dram}}, {"64", dram}).dram,
            384 * kRow);
  // The destination of a copy or an update is listed as an input: it is written, not read.
  EXPECT_EQ(traffic("CopyDeviceOperation", {{"1024", dram}, {"1024", dram}}, {"1024", dram}).dram,
            2048 * kRow);
  EXPECT_EQ(traffic("PagedUpdateCacheDeviceOperation", {{"65536", dram}, {"64", dram}}, {"65536", dram}).dram,
            128 * kRow);
  EXPECT_EQ(
      traffic("ShardedToInterleavedPartialDeviceOperation", {{"64", shards}, {"4096", dram}}, {"4096", dram})
          .dram,
      64 * kRow);
  // Both directions have a network; shards stay on their core unless they are spread.
  EXPECT_EQ(traffic("Unary", {{"1024", spread}}, {"2048", spread}).noc, 2048 * kRow);
  EXPECT_EQ(traffic("BinaryNg", {{"1024", shards}, {"1024", shards}}, {"1024", shards}).noc, 0);
  EXPECT_EQ(traffic("ReshardDeviceOperation", {{"1024", shards}}, {"1024", shards}).noc, 1024 * kRow);
}

TEST(OpBounds, AnOpFasterThanItsModelHasNoPercentage) {
  OpsCsv csv;
  csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"OP CODE", "Unary"}, {"DEVICE KERNEL DURATION [ns]", "100"}});
  csv.op("Move", {{"DEVICE BRISC KERNEL DURATION [ns]", "9000"}});
  // Compute kernels ran, but no tensor tells whether they waited for data.
  csv.op("Mystery", {{"DEVICE TRISC1 KERNEL DURATION [ns]", "9000"}});
  csv.matmul("DEV_0_L1_HEIGHT_SHARDED",
             {{"OP CODE", "Unary"}, {"DEVICE TRISC1 KERNEL DURATION [ns]", "9000"}});
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_EQ(analysis.bounds.refuted, 1u);
  EXPECT_TRUE(analysis.bounds.rows[0].refuted);
  EXPECT_EQ(analysis.bounds.rows[0].ideal_us, 0);
  // What its processors did is known.
  EXPECT_EQ(analysis.bounds.rows[1].limit, OpLimit::kNoc);
  EXPECT_EQ(analysis.bounds.rows[1].model, LimitModel::kTimes);
  EXPECT_FALSE(analysis.bounds.rows[1].refuted);
  EXPECT_EQ(analysis.bounds.rows[2].limit, OpLimit::kUnknown);
  EXPECT_EQ(analysis.bounds.rows[3].limit, OpLimit::kCompute);
  EXPECT_TRUE(std::any_of(analysis.ops.notes.begin(), analysis.ops.notes.end(),
                          [](const OpNote& note) { return note.kind == NoteKind::kRefutedBounds; }));
}

TEST(OpBounds, CollectivesAreBoundByTheirLinks) {
  OpsCsv csv;
  for (const char* device : {"0", "1", "2", "3"}) {
    csv.matmul("DEV_0_DRAM_INTERLEAVED",
               {{"OP CODE", "AllGatherAsync"}, {"DEVICE ID", device}, {"ATTRIBUTES", "{'num_links': '2'}"}});
  }
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  ASSERT_EQ(analysis.bounds.rows.size(), 1u);
  // Three parts of 64 KiB come from two sides; over two links of 50 GB/s that is less than reading from DRAM.
  EXPECT_EQ(analysis.ops.facts_of(table, analysis.ops.rows[0]).category, OpCategory::kCcl);
  EXPECT_DOUBLE_EQ(analysis.ops.facts_of(table, analysis.ops.rows[0]).link_bytes, 65536 * 3 / 2);
  EXPECT_EQ(analysis.ops.facts_of(table, analysis.ops.rows[0]).links, 2);
}

TEST(OpBounds, L1IsReadOverOneNocAndWrittenOverTheOther) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_INTERLEAVED", {{"OP CODE", "BinaryNg"}, {"INPUT_1_Y_PAD[LOGICAL]", "32"}});
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(analysis.ops.facts_of(table, analysis.ops.rows[0]).traffic.noc, 2 * 32 * 1024 * 2);
  EXPECT_EQ(analysis.bounds.rows[0].limit, OpLimit::kNoc);
}

TEST(OpSkew, ASlowDeviceIsNotHidden) {
  // The merged table shows the slowest device and says nothing of the others.
  OpsCsv csv;
  const std::vector<std::string> durations = {"3500000", "3600000", "3550000", "6907000"};
  for (std::size_t i = 0; i < durations.size(); ++i) {
    csv.op("RingJointSDPA",
           {{"DEVICE ID", std::to_string(i)}, {"DEVICE KERNEL DURATION [ns]", durations[i]}});
  }
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  ASSERT_EQ(analysis.skew.groups.size(), 1u);
  EXPECT_EQ(analysis.skew.groups[0].slowest_device, 3);
  EXPECT_DOUBLE_EQ(analysis.skew.groups[0].lost_us(), 6907 - 3575);
  EXPECT_DOUBLE_EQ(analysis.skew.compute_lost_us, 6907 - 3575);
  ASSERT_EQ(analysis.skew.devices.size(), 4u);
  EXPECT_DOUBLE_EQ(analysis.skew.devices[3].behind_us, 6907 - 3575);
  const OpAdvice* advice = find_advice(analysis, "balance_devices");
  ASSERT_NE(advice, nullptr);
  EXPECT_NEAR(advice->gain_us, 6907 - 3600, 0.01) << "as fast as the others it waits for the next slowest";
  EXPECT_EQ(advice->device, 3);
  EXPECT_EQ(advice_title(table, analysis, *advice),
            "RingJointSDPA takes 1.9 times as long on device 3 as on the others");
}

TEST(OpSkew, WaitingInACollectiveIsToldFromASlowCollective) {
  // Users ask whether slow collectives are imbalance or launch skew. Both collectives take 10 us where the
  // last device comes in; device 1 is 6 us late for the second, so device 0 sits in it for 16.
  OpsCsv csv;
  const auto add = [&](const char* name, const char* device, const char* ns, const char* gap_ns) {
    csv.op(name,
           {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", ns}, {"OP TO OP LATENCY [ns]", gap_ns}});
  };
  add("AllReduce", "0", "14000", "1000");
  add("AllReduce", "1", "10000", "1000");
  add("Unary", "0", "5000", "1000");
  add("Unary", "1", "9000", "1000");
  add("AllGather", "0", "16000", "1000");
  add("AllGather", "1", "10000", "3000");
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_NEAR(analysis.skew.collective_wait_us, 2 + 3, 1e-2) << "device 0 waits, device 1 does not";
  EXPECT_NEAR(analysis.skew.collective_late_us, 4 + 6, 1e-2);
  ASSERT_EQ(analysis.skew.groups.size(), 1u) << "device 0 is not slow in the collectives, it waits there";
  EXPECT_EQ(analysis.skew.groups[0].slowest_device, 1);
  EXPECT_EQ(analysis.skew.devices[0].slowest_ops, 0u);
  EXPECT_EQ(analysis.skew.devices[1].slowest_ops, 1u);
}

TEST(OpSkew, EveryMergedOpHasItsSkew) {
  OpsCsv csv;
  const std::size_t ops = OpSkew::kGroupsListed + 20;
  for (std::size_t i = 0; i < ops; ++i) {
    for (const char* device : {"0", "1"}) {
      const std::size_t ns = 10'000 + (*device == '1' ? i * 100 : 0);
      csv.op("A" + std::to_string(i),
             {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", std::to_string(ns)}});
    }
  }
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.skew.groups.size(), ops);
  for (std::size_t i = 1; i < OpSkew::kGroupsListed; ++i)
    EXPECT_GE(analysis.skew.groups[i - 1].lost_us(), analysis.skew.groups[i].lost_us());
}

TEST(OpSkew, CollectivesThatRunBesideOtherOpsSaySo) {
  OpsCsv csv;
  const auto add = [&](const char* name, const char* start, const char* end) {
    for (const char* device : {"0", "1"}) {
      csv.op(name, {{"DEVICE ID", device},
                    {"DEVICE FW START CYCLE", start},
                    {"DEVICE FW END CYCLE", end},
                    {"DEVICE FW DURATION [ns]", "10000"}});
    }
  };
  add("AllGatherAsync", "100000", "113500");
  add("Matmul", "110800", "124300");  // 2700 cycles beside it
  add("Unary", "112150", "125650");   // in the same stretch: not counted twice
  add("ReduceScatter", "200000", "213500");
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.skew.devices.size(), 2u);
  for (const DeviceSkew& device : analysis.skew.devices) EXPECT_NEAR(device.overlap_us, 2, 1e-6);
}

TEST(OpAdvice, GainsAreRankedAndNameTheirRows) {
  OpsCsv csv;
  csv.op("A")
      .op("A", {{"OP TO OP LATENCY [ns]", "106000"}})
      .op("B", {{"OP TO OP LATENCY [ns]", "900000000"}});
  csv.matmul("DEV_0_L1", {{"DEVICE KERNEL DURATION [ns]", "4000000"}});
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  const OpAdvice* trace = find_advice(analysis, "unknown_gaps");  // of the second op nobody knows
  ASSERT_NE(trace, nullptr);
  EXPECT_NEAR(trace->gain_us, 100, 0.01);  // what a launch takes stays
  EXPECT_EQ(trace->rows, std::vector<std::uint32_t>{1});
  const OpAdvice* matmul = find_advice(analysis, "matmul_below_peak");
  ASSERT_NE(matmul, nullptr);
  EXPECT_EQ(matmul->basis, GainBasis::kModeled);
  EXPECT_GT(matmul->gain_us, trace->gain_us);
  EXPECT_LT(matmul, trace);
  for (const OpAdvice& advice : analysis.advice) {
    EXPECT_GE(advice.gain_us, analysis.ops.counted_us() * 0.005) << advice_title(table, analysis, advice);
    EXPECT_FALSE(advice.rows.empty()) << advice_title(table, analysis, advice);
  }
}

TEST(OpAnalysis, CategoriesAddUpToTheDeviceTime) {
  const OpsReport table = OpsCsv().op("Matmul").op("Tilize").op("Copy").op("AllGather").op("What").table();
  const OpAnalysis analysis = reading_of(table);
  double sum = 0;
  for (const StackEntry& entry : analysis.categories) sum += entry.device_us;
  EXPECT_DOUBLE_EQ(sum, analysis.ops.device_us);
  EXPECT_EQ(analysis.categories.size(), 5u);
}

}  // namespace
}  // namespace ttscope::perf
