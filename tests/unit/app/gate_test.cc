// Runs and budgets files as they are given to `ttscope gate`.
#include "app/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/ops_csv.h"
#include "support/profile_text.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::OpsCsv;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string ops_text(const std::string& kernel_ns) {
  return OpsCsv().op("Matmul", {{"DEVICE KERNEL DURATION [ns]", kernel_ns}}).op("Softmax").text();
}

std::string memory_text() {
  testing::LogText log;
  log.start("main").block("ttnn.ones", 0).op(testing::ones("%0", 2));
  log.block("ttnn.neg", 2 * testing::kUnit).op(testing::neg("%1", "%0", 2)).finish("main");
  return log.text();
}

class GateRuns : public ::testing::Test {
 protected:
  std::string budget(const std::string& text) const { return folder_.file("budget.toml", text); }
  static std::string refusal(const Result<gate::GateResult>& report) {
    EXPECT_FALSE(report);
    return report ? std::string() : report.error().message;
  }

  testing::TempFolder folder_;
  std::string csv_ = folder_.file("a.csv", ops_text("10000"));
  std::string slow_ = folder_.file("slow.csv", ops_text("20000"));
};

TEST_F(GateRuns, ABoundIsHeldUpToItself) {
  const std::string held = budget("[time.ops.Matmul]\ndevice_us = 10\n");
  const auto within = gate_runs({csv_}, held);
  ASSERT_TRUE(within) << within.error().message;
  EXPECT_TRUE(within->passed());
  const auto over = gate_runs({slow_}, held);
  ASSERT_TRUE(over) << over.error().message;
  ASSERT_THAT(over->checks, SizeIs(1));
  EXPECT_EQ(over->checks[0].reason, gate::Reason::kOverBound);
  EXPECT_DOUBLE_EQ(*over->checks[0].value, 20);
  EXPECT_FALSE(over->passed());
}

TEST_F(GateRuns, RepeatsAreOneRunAndCountByTheirMedian) {
  const auto report =
      gate_runs({csv_ + "," + slow_ + "," + slow_}, budget("[time.ops.Matmul]\ndevice_us = 10\n"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(report->runs, SizeIs(1));
  EXPECT_EQ(report->runs[0].repeats, 3u);
  EXPECT_EQ(report->runs[0].input, csv_);
  EXPECT_DOUBLE_EQ(*report->checks.at(0).value, 20);
}

TEST_F(GateRuns, TwoRunsOfOneSubjectAreRefusedWithHowRepeatsAreWritten) {
  EXPECT_EQ(refusal(gate_runs({csv_, slow_}, budget("[time]\nwall_us = 1000\n"))),
            csv_ + " and " + slow_ + " are both of `perf`; repeats are written " + csv_ + "," + slow_ +
                " and files of one run " + csv_ + "+" + slow_);
}

TEST_F(GateRuns, RunsOfTwoSubjectsAreHeldAgainstTheirOwnSections) {
  const std::string log = folder_.file("run.log", memory_text());
  const auto report = gate_runs({csv_, log}, budget("[memory]\ndram_peak_gb = 1\n[time]\nwall_us = 1000\n"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(report->runs, SizeIs(2));
  EXPECT_EQ(report->runs[0].section, gate::Section::kTime);
  EXPECT_EQ(report->runs[1].section, gate::Section::kMemory);
  EXPECT_TRUE(report->passed());
}

TEST_F(GateRuns, AFolderOrAMissingBudgetIsNamedBeforeTheRunsAre) {
  EXPECT_EQ(refusal(gate_runs({"gone.csv"}, folder_.path())),
            folder_.path() + ": a folder; expected a budgets file");
  EXPECT_THAT(refusal(gate_runs({"gone.csv"}, folder_.path("none.toml"))),
              StartsWith(folder_.path("none.toml") + ": "));
}

TEST_F(GateRuns, ABaselineOfTheFileIsLookedForBesideIt) {
  const std::string relative = budget("baseline = \"a.csv\"\n[time.ops.Matmul]\ndevice = \"+50%\"\n");
  const auto report = gate_runs({slow_}, relative);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(report->baseline, SizeIs(1));
  EXPECT_EQ(report->baseline[0].input, csv_);
  EXPECT_DOUBLE_EQ(*report->checks.at(0).baseline, 10);
  EXPECT_DOUBLE_EQ(*report->checks.at(0).allowed, 15);
  EXPECT_FALSE(report->passed());
}

TEST_F(GateRuns, EveryPartOfABaselineIsLookedForBesideTheFile) {
  const auto report = gate_runs(
      {csv_}, budget("baseline = \"a.csv," + slow_ + ",a.csv\"\n[time.ops.Matmul]\ndevice = \"+50%\"\n"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(report->baseline, SizeIs(1));
  EXPECT_EQ(report->baseline[0].repeats, 3u);
  EXPECT_DOUBLE_EQ(*report->checks.at(0).baseline, 10);
}

TEST_F(GateRuns, ANameWithACommaThatIsThereIsOneBaseline) {
  folder_.file("a,b+c.csv", ops_text("10000"));
  const auto report =
      gate_runs({csv_}, budget("baseline = \"a,b+c.csv\"\n[time.ops.Matmul]\ndevice = \"+50%\"\n"));
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_THAT(report->baseline, SizeIs(1));
  EXPECT_EQ(report->baseline[0].repeats, 1u);
}

TEST_F(GateRuns, AGivenBaselineStandsForThatOfTheFile) {
  const std::string relative = budget("baseline = \"gone.csv\"\n[time.ops.Matmul]\ndevice = \"+50%\"\n");
  GateOptions options;
  options.baseline = {slow_};
  const auto report = gate_runs({csv_}, relative, options);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_DOUBLE_EQ(*report->checks.at(0).baseline, 20);
  EXPECT_THAT(refusal(gate_runs({csv_}, relative)),
              AllOf(StartsWith("baseline: "), HasSubstr(folder_.path("gone.csv"))));
}

TEST_F(GateRuns, ABaselineIsAskedForWhereABoundNeedsOne) {
  const std::string path = budget("[time]\nwall_us = 1000\ngaps = \"+5%\"\n");
  EXPECT_EQ(refusal(gate_runs({csv_}, path)),
            path +
                ":3: time.gaps = \"+5%\" is against a baseline, and none is given; expected baseline = "
                "\"main.csv\" in the file, or --baseline");
}

TEST_F(GateRuns, ABaselineThatNoBoundNeedsIsNotOpened) {
  const auto report = gate_runs({csv_}, budget("baseline = \"gone.csv\"\n[time]\nwall_us = 1000\n"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_THAT(report->baseline, SizeIs(0));
  EXPECT_TRUE(report->passed());
}

}  // namespace
}  // namespace ttscope::app
