// What is advised, what of it is at fault, and what it would bring.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "perf/analyse/advice/movement.h"
#include "perf/write/words/advice_text.h"
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

TEST(Advice, BlamesTheSlowOpOnItsDeviceAndNotTheCollectiveThatWaits) {
  const OpsReport table = SlowDeviceRun(4, 9).table(false);
  const OpReading reading = reading_of(table);
  ASSERT_FALSE(reading.advice.empty());
  const OpAdvice& first = reading.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
  EXPECT_EQ(first.severity, Severity::kCritical);
  EXPECT_EQ(advice_title(table, reading, first),
            "Softmax takes 9.0 times as long on device 2 as on the others");
  EXPECT_NEAR(reading.skew.collective_late_us, 4 * 80, 0.05);
  EXPECT_NEAR(reading.skew.collective_wait_us, 4 * 60, 0.05) << "three of four devices wait";
  double gains = 0;
  for (const OpAdvice& advice : reading.advice) gains += advice.gain_us;
  EXPECT_LE(gains, reading.ops.path.wall_us);
}

TEST(Advice, GainsOfSimulatedChipsWereCalledMeasured) {
  OpsReport table = SlowDeviceRun(4, 9).table(false);
  EXPECT_EQ(reading_of(table).advice.front().basis, GainBasis::kMeasured);
  table.capture_problems.add(PerfProblem::kSimulatedChips, "simulated_chips.txt");
  const OpReading reading = reading_of(table);
  for (const OpAdvice& advice : reading.advice) {
    EXPECT_EQ(advice.basis, GainBasis::kModelled);
    EXPECT_THAT(advice_detail(table, reading, advice), Not(HasSubstr("measured")));
  }
}

TEST(Advice, ASlowDeviceIsNotHiddenInTheBoundOfItsOp) {
  // What one device took longer was said to be missing to the peak on all devices, and the device was not
  // named.
  OpsCsv csv;
  for (int i = 0; i < 5; ++i) {
    for (int device = 0; device < 4; ++device) {
      csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"DEVICE ID", std::to_string(device)},
                                            {"GLOBAL CALL COUNT", std::to_string(1024 * (i + 1) + device)},
                                            {"DEVICE KERNEL DURATION [ns]", ns(device == 2 ? 160 : 40)}});
    }
  }
  const OpReading reading = reading_of(csv.table());
  ASSERT_FALSE(reading.advice.empty());
  const OpAdvice& first = reading.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 5 * 120, 0.05);
  const OpAdvice* below = advice_of(reading, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(below, nullptr);
  EXPECT_NEAR(below->measured_us, 5 * 40, 0.01);
  EXPECT_LT(below->gain_us, 5 * 40);
}

TEST(Advice, ASlowDeviceBehindALateOneIsNotHiddenInTheBoundOfItsOp) {
  OpsCsv csv;
  for (int i = 0; i < 5; ++i) {
    for (int device = 0; device < 4; ++device) {
      csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"DEVICE ID", std::to_string(device)},
                                            {"GLOBAL CALL COUNT", std::to_string(1024 * (i + 1) + device)},
                                            {"HOST START TS", ns(240 * i)},
                                            {"OP TO OP LATENCY [ns]", device == 1 ? "200000" : "0"},
                                            {"DEVICE KERNEL DURATION [ns]", ns(device == 2 ? 160 : 40)}});
    }
  }
  const OpReading reading = reading_of(csv.table());
  const OpAdvice* slow = advice_of(reading, AdviceCause::kSlowDevice);
  ASSERT_NE(slow, nullptr);
  EXPECT_TRUE(slow->is_after_others);
  EXPECT_EQ(slow->device, 2);
  // Late: 5 x 40 and four gaps of 200; slow: 5 x 160; mended, four gaps of 6 stay.
  EXPECT_NEAR(slow->gain_us, 800 - 224, 0.05);
  double gains = 0;
  for (const OpAdvice& advice : reading.advice) {
    gains += advice.gain_us;
    if (advice.cause != AdviceCause::kSlowDevice && advice.cause != AdviceCause::kMatmulBelowPeak) {
      EXPECT_EQ(advice.device, 1);
      EXPECT_NEAR(advice.gain_us, 1000 - 800, 0.05);
    }
  }
  EXPECT_LT(gains, 1000);
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
    const OpReading reading = reading_of(csv.table());
    const bool is_norm = std::string_view(name).starts_with("Layer");
    EXPECT_EQ(advice_of(reading, AdviceCause::kFewCores) != nullptr, is_norm) << name;
    EXPECT_EQ(advice_of(reading, AdviceCause::kOpBelowPeak), nullptr) << name;
  }
}

