// What limits ops, and by what that is known; what names of ops tell.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "perf/write/notes_text.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::Cells;
using testing::OpsCsv;
using testing::reading_of;

TEST(OpBounds, AnOpBehindALongGapKeepsItsBoundAndSaysWhatDispatchCosts) {
  OpsCsv csv;
  csv.matmul("DEV_0_DRAM_INTERLEAVED").matmul("DEV_0_DRAM_INTERLEAVED", {{"OP TO OP LATENCY [ns]", "86000"}});
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_EQ(analysis.bounds.rows[1].limit, analysis.bounds.rows[0].limit);
  EXPECT_EQ(analysis.bounds.rows[1].percent, analysis.bounds.rows[0].percent);
  EXPECT_NEAR(static_cast<double>(analysis.bounds.rows[1].dispatch_us), 80, 1e-3);
}

/// A matmul without shapes had been told to be at 5 % of its compute bound, from the part of the runtime's
/// model that is not its bound.
TEST(OpBounds, WithoutTensorsAllOfTheRuntimesModelTells) {
  OpsCsv csv;
  csv.op("Matmul", {{"DEVICE KERNEL DURATION [ns]", "40000"},
                    {"PM IDEAL [ns]", "34000"},
                    {"PM COMPUTE [ns]", "2000"},
                    {"PM BANDWIDTH [ns]", "34000"}});
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_EQ(analysis.bounds.rows[0].limit, OpLimit::kDram);
  EXPECT_EQ(analysis.bounds.rows[0].model, LimitModel::kPm);
  EXPECT_NEAR(static_cast<double>(analysis.bounds.rows[0].percent), 85, 1e-3);
  EXPECT_EQ(testing::advice_of(analysis, AdviceCause::kMatmulBelowPeak), nullptr);
}

TEST(OpBounds, CountersOfTheRunGoBeforeTheModelOfItsShapes) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_WIDTH_SHARDED", {{"MATH Util Median (%)", "42"}});
  csv.matmul("DEV_0_L1_WIDTH_SHARDED");
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_EQ(analysis.bounds.rows[0].limit, OpLimit::kCompute);
  EXPECT_EQ(analysis.bounds.rows[0].model, LimitModel::kCounters);
  EXPECT_NEAR(static_cast<double>(analysis.bounds.rows[0].percent), 42, 1e-3);
  EXPECT_EQ(analysis.bounds.rows[1].model, LimitModel::kShapes);
}

TEST(OpBounds, WaitsForBuffersDecideBeforeTheModel) {
  // By its shapes the matmul in DRAM is limited by DRAM; by its waits it is not.
  const auto bound = [](const Cells& cells, bool are_means) {
    OpsCsv csv;
    csv.matmul("DEV_0_DRAM_INTERLEAVED", cells);
    OpsReport table = csv.table();
    table.cb_waits_are_means = are_means;
    return reading_of(table).bounds.rows[0];
  };
  const std::string waits = "DEVICE COMPUTE CB WAIT FRONT [ns]";
  const OpBound modeled = bound({}, true);
  EXPECT_EQ(modeled.model, LimitModel::kShapes);
  EXPECT_EQ(modeled.limit, OpLimit::kDram);
  const OpBound computes = bound({{waits, "500"}}, true);
  EXPECT_EQ(computes.limit, OpLimit::kCompute);
  EXPECT_EQ(computes.model, LimitModel::kWaits);
  EXPECT_EQ(computes.figure, LimitModel::kShapes);
  const OpBound moves = bound({{waits, "8000"}, {"MATH Util Median (%)", "90"}}, true);
  EXPECT_EQ(moves.limit, OpLimit::kDram);
  EXPECT_EQ(moves.model, LimitModel::kWaits);
  // The reference writes the sum over all cores: 64 cores of 10 us that wait 8 us each.
  EXPECT_EQ(bound({{waits, "512000"}, {"CORE COUNT", "64"}}, false).model, LimitModel::kWaits);
  EXPECT_EQ(bound({{waits, "512000"}, {"CORE COUNT", "64"}}, false).limit, OpLimit::kDram);
  // 8 us may be the wait of each core or of all together: that decides nothing.
  EXPECT_EQ(bound({{waits, "8000"}, {"CORE COUNT", "64"}}, false).model, LimitModel::kShapes);
}

TEST(OpBounds, WaitsThatAreZeroEverywhereWereNotRecorded) {
  const auto model = [](const char* second_ns) {
    OpsCsv csv;
    for (const char* waits_ns : {"0", second_ns}) {
      csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"DEVICE COMPUTE CB WAIT FRONT [ns]", waits_ns},
                                            {"DEVICE COMPUTE CB RESERVE BACK [ns]", "0"}});
    }
    OpsReport table = csv.table();
    table.cb_waits_are_means = true;
    return reading_of(table).bounds.rows[0].model;
  };
  EXPECT_EQ(model("0"), LimitModel::kShapes) << "a build without waits writes zeros";
  EXPECT_EQ(model("300"), LimitModel::kWaits) << "one that waits for nothing, beside one that waits";
}

