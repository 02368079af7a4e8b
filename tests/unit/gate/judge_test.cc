#include "gate/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gate/budget.h"
#include "gate/outputs.h"

namespace ttscope::gate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

diff::ComparedRun memory_run(double peak, double capacity) {
  diff::ComparedRun run;
  run.name = "run.log";
  run.totals = {{"peak_dram", "bytes", peak, true, capacity > 0 ? std::optional(capacity) : std::nullopt}};
  return run;
}

diff::ComparedRun time_run(double wall, double matmul) {
  diff::ComparedRun run;
  run.name = "ops.csv";
  run.totals = {{"wall", "us", wall, wall > 0}, {"device", "us", 2 * matmul, true}};
  diff::ItemKind kind;
  kind.op = "MatmulDeviceOperation";
  kind.layer = "model.layers.*.mlp";
  run.kinds = {kind};
  run.items = {{0, 2, matmul, 1}, {0, 3, matmul, 2}};
  return run;
}

GateResult judged(std::string_view budget, const std::vector<RunRepeats>& runs,
                  const std::vector<RunRepeats>& baseline = {}) {
  const Result<Budget> read = read_budget("b.toml", budget);
  EXPECT_TRUE(read) << read.error().message;
  return judge(*read, runs, baseline);
}

RunRepeats memory(diff::ComparedRun run) { return {Section::kMemory, {std::move(run)}}; }
RunRepeats timed(diff::ComparedRun run) { return {Section::kTime, {std::move(run)}}; }

TEST(Gate, ASharePassesUpToItsBoundAndNotBeyond) {
  constexpr std::string_view kBudget = "[memory]\ndram_peak = \"90%\"\n";
  EXPECT_TRUE(judged(kBudget, {memory(memory_run(90, 100))}).passed());
  const GateResult over = judged(kBudget, {memory(memory_run(91, 100))});
  EXPECT_FALSE(over.passed());
  EXPECT_EQ(over.checks[0].reason, Reason::kOverBound);
  EXPECT_DOUBLE_EQ(*over.checks[0].allowed, 90);
}

TEST(Gate, WhatIsNotKnownDoesNotPass) {
  const GateResult no_size = judged("[memory]\ndram_peak = \"90%\"\n", {memory(memory_run(90, 0))});
  EXPECT_EQ(no_size.checks[0].reason, Reason::kNoWhole);
  EXPECT_FALSE(no_size.passed());
  const GateResult no_input = judged("[memory]\ndram_peak = \"90%\"\n", {timed(time_run(10, 1))});
  EXPECT_EQ(no_input.checks[0].reason, Reason::kNoInput);
  const GateResult no_wall = judged("[time]\nwall_us = 3\n", {timed(time_run(0, 1))});
  EXPECT_EQ(no_wall.checks[0].reason, Reason::kFigureMissing);
  const GateResult no_op = judged("[time.ops.Matmull]\ndevice_us = 3\n", {timed(time_run(1, 1))});
  EXPECT_EQ(no_op.checks[0].reason, Reason::kNoSuchName);
  EXPECT_EQ(no_op.checks[0].similar, "Matmul");
  EXPECT_FALSE(no_op.passed());
}

TEST(Gate, OpsAndLayersAreSums) {
  const GateResult report = judged(
      "[time.ops.Matmul]\ndevice_us = 20\ngaps_us = 3\ncount = "
      "2\n[time.layers.\"model.layers.*.mlp\"]\ndevice_us = "
      "19\n",
      {timed(time_run(30, 10))});
  ASSERT_EQ(report.checks.size(), 4u);
  EXPECT_DOUBLE_EQ(*report.checks[0].value, 20);
  EXPECT_EQ(report.checks[0].outcome, CheckOutcome::kPassed);
  EXPECT_DOUBLE_EQ(*report.checks[1].value, 3);
  EXPECT_DOUBLE_EQ(*report.checks[2].value, 2);
  EXPECT_EQ(report.checks[3].outcome, CheckOutcome::kFailed);
}

TEST(Gate, ABaselineBoundsByShareAndByAmount) {
  constexpr std::string_view kBudget = "[time]\nwall = \"+3%\"\ndevice = \"-1 us\"\n";
  const std::vector<RunRepeats> baseline = {timed(time_run(100, 10))};
  EXPECT_TRUE(judged(kBudget, {timed(time_run(103, 9))}, baseline).passed());
  const GateResult over = judged(kBudget, {timed(time_run(103.1, 10))}, baseline);
  EXPECT_EQ(over.checks[0].outcome, CheckOutcome::kFailed);
  EXPECT_EQ(over.checks[1].outcome, CheckOutcome::kFailed);
  EXPECT_EQ(judged(kBudget, {timed(time_run(103, 9))}, {memory(memory_run(1, 2))}).checks[0].reason,
            Reason::kNoBaseline);
}

TEST(Gate, OfRepeatsTheMedianCounts) {
  const RunRepeats repeats = {Section::kTime, {time_run(100, 1), time_run(500, 1), time_run(101, 1)}};
  const GateResult report = judged("[time]\nwall_us = 101\n", {repeats});
  EXPECT_DOUBLE_EQ(*report.checks[0].value, 101);
  EXPECT_TRUE(report.passed());
}

