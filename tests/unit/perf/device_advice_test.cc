// What is advised where devices of one run differ: which is at fault, and what its slowness costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perf/write/advice_text.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::advice_of;
using testing::Cells;
using ::testing::HasSubstr;
using testing::joined_cells;
using testing::ns;
using testing::OpsCsv;
using testing::reading_of;
using testing::SlowDeviceRun;
using testing::tensor;

TEST(DeviceAdvice, BlamesTheSlowOpOnItsDeviceAndNotTheCollectiveThatWaits) {
  const OpsReport table = SlowDeviceRun(4, 9).table(false);
  const OpAnalysis analysis = reading_of(table);
  ASSERT_FALSE(analysis.advice.empty());
  const OpAdvice& first = analysis.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
  EXPECT_EQ(first.severity, Severity::kCritical);
  EXPECT_EQ(advice_title(table, analysis, first),
            "Softmax takes 9.0 times as long on device 2 as on the others");
  EXPECT_NEAR(analysis.skew.collective_late_us, 4 * 80, 0.05);
  EXPECT_NEAR(analysis.skew.collective_wait_us, 4 * 60, 0.05) << "three of four devices wait";
  double gains = 0;
  for (const OpAdvice& advice : analysis.advice) gains += advice.gain_us;
  EXPECT_LE(gains, analysis.ops.path.wall_us);
}

TEST(DeviceAdvice, ASlowDeviceIsNotHiddenInTheBoundOfItsOp) {
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
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_FALSE(analysis.advice.empty());
  const OpAdvice& first = analysis.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 5 * 120, 0.05);
  const OpAdvice* below = advice_of(analysis, AdviceCause::kMatmulBelowPeak);
  ASSERT_NE(below, nullptr);
  EXPECT_NEAR(below->measured_us, 5 * 40, 0.01);
  EXPECT_LT(below->gain_us, 5 * 40);
}

TEST(DeviceAdvice, ASlowDeviceBehindALateOneIsNotHiddenInTheBoundOfItsOp) {
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
  const OpAnalysis analysis = reading_of(csv.table());
  const OpAdvice* slow = advice_of(analysis, AdviceCause::kSlowDevice);
  ASSERT_NE(slow, nullptr);
  EXPECT_TRUE(slow->is_after_others);
  EXPECT_EQ(slow->device, 2);
  // Late: 5 x 40 and four gaps of 200; slow: 5 x 160; mended, four gaps of 6 stay.
  EXPECT_NEAR(slow->gain_us, 800 - 224, 0.05);
  double gains = 0;
  for (const OpAdvice& advice : analysis.advice) {
    gains += advice.gain_us;
    if (advice.cause != AdviceCause::kSlowDevice && advice.cause != AdviceCause::kMatmulBelowPeak) {
      EXPECT_EQ(advice.device, 1);
      EXPECT_NEAR(advice.gain_us, 1000 - 800, 0.05);
    }
  }
  EXPECT_LT(gains, 1000);
}

