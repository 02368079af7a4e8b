// What is advised for ops, what of them is at fault, and what it would bring.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "perf/analyze/op_groups.h"
#include "perf/write/advice_text.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::advice_of;
using testing::Cells;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::joined_cells;
using ::testing::Not;
using testing::ns;
using testing::OpsCsv;
using testing::reading_of;
using testing::SlowDeviceRun;
using testing::tensor;

TEST(Advice, GainsOfSimulatedChipsWereCalledMeasured) {
  OpsReport table = SlowDeviceRun(4, 9).table(false);
  EXPECT_EQ(reading_of(table).advice.front().basis, GainBasis::kMeasured);
  table.capture_problems.add(PerfProblem::kSimulatedChips, "simulated_chips.txt");
  const OpAnalysis analysis = reading_of(table);
  for (const OpAdvice& advice : analysis.advice) {
    EXPECT_EQ(advice.basis, GainBasis::kModeled);
    EXPECT_THAT(advice_detail(table, analysis, advice), Not(HasSubstr("measured")));
  }
}

TEST(Advice, AnOpOfOneRowOfTilesIsNotToldToTakeMoreCores) {
  // The real case: a rotary embedding of 32 x 256 takes 6.6 us on one core. A norm of that shape can divide
  // its row.
  for (const char* name : {"RotaryEmbeddingDeviceOperation", "LayerNormDeviceOperation"}) {
    OpsCsv csv;
    const Cells tensors = joined_cells({tensor("INPUT_0_", "256[256]"), tensor("OUTPUT_0_", "256[256]")});
    for (int i = 0; i < 6; ++i) {
      Cells cells = tensors;
      cells["CORE COUNT"] = "1";
      cells["DEVICE KERNEL DURATION [ns]"] = "6600";
      csv.op(name, cells);
    }
    const OpAnalysis analysis = reading_of(csv.table());
    const bool is_norm = std::string_view(name).starts_with("Layer");
    EXPECT_EQ(advice_of(analysis, AdviceCause::kFewCores) != nullptr, is_norm) << name;
    EXPECT_EQ(advice_of(analysis, AdviceCause::kOpBelowPeak), nullptr) << name;
  }
}

TEST(Advice, AConversionAtItsUsualPriceIsNotSlow) {
  for (const auto& [us, is_slow] : {std::pair{1.6, false}, std::pair{40.0, true}}) {
    OpsCsv csv;
    Cells cells = joined_cells({tensor("INPUT_0_", "2048[2048]"), tensor("OUTPUT_0_", "2048[2048]")});
    cells["DEVICE KERNEL DURATION [ns]"] = ns(us);
    for (int i = 0; i < 6; ++i) csv.op("ReshardDeviceOperation", cells);
    const OpAnalysis analysis = reading_of(csv.table());
    EXPECT_EQ(advice_of(analysis, AdviceCause::kSlowConversion) != nullptr, is_slow) << us;
    EXPECT_NE(advice_of(analysis, AdviceCause::kConversions), nullptr) << us;
  }
}