TEST(OpBounds, ZonesOfKernelsTellWhichSideWasDoneEarly) {
  const auto bound = [](const char* movers_ns, const char* compute_ns) {
    OpsCsv csv;
    csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"DEVICE BRISC KERNEL DURATION [ns]", movers_ns},
                                          {"DEVICE NCRISC KERNEL DURATION [ns]", movers_ns},
                                          {"DEVICE TRISC1 KERNEL DURATION [ns]", compute_ns}});
    return reading_of(csv.table()).bounds.rows[0];
  };
  EXPECT_EQ(bound("9000", "10000").model, LimitModel::kShapes);
  EXPECT_EQ(bound("1000", "10000").limit, OpLimit::kCompute);
  EXPECT_EQ(bound("1000", "10000").model, LimitModel::kZones);
  EXPECT_EQ(bound("10000", "1000").limit, OpLimit::kDram);
  EXPECT_EQ(bound("10000", "1000").model, LimitModel::kZones);
  EXPECT_TRUE(is_measured(LimitModel::kZones));
  EXPECT_FALSE(is_measured(LimitModel::kShapes));
}

TEST(OpBounds, CountersOfPortsAndNocTracesReplaceTheModelOfTheNoc) {
  OpsCsv csv;
  csv.op("Copy",
         {{"NOC Ring 0 Outgoing Util Median (%)", "30"}, {"NOC Ring 1 Incoming Util Median (%)", "70"}});
  csv.op("Copy");
  OpsReport table = csv.table();
  table.noc_core_bytes = {std::numeric_limits<float>::quiet_NaN(), 345600};
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(analysis.bounds.rows[0].limit, OpLimit::kNoc);
  EXPECT_EQ(analysis.bounds.rows[0].model, LimitModel::kCounters);
  EXPECT_NEAR(static_cast<double>(analysis.bounds.rows[0].percent), 70, 1e-3);
  // 345,600 bytes over one port of 64 bytes a cycle at 1350 MHz take 4 us.
  EXPECT_EQ(analysis.bounds.rows[1].limit, OpLimit::kNoc);
  EXPECT_EQ(analysis.bounds.rows[1].model, LimitModel::kNocTrace);
  EXPECT_NEAR(static_cast<double>(analysis.bounds.rows[1].ideal_us), 4, 1e-3);
}

TEST(OpPeaks, WormholeLoFiIs4096FlopsACycleAndNothingIsAbovePeak) {
  // 2 * 1024 * 1024 * 1024 operations on 64 cores at 1 GHz take at least 8.192 us.
  const Cells shape = {{"DEVICE ARCH", "wormhole_b0"},          {"MATH FIDELITY", "LoFi"},
                       {"INPUT_0_Y_PAD[LOGICAL]", "1024"},      {"OUTPUT_0_Y_PAD[LOGICAL]", "1024"},
                       {"DEVICE FW START CYCLE", "1000"},       {"DEVICE FW END CYCLE", "9623"},
                       {"DEVICE KERNEL DURATION [ns]", "8623"}, {"AVAILABLE WORKER CORE COUNT", "64"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_L1_BLOCK_SHARDED", shape).table();
  EXPECT_NEAR(reading_of(table).ops.rows[0].flops_percent, 95, 0.01);
  Cells faster = shape;
  faster["DEVICE FW END CYCLE"] = "8600";
  faster["DEVICE KERNEL DURATION [ns]"] = "7600";
  const OpAnalysis above = reading_of(OpsCsv().matmul("DEV_0_L1_BLOCK_SHARDED", faster).table());
  EXPECT_FALSE(has_number(above.ops.rows[0].flops_percent));
  EXPECT_EQ(above.bounds.rows[0].percent, 0);
}

TEST(OpCategory, NamesThatNoListKnowsGoByWhatTheyDoAndAreNamed) {
  OpsCsv csv;
  const Cells compute = {{"DEVICE TRISC1 KERNEL DURATION [ns]", "9000"},
                         {"DEVICE BRISC KERNEL DURATION [ns]", "9000"}};
  const Cells mover = {{"DEVICE BRISC KERNEL DURATION [ns]", "9000"}, {"OUTPUT_0_Y_PAD[LOGICAL]", "64"}};
  csv.matmul("DEV_0_L1_INTERLEAVED", compute);
  Cells fancy = compute;
  fancy["OP CODE"] = "FancyThing";
  csv.matmul("DEV_0_L1_INTERLEAVED", fancy);
  Cells strange = mover;
  strange["OP CODE"] = "StrangeThing";
  csv.matmul("DEV_0_L1_INTERLEAVED", strange);
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(analysis.ops.facts_of(table, analysis.ops.rows[1]).category, OpCategory::kCompute);
  EXPECT_EQ(analysis.ops.facts_of(table, analysis.ops.rows[2]).category, OpCategory::kDm);
  EXPECT_EQ(analysis.ops.unclassified, (std::vector<std::string>{"FancyThing", "StrangeThing"}));
  const auto note = std::find_if(analysis.ops.notes.begin(), analysis.ops.notes.end(),
                                 [](const OpNote& one) { return one.kind == NoteKind::kUnknownOps; });
  ASSERT_NE(note, analysis.ops.notes.end());
  EXPECT_EQ(note_text(*note),
            "Names that no list knows go by what the op does: FancyThing is Compute (its compute processors "
            "worked); StrangeThing is DM (its compute processors did nothing).");
}

}  // namespace
}  // namespace ttscope::perf