TEST(DeviceAdvice, AnOpOffThePathGainsNothing) {
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
  const OpAnalysis analysis = reading_of(csv.table());
  for (const OpAdvice& advice : analysis.advice) {
    if (advice.cause != AdviceCause::kSlowDevice) continue;
    EXPECT_EQ(advice.device == 1, advice.is_after_others) << "device 1 is hidden behind device 0";
  }
  const OpAdvice* slow = advice_of(analysis, AdviceCause::kSlowDevice);
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

TEST(DeviceAdvice, ASecondCauseThatHidesBehindTheFirstIsSaid) {
  TwoCausesRun run;
  run.softmax_us[2] = 90;
  run.unary_us[1] = 50;
  const OpsReport table = run.table();
  const OpAnalysis analysis = reading_of(table);
  ASSERT_GE(analysis.advice.size(), 2u);
  EXPECT_EQ(analysis.advice[0].device, 2);
  EXPECT_FALSE(analysis.advice[0].is_after_others);
  EXPECT_NEAR(analysis.advice[0].gain_us, 4 * 40, 0.05) << "then device 1 is the last to come";
  EXPECT_EQ(analysis.advice[1].device, 1);
  EXPECT_TRUE(analysis.advice[1].is_after_others);
  EXPECT_NEAR(analysis.advice[1].gain_us, 4 * 40, 0.05);
  EXPECT_THAT(advice_title(table, analysis, analysis.advice[1]), HasSubstr("Unary"));
  EXPECT_THAT(advice_detail(table, analysis, analysis.advice[1]), HasSubstr("once the advice before it"));
}

/// Neither of them gains anything alone; where the second is a little quicker, the first does by 5 us each
/// time.
TEST(DeviceAdvice, DevicesThatHideEachOtherAreOneCause) {
  const auto title_with = [](double second_us) {
    TwoCausesRun run;
    run.softmax_us[1] = 90;
    run.softmax_us[2] = second_us;
    const OpsReport table = run.table();
    const OpAnalysis analysis = reading_of(table);
    if (analysis.advice.empty()) return std::string();
    const OpAdvice& first = analysis.advice.front();
    EXPECT_EQ(first.device, 1);
    EXPECT_EQ(first.more_devices, std::vector<std::int32_t>{2});
    EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
    EXPECT_FALSE(first.is_after_others);
    EXPECT_EQ(first.row_count, 4u);
    return advice_title(table, analysis, first);
  };
  EXPECT_EQ(title_with(90), "Softmax takes 9.0 times as long on devices 1, 2 as on the others");
  EXPECT_THAT(title_with(85), HasSubstr("on devices 1, 2 as on the others"));
}

TEST(DeviceAdvice, ThreeOfFourDevicesThatAreSlowInTheSameWayAreNamed) {
  TwoCausesRun run;
  run.softmax_us[0] = run.softmax_us[1] = run.softmax_us[3] = 90;
  const OpsReport table = run.table();
  const OpAnalysis analysis = reading_of(table);
  ASSERT_FALSE(analysis.advice.empty());
  const OpAdvice& first = analysis.advice.front();
  EXPECT_NEAR(first.gain_us, 4 * 80, 0.05);
  EXPECT_EQ(advice_title(table, analysis, first),
            "Softmax takes 9.0 times as long on devices 0, 1, 3 as on the others");
}

TEST(DeviceAdvice, ADeviceThatBeginsLateIsNamedThoughNoGapShowsIt) {
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
  const OpAnalysis analysis = reading_of(table);
  ASSERT_FALSE(analysis.advice.empty());
  const OpAdvice& first = analysis.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kLateStart);
  EXPECT_EQ(first.device, 2);
  EXPECT_NEAR(first.gain_us, 55, 0.05) << "then device 3 is the last";
  EXPECT_EQ(advice_title(table, analysis, first),
            "Device 2 begins 60.0 μs after the first, and others wait for it");
}

TEST(DeviceAdvice, DevicesThatAreSlowInTurnAreOneFindingAndNoneOfThemIsSlow) {
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
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(advice_of(analysis, AdviceCause::kSlowDevice), nullptr);
  ASSERT_FALSE(analysis.advice.empty());
  const OpAdvice& first = analysis.advice.front();
  EXPECT_EQ(first.cause, AdviceCause::kUnevenDevices);
  EXPECT_NEAR(first.gain_us, 8 * 20, 0.05);
  EXPECT_EQ(advice_title(table, analysis, first),
            "Softmax at times takes 2.0 times as long on devices 0, 1, 2, 3 as on the others");
}

TEST(DeviceAdvice, ADeviceThatLostItsFirstRowsIsNotSaidToBeginLate) {
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
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_EQ(advice_of(analysis, AdviceCause::kLateStart), nullptr);
}

TEST(DeviceAdvice, ACollectiveIsNotBlamedWhereADeviceThatAllWaitForHasLostItsLastRows) {
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
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(advice_of(analysis, AdviceCause::kCollectiveBelowPeak), nullptr);
  ASSERT_FALSE(analysis.advice.empty());
  EXPECT_EQ(analysis.advice.front().cause, AdviceCause::kSlowDevice);
  EXPECT_EQ(analysis.advice.front().device, 1);
  EXPECT_THAT(time_lines(table, analysis).front(), HasSubstr("device 1 (8, its last ones)"));
}

}  // namespace
}  // namespace ttscope::perf