TEST(Advice, ACollectiveIsNotPromisedLessThanItsStartAndHopsTake) {
  // Three small all-gathers of 20, 24 and 30 us on two devices; their links need some hundred ns.
  const auto advice_of = [](const std::vector<const char*>& times_ns) {
    OpsCsv csv;
    for (const char* ns : times_ns) {
      for (const char* device : {"0", "1"}) {
        csv.op("AllGatherAsync", joined_cells({{{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", ns}},
                                               tensor("INPUT_0_", "1024[1024]"),
                                               tensor("OUTPUT_0_", "2048[2048]")}));
      }
    }
    return reading_of(csv.table()).advice;
  };
  const std::vector<OpAdvice> several = advice_of({"20000", "24000", "30000"});
  ASSERT_EQ(several.size(), 1u);
  EXPECT_EQ(several[0].cause, AdviceCause::kCollectiveBelowPeak);
  EXPECT_EQ(several[0].latency_basis, LatencyBasis::kShortestOfRun);
  EXPECT_NEAR(several[0].gain_us, 4 + 10, 1);  // over the shortest
  // A single one has nothing to be compared with: a hop's latency is assumed.
  const std::vector<OpAdvice> single = advice_of({"20000"});
  ASSERT_EQ(single.size(), 1u);
  EXPECT_EQ(single[0].latency_basis, LatencyBasis::kPerHop);
  EXPECT_THAT(single[0].hints, IsEmpty()) << "nothing about cores: links limit it";
  EXPECT_NEAR(single[0].latency_us, kHopLatencyUs, 1e-9);
}

TEST(Advice, AMatmulOnTwoCoresIsToldSoWithBothBounds) {
  const OpsReport table =
      OpsCsv()
          .matmul("DEV_0_L1_WIDTH_SHARDED", {{"CORE COUNT", "2"}, {"DEVICE KERNEL DURATION [ns]", "30000"}})
          .table();
  const OpAnalysis analysis = reading_of(table);
  const OpAdvice* few = advice_of(analysis, AdviceCause::kFewCores);
  ASSERT_NE(few, nullptr);
  EXPECT_GT(few->ideal_us, few->all_cores_us);
  EXPECT_THAT(advice_title(table, analysis, *few), HasSubstr("runs on 2 of 110 cores"));
  EXPECT_THAT(advice_detail(table, analysis, *few), HasSubstr("with all cores"));
}

TEST(Advice, AnyProgramConfigIsOneAndAccuracyIsNoSpeed) {
  const Cells minimal = {{"ATTRIBUTES", "{'config': 'MinimalMatmulConfig(M_block_size=8;K_block_size=8)'}"},
                         {"MATH FIDELITY", "LoFi"},
                         {"DEVICE KERNEL DURATION [ns]", "400000"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", minimal).table();
  const OpAnalysis analysis = reading_of(table);
  const OpAdvice* matmul = advice_of(analysis, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(matmul, nullptr);
  const std::string detail = advice_detail(table, analysis, *matmul);
  EXPECT_EQ(detail.find("chose its program config"), std::string::npos) << detail;
  EXPECT_EQ(detail.find("accuracy"), std::string::npos) << detail;
}

TEST(Advice, AMinimalMatmulIsNotToldToShardItsWeights) {
  const auto hints = [](const Cells& cells, const char* memory) {
    Cells slow = {{"DEVICE KERNEL DURATION [ns]", "40000"}, {"MATH FIDELITY", "LoFi"}};
    slow.insert(cells.begin(), cells.end());
    const OpAnalysis analysis = reading_of(OpsCsv().matmul(memory, slow).table());
    const OpAdvice* matmul = advice_of(analysis, AdviceCause::kMatmulBelowPeak);
    EXPECT_NE(matmul, nullptr);
    return matmul == nullptr ? std::vector<AdviceHint>() : matmul->hints;
  };
  EXPECT_THAT(hints({}, "DEV_0_DRAM_INTERLEAVED"), Contains(AdviceHint::kTryDramSharded));
  EXPECT_THAT(hints({{"INPUT_1_MEMORY", "DEV_0_DRAM_WIDTH_SHARDED"}}, "DEV_0_DRAM_INTERLEAVED"),
              Not(Contains(AdviceHint::kTryDramSharded)));
  EXPECT_THAT(hints({{"OP CODE", "MinimalMatmulDeviceOperation"}}, "DEV_0_DRAM_INTERLEAVED"), IsEmpty());
  EXPECT_THAT(
      hints({{"ATTRIBUTES", "{'config': 'MinimalMatmulConfig(M_block_size=8)'}"}}, "DEV_0_DRAM_INTERLEAVED"),
      IsEmpty());
}

TEST(Advice, RowsOfTurnedOperandsWereCountedAsTheyLie) {
  const auto hints = [](const char* rows, const char* columns) {
    const Cells slow = {{"DEVICE KERNEL DURATION [ns]", "40000"},
                        {"MATH FIDELITY", "LoFi"},
                        {"ATTRIBUTES", "{'transpose_a': 'true'; 'transpose_b': 'false'}"},
                        {"INPUT_0_Y_PAD[LOGICAL]", rows},
                        {"INPUT_0_X_PAD[LOGICAL]", columns},
                        {"INPUT_1_Y_PAD[LOGICAL]", rows}};
    const OpAnalysis analysis = reading_of(OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", slow).table());
    const OpAdvice* matmul = advice_of(analysis, AdviceCause::kMatmulBelowPeak);
    EXPECT_NE(matmul, nullptr);
    return matmul == nullptr ? std::vector<AdviceHint>() : matmul->hints;
  };
  EXPECT_THAT(hints("1024", "32"), Contains(AdviceHint::kTryDramSharded))
      << "32 rows: weights are what it reads";
  EXPECT_THAT(hints("64", "1024"), Not(Contains(AdviceHint::kTryDramSharded))) << "1024 rows";
}

TEST(Advice, CoresOfADramShardedMatmulAreRightByDesign) {
  const Cells sharded = {
      {"ATTRIBUTES",
       "{'program_config': 'MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig(in0_block_w=4)'}"},
      {"CORE COUNT", "8"},
      {"DEVICE KERNEL DURATION [ns]", "90000"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_WIDTH_SHARDED", sharded).table();
  const OpAnalysis analysis = reading_of(table);
  const OpAdvice* matmul = advice_of(analysis, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(matmul, nullptr);
  EXPECT_THAT(advice_detail(table, analysis, *matmul), Not(HasSubstr("cores")));
}

TEST(Advice, AViewThatCopiesGainsAtMostAllThatItTakes) {
  // 40 us of kernels in 42 us of firmware behind a launch of 1 us, between two others.
  OpsCsv csv;
  const Cells view = {{"OP CODE", "ReshapeViewDeviceOperation"},
                      {"DEVICE KERNEL DURATION [ns]", "40000"},
                      {"DEVICE FW DURATION [ns]", "42000"},
                      {"DEVICE FW START CYCLE", "14850"},
                      {"DEVICE FW END CYCLE", "71550"}};
  csv.op("Unary", {{"DEVICE FW START CYCLE", "0"}, {"DEVICE FW END CYCLE", "13500"}});
  csv.matmul("DEV_0_DRAM_INTERLEAVED", view);
  csv.op("Unary", {{"DEVICE FW START CYCLE", "72900"}, {"DEVICE FW END CYCLE", "86400"}});
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  const OpAdvice* copies = advice_of(analysis, AdviceCause::kViewCostsTime);
  ASSERT_NE(copies, nullptr);
  EXPECT_NEAR(copies->gain_us, 43, 0.05);
  EXPECT_THAT(advice_detail(table, analysis, *copies), HasSubstr("an upper limit"));
}

TEST(Movement, SplitsConversionsByWhoCanRemoveThemAndAddsUp) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_WIDTH_SHARDED");
  csv.matmul("DEV_0_DRAM_INTERLEAVED",
             {{"OP CODE", "TilizeWithValPadding"}, {"DEVICE KERNEL DURATION [ns]", "819000"}});
  csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"OP CODE", "ReshapeViewDeviceOperation"}});
  csv.op("PagedUpdateCacheDeviceOperation").op("AllGather").op("NLPConcatHeads");
  const OpsReport table = csv.table();
  const OpAnalysis analysis = reading_of(table);
  const MovementBudget& budget = analysis.movement;
  EXPECT_NEAR(std::accumulate(budget.device_us.begin(), budget.device_us.end(), 0.0), analysis.ops.device_us,
              1e-9);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kLayout), 819);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kStructural), 20);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kComputes), 10);
  ASSERT_FALSE(budget.conversions.empty());
  EXPECT_DOUBLE_EQ(budget.conversions[0].device_us, 819);
  EXPECT_NE(advice_of(analysis, AdviceCause::kSlowConversion), nullptr) << "slow whatever else is advised";
  EXPECT_NE(advice_of(analysis, AdviceCause::kViewCostsTime), nullptr);
}

TEST(Movement, BandwidthOfAGroupIsThatOfAllItsOps) {
  // One name, input and type; the outputs differ in size: 64 KiB of input, 128 KiB of output.
  OpsCsv csv;
  const auto add = [&](const char* out_width, const char* took_ns) {
    csv.op("Tilize", joined_cells({{{"DEVICE KERNEL DURATION [ns]", took_ns}},
                                   tensor("INPUT_0_", "1024[1024]"),
                                   tensor("OUTPUT_0_", out_width)}));
  };
  add("1024[1024]", "11000");
  add("2048[2048]", "30000");
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.movement.conversions.size(), 1u);
  const Conversion& both = analysis.movement.conversions[0];
  EXPECT_EQ(both.ops, 2u);
  EXPECT_DOUBLE_EQ(both.bytes, 32 * 1024 * 2 + 32 * 2048 * 2);
  EXPECT_NEAR(both.gb_s(), both.bytes / 41 / 1e3, 1e-9);
  const OpAdvice* slow = advice_of(analysis, AdviceCause::kSlowConversion);
  ASSERT_NE(slow, nullptr);
  EXPECT_DOUBLE_EQ(slow->bytes, both.bytes);
}

}  // namespace
}  // namespace ttscope::perf
