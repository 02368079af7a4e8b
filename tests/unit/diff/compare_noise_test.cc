#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "diff/compare_runs.h"
#include "diff/outputs.h"
#include "support/made_model.h"

namespace ttscope::diff {
namespace {

using testing::check_sums;
using testing::compared;
using testing::count_of;
using testing::MadeOp;
using testing::model;
using testing::run_of;

TEST(CompareNoise, NoiseIsNoDifferenceInAHundredSeeds) {
  const std::vector<MadeOp> ops = model(30);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const DiffReport report = compared(ops, ops, seed);
    EXPECT_FALSE(report.is_different) << seed << ": " << verdict_text(report);
    EXPECT_EQ(count_of(report, OpChange::kSame), ops.size());
  }
}

TEST(CompareNoise, OneOfTwoOpsThatTakesLongerIsNoNoise) {
  const DiffReport report = compared({{"A", "1", 10}, {"B", "1", 90}}, {{"A", "1", 90}, {"B", "1", 90}});
  EXPECT_TRUE(report.is_different);
  ASSERT_EQ(report.changes.size(), 1u);
  EXPECT_EQ(report.changes[0].what, DiffChange::What::kSlower);
}

TEST(CompareNoise, RepeatsTellTheNoiseAndTheirMeanCounts) {
  const std::vector<MadeOp> ops = model(5);
  std::vector<MadeOp> slower = ops;
  for (MadeOp& op : slower) op.cost *= 1.02;
  const Side before = {run_of(ops, 1), {run_of(ops, 2), run_of(ops, 3)}};
  const Side after = {run_of(slower, 4), {run_of(slower, 5), run_of(slower, 6)}};
  const DiffReport report = compare_runs(before, after);
  EXPECT_TRUE(report.noise.is_of_repeats);
  EXPECT_TRUE(report.is_different) << "two percent of all rows is more than the noise of a sum";
  check_sums(report, 40, 40);
}

TEST(CompareNoise, AWallThatGrewBetweenOpsIsADifference) {
  ComparedRun before = run_of(model(4), 1);
  ComparedRun after = run_of(model(4), 2);
  before.totals.push_back({"wall", "us", 800, true});
  after.totals.push_back({"wall", "us", 3000, true});
  const DiffReport report = compare_runs({before}, {after});
  EXPECT_TRUE(report.is_different);
  EXPECT_NE(verdict_text(report).find("wall +2200"), std::string::npos) << verdict_text(report);
  EXPECT_TRUE(verdict_text(report).starts_with("worse: ")) << verdict_text(report);
  after.failure = "the file ends inside a row";
  const DiffReport partial = compare_runs({before, {}}, {after, {}});
  EXPECT_TRUE(verdict_text(partial).starts_with("not comparable")) << verdict_text(partial);
  EXPECT_EQ(partial.cautions.back().what, Caution::What::kPartial);
}

TEST(CompareNoise, ARepeatInAnotherOrderIsLeftOutAndSaid) {
  std::vector<MadeOp> other = model(2);
  std::swap(other[1], other[3]);
  const DiffReport report = compare_runs({run_of(model(2), 1), {run_of(other, 2)}}, {run_of(model(2), 3)});
  EXPECT_FALSE(report.noise.is_of_repeats);
  ASSERT_EQ(report.cautions.size(), 1u);
  EXPECT_EQ(report.cautions[0].what, Caution::What::kRepeats);
  EXPECT_FALSE(report.is_different);
}

ComparedRun with_mode_and_wall(ComparedRun run, std::string mode, double wall) {
  run.settings = {{std::string(kModeSetting), std::move(mode)}};
  run.totals.push_back({"wall", "us", wall, true});
  return run;
}

/// Replays start their ops by themselves: their wall is steadier than that of a host which sends them.
TEST(CompareNoise, ASmallerChangeOfTheWallCountsInTraces) {
  for (const auto& [mode, is_different] : {std::pair("traced", true), std::pair("eager", false)}) {
    const ComparedRun before = with_mode_and_wall(run_of(model(4), 1), mode, 800);
    const ComparedRun after = with_mode_and_wall(run_of(model(4), 1), mode, 812);
    EXPECT_EQ(compare_runs({before}, {after}).is_wall_beyond_noise, is_different) << mode;
  }
}

/// Two runs in which a few long gaps varied as all gaps do had been different.
TEST(CompareNoise, GapsThatVaryAsGapsDoAreNoDifferenceOfTheWall) {
  ComparedRun before = run_of(model(4), 1);
  ComparedRun after = before;
  double change = 0;
  for (std::size_t i = 0; i < before.items.size(); ++i) {
    const double gap = i % 8 == 0 ? 500 : 5;
    const double share = 0.01 * (static_cast<double>(i * 7 % 11) - 5);
    before.items[i].gap = gap;
    after.items[i].gap = gap * (1 + share);
    change += gap * share;
  }
  const double wall = 2800;
  before.totals.push_back({"wall", "us", wall, true});
  after.totals.push_back({"wall", "us", wall + change + 60, true});
  EXPECT_FALSE(compare_runs({before}, {after}).is_wall_beyond_noise);
  // One gap that is far from the others is no variation.
  after.items[4].gap += 900;
  after.totals.back().value += 900;
  EXPECT_TRUE(compare_runs({before}, {after}).is_wall_beyond_noise);
  // Nor are gaps that all grew alike.
  for (std::size_t i = 0; i < before.items.size(); ++i) after.items[i].gap = 1.3 * before.items[i].gap;
  after.totals.back().value = wall + 0.3 * 2000;
  EXPECT_TRUE(compare_runs({before}, {after}).is_wall_beyond_noise);
}

/// One long gap had been a figure of its op and nothing that tells it from gaps that vary.
TEST(CompareNoise, AGapThatGrewAloneIsToldFromThoseThatVary) {
  ComparedRun before = run_of(model(4), 1);
  ComparedRun after = before;
  for (std::size_t i = 0; i < before.items.size(); ++i) {
    before.items[i].gap = 5;
    after.items[i].gap = 5 * (1 + 0.04 * (static_cast<double>(i * 7 % 11) - 5));
  }
  after.items[4].gap = 15;
  after.items[6].gap = 0;
  const DiffReport report = compare_runs({before}, {after});
  for (const DiffOp& op : report.ops)
    EXPECT_EQ(op.is_gap_beyond_noise, op.after_place == 4 || op.after_place == 6) << op.after_place;
  EXPECT_EQ(report.ops[4].kind, OpChange::kSame) << "its own time is what it was";
  EXPECT_TRUE(report.changes.empty());
}

/// Of many rows one is beyond noise by chance; that another device decides of it had made two runs differ.
TEST(CompareNoise, AnotherDecidingDeviceOfAShortOpIsNoDifference) {
  ComparedRun before = run_of(model(8), 1);
  ComparedRun after = before;
  for (ComparedRun* run : {&before, &after}) {
    run->items[0].device = run == &before ? 0 : 1;
    run->items[0].cost = run == &before ? 1 : 1.4;
    run->items[0].mean_cost = 1;
  }
  const DiffReport report = compare_runs({before}, {after});
  EXPECT_EQ(report.ops[0].causes.at(0).name, "deciding_device");
  EXPECT_FALSE(report.is_different);
}

/// Gaps had been those of the first repeat, beside times that were means.
TEST(CompareNoise, GapsOfRepeatsAreMeansToo) {
  const auto with_gaps = [](double gap) {
    ComparedRun run = run_of({{"A", "1", 10}}, 1);
    run.items[0].gap = gap;
    return run;
  };
  const DiffReport report = compare_runs({with_gaps(1), {with_gaps(3)}}, {with_gaps(8)});
  EXPECT_DOUBLE_EQ(report.ops[0].gap_before, 2);
  EXPECT_DOUBLE_EQ(report.ops[0].gap_after, 8);
}

}  // namespace
}  // namespace ttscope::diff