TEST(Advice, AConversionAtItsUsualPriceIsNotSlow) {
  for (const auto& [us, is_slow] : {std::pair{1.6, false}, std::pair{40.0, true}}) {
    OpsCsv csv;
    Cells cells = joined_cells({tensor("INPUT_0_", "2048[2048]"), tensor("OUTPUT_0_", "2048[2048]")});
    cells["DEVICE KERNEL DURATION [ns]"] = ns(us);
    for (int i = 0; i < 6; ++i) csv.op("ReshardDeviceOperation", cells);
    const OpReading reading = reading_of(csv.table());
    EXPECT_EQ(advice_of(reading, AdviceCause::kSlowConversion) != nullptr, is_slow) << us;
    EXPECT_NE(advice_of(reading, AdviceCause::kConversions), nullptr) << us;
  }
}

TEST(Advice, AnOpOffThePathGainsNothing) {
  // Device 1 waits for device 0, so its slow Unary costs nothing.
  OpsCsv csv;
  const auto add = [&](const char* name, const char* device, double us) {
    csv.op(name, {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", ns(us)}});
  };
  for (int i = 0; i < 3; ++i) {
    add("Softmax", "0", 100);
    add("Unary", "0", 10);
    add("AllGather", "0", 10);
    add("Softmax", "1", 20);
    add("Unary", "1", 40);
    add("AllGather", "1", 60);
  }
  const OpReading reading = reading_of(csv.table());
  for (const OpAdvice& advice : reading.advice) {
    if (advice.cause != AdviceCause::kSlowDevice) continue;
    EXPECT_EQ(advice.device == 1, advice.is_after_others) << "device 1 is hidden behind device 0";
  }
  const OpAdvice* slow = advice_of(reading, AdviceCause::kSlowDevice);
  ASSERT_NE(slow, nullptr);
  EXPECT_NEAR(slow->gain_us, 3 * 50, 0.05) << "then device 1 is the last to come";
}

/// Layers of Softmax, Unary and AllGather on four devices that come to the AllGather at different times.
class TwoCausesRun {
 public:
  std::vector<double> softmax_us = {10, 10, 10, 10};  ///< by device
  std::vector<double> unary_us = {10, 10, 10, 10};

  OpsReport table() const {
    OpsCsv csv;
    double last_us = 0;
    for (std::size_t i = 0; i < softmax_us.size(); ++i)
      last_us = std::max(last_us, softmax_us[i] + unary_us[i]);
    for (int layer = 0; layer < 4; ++layer) {
      for (std::size_t device = 0; device < softmax_us.size(); ++device) {
        const double waits_us = last_us - softmax_us[device] - unary_us[device];
        add(csv, "Softmax", device, softmax_us[device]);
        add(csv, "Unary", device, unary_us[device]);
        add(csv, "AllGather", device, 5 + waits_us);
      }
    }
    return csv.table();
  }

 private:
  static void add(OpsCsv& csv, const char* name, std::size_t device, double us) {
    csv.op(name, {{"DEVICE ID", std::to_string(device)}, {"DEVICE KERNEL DURATION [ns]", ns(us)}});
  }
};

TEST(Advice, ASecondCauseThatHidesBehindTheFirstIsSaid) {
  TwoCausesRun run;
  run.softmax_us[2] = 90;
  run.unary_us[1] = 50;
  const OpsReport table = run.table();
  const OpReading reading = reading_of(table);
  ASSERT_GE(reading.advice.size(), 2u);
  EXPECT_EQ(reading.advice[0].device, 2);
  EXPECT_FALSE(reading.advice[0].is_after_others);
  EXPECT_NEAR(reading.advice[0].gain_us, 4 * 40, 0.05) << "then device 1 is the last to come";
  EXPECT_EQ(reading.advice[1].device, 1);
  EXPECT_TRUE(reading.advice[1].is_after_others);
  EXPECT_NEAR(reading.advice[1].gain_us, 4 * 40, 0.05);
  EXPECT_THAT(advice_title(table, reading, reading.advice[1]), HasSubstr("Unary"));
  EXPECT_THAT(advice_detail(table, reading, reading.advice[1]), HasSubstr("once the advice before it"));
}

/// Neither of them gains anything alone; where the second is a little quicker, the first does by 5 us each
/// time.
TEST(Advice, DevicesThatHideEachOtherAreOneCause) {
  const auto title_with = [](double second_us) {
    TwoCausesRun run;
    run.softmax_us[1] = 90;
    run.softmax_us[2] = second_us;
    const OpsReport table = run.table();
    const OpReading reading = reading_of(table);
    if (reading.advice.empty()) return std::string();
    const OpAdvice& first = reading.advice.front();
    EXPECT_EQ(first.device, 1);
    EXPECT_EQ(first.more_devices, std::vector<std::int32_t>{2});
    EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
    EXPECT_FALSE(first.is_after_others);
    EXPECT_EQ(first.row_count, 4u);
    return advice_title(table, reading, first);
  };
  EXPECT_EQ(title_with(90), "Softmax takes 9.0 times as long on devices 1, 2 as on the others");
  EXPECT_THAT(title_with(85), HasSubstr("on devices 1, 2 as on the others"));
}

TEST(Advice, ThreeOfFourDevicesThatAreSlowInTheSameWayAreNamed) {
  TwoCausesRun run;
  run.softmax_us[0] = run.softmax_us[1] = run.softmax_us[3] = 90;
  const OpsReport table = run.table();
  const OpReading reading = reading_of(table);
  ASSERT_FALSE(reading.advice.empty());
  const OpAdvice& first = reading.advice.front();
  EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
  EXPECT_EQ(advice_title(table, reading, first),
            "Softmax takes 9.0 times as long on devices 0, 1, 3 as on the others");
}

TEST(Advice, ADeviceThatBeginsLateIsNamedThoughNoGapShowsIt) {
  // Device 2 begins 60 us after the others, device 3 5 us: they wait in the first exchange.
  OpsCsv csv;
  const double late_us[] = {0, 0, 60, 5};
  for (int device = 0; device < 4; ++device) {
    const Cells number = {{"DEVICE ID", std::to_string(device)}};
    const Cells begin = {{"OP TO OP LATENCY [ns]", ns(1 + late_us[device])}};
    csv.op("Softmax", joined_cells({number, begin}));
    csv.op("AllGather",
           joined_cells({number, {{"DEVICE KERNEL DURATION [ns]", ns(5 + 60 - late_us[device])}}}));
    csv.op("Softmax", number);
    csv.op("AllGather", joined_cells({number, {{"DEVICE KERNEL DURATION [ns]", ns(5)}}}));
  }
  const OpsReport table = csv.table();
  const OpReading reading = reading_of(table);
  ASSERT_FALSE(reading.advice.empty());
  const OpAdvice& first = reading.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kLateStart);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 55, 0.05) << "then device 3 is the last";
  EXPECT_EQ(advice_title(table, reading, first),
            "Device 2 begins 60.0 μs after the first, and others wait for it");
}