TEST(Gate, ARunThatFailedNeverPasses) {
  diff::ComparedRun failed = memory_run(1, 100);
  failed.failure = "out of memory at line 3";
  const GateResult report = judged("[memory]\ndram_peak = \"90%\"\n", {memory(failed)});
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.checks[0].reason, Reason::kRunFailed);
  EXPECT_THAT(verdict_text(report), HasSubstr("out of memory at line 3"));
  // Also where no check is about what failed.
  EXPECT_FALSE(judged("[time]\nwall_us = 100\n", {memory(failed), timed(time_run(1, 1))}).passed());
  // A baseline that failed bounds nothing.
  const GateResult relative =
      judged("[memory]\ndram_peak = \"+3%\"\n", {memory(memory_run(1, 2))}, {memory(failed)});
  EXPECT_EQ(relative.checks[0].reason, Reason::kBaselineFailed);
}

/// A baseline without the duration of kernels had let a run pass that was 40 % slower.
TEST(Gate, TimesOfFirmwareAreNoBaselineOfTimesOfKernels) {
  constexpr std::string_view kBudget =
      "[time]\nwall = \"+3%\"\ndevice = \"+3%\"\n[time.ops.Matmul]\ndevice = \"+3%\"\ncount = \"+0%\"\n";
  diff::ComparedRun run = time_run(100, 14);
  diff::ComparedRun base = time_run(100, 15);
  run.settings = {{std::string(diff::kCostSetting), "that of its kernels"}};
  base.settings = {{std::string(diff::kCostSetting), "DEVICE FW DURATION [ns]"}};
  const GateResult report = judged(kBudget, {timed(run)}, {timed(base)});
  ASSERT_EQ(report.checks.size(), 4u);
  EXPECT_EQ(report.checks[0].outcome, CheckOutcome::kPassed);
  EXPECT_EQ(report.checks[1].reason, Reason::kUnlikeBaseline);
  EXPECT_EQ(report.checks[1].outcome, CheckOutcome::kUnknown);
  EXPECT_EQ(report.checks[2].reason, Reason::kUnlikeBaseline);
  EXPECT_EQ(report.checks[3].outcome, CheckOutcome::kPassed);
  EXPECT_FALSE(report.passed());
  EXPECT_THAT(gate_text(report, {}), HasSubstr("lacks the duration of kernels"));
  base.settings = run.settings;
  EXPECT_TRUE(judged(kBudget, {timed(run)}, {timed(base)}).passed());
}

/// Only the first of two inputs that tell a figure had been looked at.
TEST(Gate, EveryInputThatTellsAFigureIsHeldAgainstIt) {
  const RunRepeats runtime = {Section::kMemory, {memory_run(50, 100)}, "mem"};
  RunRepeats training = {Section::kMemory, {memory_run(95, 100)}, "phases"};
  training.repeats[0].name = "train.log";
  const GateResult report = judged("[memory]\ndram_peak = \"90%\"\n", {runtime, training});
  ASSERT_EQ(report.checks.size(), 2u);
  EXPECT_EQ(report.checks[0].outcome, CheckOutcome::kPassed);
  EXPECT_EQ(report.checks[1].outcome, CheckOutcome::kFailed);
  EXPECT_EQ(report.checks[1].input, "train.log");
  EXPECT_THAT(gate_text(report, {}), HasSubstr("memory.dram_peak of train.log"));
}

TEST(Gate, ABaselineIsARunOfTheSameSubject) {
  const RunRepeats training = {Section::kMemory, {memory_run(50, 100)}, "phases"};
  const RunRepeats other = {Section::kMemory, {memory_run(90, 100)}, "mem"};
  const RunRepeats same = {Section::kMemory, {memory_run(40, 100)}, "phases"};
  constexpr std::string_view kBudget = "[memory]\ndram_peak = \"+3%\"\n";
  EXPECT_EQ(judged(kBudget, {training}, {other}).checks[0].reason, Reason::kNoBaseline);
  EXPECT_DOUBLE_EQ(*judged(kBudget, {training}, {other, same}).checks[0].baseline, 40);
}

TEST(GateText, FormsForProgramsEscapeWhatInputsSay) {
  diff::ComparedRun run = time_run(10, 1);
  run.name = "a\"<b>&\x1b[31m.csv";
  run.failure = "died: <script>\"x\"";
  const GateResult report = judged("[time]\nwall_us = 3\n", {timed(run)});
  const std::string junit = gate_junit(report);
  EXPECT_THAT(junit, Not(HasSubstr("<script>")));
  EXPECT_THAT(junit, HasSubstr("died: &lt;script&gt;&quot;x&quot;"));
  EXPECT_THAT(junit, HasSubstr("tests=\"2\" failures=\"2\" errors=\"0\""));
  EXPECT_THAT(gate_text(report, {}), Not(HasSubstr("\x1b")));
  EXPECT_THAT(gate_markdown(report), Not(HasSubstr("<script>")));
}

}  // namespace
}  // namespace ttscope::gate