TEST(Advice, DevicesThatAreSlowInTurnAreOneFindingAndNoneOfThemIsSlow) {
  // In each layer another device takes twice as long: all take the same in all.
  OpsCsv csv;
  for (int layer = 0; layer < 8; ++layer) {
    for (int device = 0; device < 4; ++device) {
      const bool is_slow = layer % 4 == device;
      const Cells number = {{"DEVICE ID", std::to_string(device)}};
      csv.op("Softmax", joined_cells({number, {{"DEVICE KERNEL DURATION [ns]", ns(is_slow ? 40 : 20)}}}));
      csv.op("AllGather", joined_cells({number, {{"DEVICE KERNEL DURATION [ns]", ns(is_slow ? 5 : 25)}}}));
    }
  }
  const OpsReport table = csv.table();
  const OpReading reading = reading_of(table);
  EXPECT_EQ(advice_of(reading, AdviceCause::kSlowDevice), nullptr);
  ASSERT_FALSE(reading.advice.empty());
  const OpAdvice& first = reading.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kUnevenDevices);
  EXPECT_NEAR(first.gain_us, 8 * 20, 0.05);
  EXPECT_EQ(advice_title(table, reading, first),
            "Softmax at times takes 2.0 times as long on devices 0, 1, 2, 3 as on the others");
}

TEST(Advice, ADeviceThatLostItsFirstRowsIsNotSaidToBeginLate) {
  // Device 2 takes 20 us longer for its matmul, but its first two rows are lost.
  OpsCsv csv;
  for (int device = 0; device < 4; ++device) {
    const Cells number = {{"DEVICE ID", std::to_string(device)}};
    const auto op = [&](const char* name, double us, double gap_us) {
      csv.op(name,
             joined_cells(
                 {number, {{"DEVICE KERNEL DURATION [ns]", ns(us)}, {"OP TO OP LATENCY [ns]", ns(gap_us)}}}));
    };
    if (device != 2) {
      op("Tilize", 30, 1);
      op("Matmul", 30, 1);
    }
    op("Softmax", 10, device == 2 ? 83 : 1);
    op("AllGather", device == 2 ? 5 : 25, 1);
    op("Softmax", 10, 1);
    op("AllGather", 5, 1);
  }
  const OpReading reading = reading_of(csv.table());
  EXPECT_EQ(advice_of(reading, AdviceCause::kLateStart), nullptr);
}

TEST(Advice, ACollectiveIsNotBlamedWhereADeviceThatAllWaitForHasLostItsLastRows) {
  // Device 1 is slow all the time, but its rows end with the second layer of six.
  OpsCsv csv;
  for (int layer = 0; layer < 6; ++layer) {
    for (int device = 0; device < 4; ++device) {
      if (device == 1 && layer > 1) continue;
      const bool is_slow = device == 1;
      const auto op = [&](const char* name, int place, double us) {
        csv.op(name,
               joined_cells(
                   {tensor("INPUT_0_", "64[64]"),
                    tensor("OUTPUT_0_", "256[256]"),
                    {{"DEVICE ID", std::to_string(device)},
                     {"GLOBAL CALL COUNT", std::to_string(1024 * (2 * layer + place + 1) + device)},
                     {"ATTRIBUTES", place == 1 ? "{'num_links': '1'; 'topology': 'Topology::Ring'}" : ""},
                     {"DEVICE KERNEL DURATION [ns]", ns(us)}}}));
      };
      op("Softmax", 0, is_slow ? 300 : 20);
      op("AllGather", 1, is_slow ? 5 : 285);
    }
  }
  const OpsReport table = csv.table();
  const OpReading reading = reading_of(table);
  EXPECT_EQ(advice_of(reading, AdviceCause::kCollectiveBelowPeak), nullptr);
  ASSERT_FALSE(reading.advice.empty());
  EXPECT_EQ(reading.advice.front().cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(reading.advice.front().device, 1);
  EXPECT_THAT(time_lines(table, reading).front(), HasSubstr("device 1 (8, its last ones)"));
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
  const OpReading reading = reading_of(table);
  const OpAdvice* few = advice_of(reading, AdviceCause::kFewCores);
  ASSERT_NE(few, nullptr);
  EXPECT_GT(few->ideal_us, few->all_cores_us);
  EXPECT_THAT(advice_title(table, reading, *few), HasSubstr("runs on 2 of 110 cores"));
  EXPECT_THAT(advice_detail(table, reading, *few), HasSubstr("with all cores"));
}

TEST(Advice, AnyProgramConfigIsOneAndAccuracyIsNoSpeed) {
  const Cells minimal = {{"ATTRIBUTES", "{'config': 'MinimalMatmulConfig(M_block_size=8;K_block_size=8)'}"},
                         {"MATH FIDELITY", "LoFi"},
                         {"DEVICE KERNEL DURATION [ns]", "400000"}};
  const OpsReport table = OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", minimal).table();
  const OpReading reading = reading_of(table);
  const OpAdvice* matmul = advice_of(reading, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(matmul, nullptr);
  const std::string detail = advice_detail(table, reading, *matmul);
  EXPECT_EQ(detail.find("chose its program config"), std::string::npos) << detail;
  EXPECT_EQ(detail.find("accuracy"), std::string::npos) << detail;
}

TEST(Advice, AMinimalMatmulIsNotToldToShardItsWeights) {
  const auto hints = [](const Cells& cells, const char* memory) {
    Cells slow = {{"DEVICE KERNEL DURATION [ns]", "40000"}, {"MATH FIDELITY", "LoFi"}};
    slow.insert(cells.begin(), cells.end());
    const OpReading reading = reading_of(OpsCsv().matmul(memory, slow).table());
    const OpAdvice* matmul = advice_of(reading, AdviceCause::kMatmulBelowPeak);
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
    const OpReading reading = reading_of(OpsCsv().matmul("DEV_0_DRAM_INTERLEAVED", slow).table());
    const OpAdvice* matmul = advice_of(reading, AdviceCause::kMatmulBelowPeak);
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
  const OpReading reading = reading_of(table);
  const OpAdvice* matmul = advice_of(reading, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(matmul, nullptr);
  EXPECT_THAT(advice_detail(table, reading, *matmul), Not(HasSubstr("cores")));
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
  const OpReading reading = reading_of(table);
  const OpAdvice* copies = advice_of(reading, AdviceCause::kViewCostsTime);
  ASSERT_NE(copies, nullptr);
  EXPECT_NEAR(copies->gain_us, 43, 0.05);
  EXPECT_THAT(advice_detail(table, reading, *copies), HasSubstr("an upper limit"));
}

TEST(Movement, SplitsConversionsByWhoCanRemoveThemAndAddsUp) {
  OpsCsv csv;
  csv.matmul("DEV_0_L1_WIDTH_SHARDED");
  csv.matmul("DEV_0_DRAM_INTERLEAVED",
             {{"OP CODE", "TilizeWithValPadding"}, {"DEVICE KERNEL DURATION [ns]", "819000"}});
  csv.matmul("DEV_0_DRAM_INTERLEAVED", {{"OP CODE", "ReshapeViewDeviceOperation"}});
  csv.op("PagedUpdateCacheDeviceOperation").op("AllGather").op("NLPConcatHeads");
  const OpsReport table = csv.table();
  const OpReading reading = reading_of(table);
  const MovementBudget& budget = reading.movement;
  EXPECT_NEAR(std::accumulate(budget.device_us.begin(), budget.device_us.end(), 0.0), reading.ops.device_us,
              1e-9);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kLayout), 819);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kStructural), 20);
  EXPECT_DOUBLE_EQ(budget.of(MovementClass::kComputes), 10);
  ASSERT_FALSE(budget.conversions.empty());
  EXPECT_DOUBLE_EQ(budget.conversions[0].device_us, 819);
  EXPECT_NE(advice_of(reading, AdviceCause::kSlowConversion), nullptr) << "slow whatever else is advised";
  EXPECT_NE(advice_of(reading, AdviceCause::kViewCostsTime), nullptr);
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
  const OpReading reading = reading_of(csv.table());
  ASSERT_EQ(reading.movement.conversions.size(), 1u);
  const Conversion& both = reading.movement.conversions[0];
  EXPECT_EQ(both.ops, 2u);
  EXPECT_DOUBLE_EQ(both.bytes, 32 * 1024 * 2 + 32 * 2048 * 2);
  EXPECT_NEAR(both.gb_s(), both.bytes / 41 / 1e3, 1e-9);
  const OpAdvice* slow = advice_of(reading, AdviceCause::kSlowConversion);
  ASSERT_NE(slow, nullptr);
  EXPECT_DOUBLE_EQ(slow->bytes, both.bytes);
}

}  // namespace
}  // namespace ttscope::perf
