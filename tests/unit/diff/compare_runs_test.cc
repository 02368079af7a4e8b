#include "diff/compare_runs.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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

TEST(CompareRuns, ASlowedOpIsNamedAndNothingElse) {
  std::vector<MadeOp> after = model(10);
  after[8 * 4 + 1].cost = 140;
  const DiffReport report = compared(model(10), after);
  check_sums(report, 80, 80);
  EXPECT_TRUE(report.is_different);
  EXPECT_EQ(count_of(report, OpChange::kChanged), 1u);
  ASSERT_FALSE(report.changes.empty());
  EXPECT_EQ(report.changes[0].what, DiffChange::What::kSlower);
  EXPECT_EQ(report.ops[report.changes[0].ops[0]].before_row, 8u * 4 + 1 + 2);
}

TEST(CompareRuns, AnInsertedOpDoesNotMisalignTheRest) {
  std::vector<MadeOp> after = model(10);
  after.insert(after.begin() + 8 * 3 + 2, {"Typecast", "32x3072", 7});
  const DiffReport report = compared(model(10), after);
  check_sums(report, 80, 81);
  EXPECT_EQ(count_of(report, OpChange::kAdded), 1u);
  EXPECT_EQ(count_of(report, OpChange::kSame), 80u);
  EXPECT_EQ(report.changes[0].what, DiffChange::What::kAdded);
}

TEST(CompareRuns, ARemovedLayerIsRemoved) {
  const DiffReport report = compared(model(10), model(9));
  check_sums(report, 80, 72);
  EXPECT_EQ(count_of(report, OpChange::kRemoved), 8u);
  EXPECT_EQ(count_of(report, OpChange::kSame), 72u);
}

TEST(CompareRuns, AMovedBlockIsMovedNotRemovedAndAdded) {
  std::vector<MadeOp> before = model(6);
  const std::vector<MadeOp> block = {
      {"Embedding", "32x1024", 20}, {"Rotary", "32x64", 8}, {"Mask", "32x32", 4}};
  std::vector<MadeOp> after = before;
  before.insert(before.begin(), block.begin(), block.end());
  after.insert(after.begin() + 24, block.begin(), block.end());
  const DiffReport report = compared(before, after);
  check_sums(report, 51, 51);
  EXPECT_EQ(count_of(report, OpChange::kMoved), 3u);
  EXPECT_EQ(count_of(report, OpChange::kRemoved) + count_of(report, OpChange::kAdded), 0u);
}

/// How a tensor is spread follows its shape: a batch that doubled was asked about for every op.
TEST(CompareRuns, CoresThatFollowAnotherShapeAreNoChoice) {
  std::vector<MadeOp> after = model(10);
  for (MadeOp& op : after) {
    if (op.op == "Matmul") op.fidelity = "LoFi", op.cost *= 0.5;
    if (op.op == "Gelu") op.shape = "64x4096", op.cores = "32";
    if (op.op == "Add") op.cores = "32";
  }
  const DiffReport report = compared(model(10), after);
  std::size_t asked = 0;
  for (const DiffChange& change : report.changes) {
    if (!change.is_intended_unknown) continue;
    ++asked;
    EXPECT_EQ(report.ops[change.ops.front()].op, "Add");
  }
  EXPECT_EQ(asked, 1u);
}

TEST(CompareRuns, HalvedCoresAreTheCause) {
  std::vector<MadeOp> after = model(10);
  for (MadeOp& op : after) {
    if (op.shape != "32x1024x3072") continue;
    op.cores = "32";
    op.cost *= 1.8;
  }
  const DiffReport report = compared(model(10), after);
  check_sums(report, 80, 80);
  ASSERT_FALSE(report.changes.empty());
  EXPECT_EQ(report.changes[0].cause, "cores");
  EXPECT_EQ(report.changes[0].before_value, "64");
  EXPECT_EQ(report.changes[0].after_value, "32");
  EXPECT_EQ(report.changes[0].ops.size(), 10u);
}

TEST(CompareRuns, AChangedDtypeKeepsItsPartnerAndAnUnannouncedFidelityIsListed) {
  std::vector<MadeOp> after = model(10);
  for (MadeOp& op : after) {
    if (op.op == "SDPA") {
      op.dtype = "BFLOAT8_B";
      op.cost *= 0.5;
    }
    if (op.shape == "32x1024x1024") op.fidelity = "LoFi";
  }
  const DiffReport report = compared(model(10), after);
  check_sums(report, 80, 80);
  ASSERT_GE(report.changes.size(), 2u);
  EXPECT_EQ(report.changes[0].cause, "dtype");
  EXPECT_EQ(report.changes[1].cause, "fidelity");
  EXPECT_TRUE(report.changes[1].is_intended_unknown);
}

TEST(CompareRuns, ADoubledBatchPairsOpsByName) {
  std::vector<MadeOp> after = model(10);
  for (MadeOp& op : after) {
    op.shape = "64" + op.shape.substr(2);
    op.cost *= 1.9;
  }
  const DiffReport report = compared(model(10), after);
  check_sums(report, 80, 80);
  EXPECT_EQ(count_of(report, OpChange::kChanged), 80u);
  EXPECT_EQ(report.changes[0].cause, "shape");
}

TEST(CompareRuns, OpsThatBecameOthersAreOneChange) {
  std::vector<MadeOp> before = {
      {"A", "1", 10}, {"Transpose", "2", 43}, {"Reshape", "2", 235}, {"B", "3", 10}};
  std::vector<MadeOp> after = {{"A", "1", 10},     {"Slice", "4", 20}, {"ConcatHeads", "5", 90},
                               {"Slice", "6", 20}, {"Join", "7", 101}, {"B", "3", 10}};
  const DiffReport report = compared(before, after);
  check_sums(report, 4, 6);
  ASSERT_EQ(report.changes.size(), 1u);
  EXPECT_EQ(report.changes[0].what, DiffChange::What::kReplaced);
  EXPECT_EQ(report.changes[0].ops.size(), 6u);
}

/// A device that broke off had been the same, exit code 0, since the slowest of the others decides.
TEST(CompareRuns, ARunThatBrokeOffIsNotTheSameWhateverItsFigures) {
  const ComparedRun whole = run_of(model(4), 1);
  ComparedRun cut = whole;
  cut.failure = "32 ops are not on all devices";
  const DiffReport report = compare_runs({whole, {}}, {cut, {}});
  EXPECT_TRUE(report.is_different);
  EXPECT_TRUE(verdict_text(report).starts_with("not comparable")) << verdict_text(report);
  EXPECT_FALSE(compare_runs({cut, {}}, {cut, {}}).is_different);
}

/// Two devices are late at different ops. The one that had decided the wall no longer does: its op had been
/// told to be faster, which it was on no device.
TEST(CompareRuns, AnotherDeviceThatDecidesMakesNoOpFaster) {
  ComparedRun before = run_of(model(4), 1);
  ComparedRun after = before;
  for (std::size_t i = 0; i < before.items.size(); ++i) {
    Item& old = before.items[i];
    Item& now = after.items[i];
    old.device = 1;
    now.device = 3;
    old.mean_cost = now.mean_cost = old.cost;
    if (i % 8 == 1) old.cost *= 2;  // on device 1 in both runs
    if (i % 8 == 3) now.cost = now.mean_cost = 6 * now.cost;
  }
  const DiffReport report = compare_runs({before, {}}, {after, {}});
  for (std::size_t i = 0; i < report.ops.size(); ++i) {
    const DiffOp& op = report.ops[i];
    if (i % 8 == 1) {
      ASSERT_EQ(op.causes.size(), 1u);
      EXPECT_EQ(op.causes[0].name, "deciding_device");
      EXPECT_EQ(op.causes[0].before + " " + op.causes[0].after, "1 3");
    } else {
      EXPECT_TRUE(op.causes.empty()) << "the same time, or another one on the device itself";
    }
  }
}

/// Firmware times that stand for those of kernels had been a device that became slower.
TEST(CompareRuns, TimesOfUnlikeThingsAreNeitherBetterNorWorse) {
  ComparedRun before = run_of(model(4), 1);
  ComparedRun after = run_of(model(4), 2);
  before.settings = {{std::string(kCostSetting), "that of its kernels"}};
  after.settings = {{std::string(kCostSetting), "DEVICE FW DURATION [ns]"}};
  const DiffReport report = compare_runs({before, {}}, {after, {}});
  EXPECT_TRUE(report.is_different);
  EXPECT_TRUE(verdict_text(report).starts_with("not comparable, times of ops")) << verdict_text(report);
  EXPECT_EQ(
      caution_text(report.cautions.front()),
      "not alike: time of an op was that of its kernels, is DEVICE FW DURATION [ns]; wall and busy can be "
      "compared, times of ops cannot");
}

TEST(CompareRuns, UnlikeSettingsAreSaidBeforeAnyFigure) {
  ComparedRun before = run_of(model(1), 1);
  ComparedRun after = run_of(model(1), 2);
  before.settings = {{"devices", "1"}, {"mode", "eager"}};
  after.settings = {{"devices", "4"}, {"mode", "eager"}};
  const DiffReport report = compare_runs({before}, {after});
  ASSERT_EQ(report.cautions.size(), 1u);
  EXPECT_EQ(
      caution_text(report.cautions[0]),
      "not alike: devices was 1, is 4; each op counts with the device that decides the wall, without cycles "
      "the slowest");
  EXPECT_EQ(compare_runs({before}, {ComparedRun{}}).cautions.back().what, Caution::What::kEmpty);
}

/// A verdict in percent of nothing in common had been given.
TEST(CompareRuns, RunsThatShareLittleAreStrangers) {
  const std::vector<MadeOp> other = {{"Conv", "1", 90}, {"Pool", "1", 200}, {"Gelu", "32x4096", 1.5}};
  const DiffReport report = compared(model(1), other);
  EXPECT_TRUE(report.has_caution(Caution::What::kLittleInCommon));
  EXPECT_TRUE(verdict_text(report).starts_with("hardly comparable")) << verdict_text(report);
  EXPECT_FALSE(compared(model(10), model(6)).has_caution(Caution::What::kLittleInCommon));
  // One costly op that went does not make strangers of the others.
  std::vector<MadeOp> before = model(1);
  before.push_back({"Conv", "1", 5000});
  EXPECT_FALSE(compared(before, model(1)).has_caution(Caution::What::kLittleInCommon));
}

/// On another architecture all rows had changed "although nothing that the inputs tell did".
TEST(CompareRuns, ASettingThatExplainsCostsIsTheCauseWhereNoOtherIs) {
  const auto run_on = [](const char* architecture, double scale) {
    ComparedRun run =
        run_of({{"A", "1", 10 * scale}, {"B", "1", 20 * scale}, {"C", "1", 30}, {"D", "1", 40 * scale}}, 1);
    run.kinds[run.items[3].kind].facts.clear();
    run.settings = {{"architecture", architecture, false, true}, {"window", architecture}};
    return run;
  };
  const DiffReport report = compare_runs({run_on("wormhole", 1)}, {run_on("blackhole", 0.5)});
  ASSERT_EQ(report.changes.size(), 3u);
  for (const std::size_t i : {0u, 1u}) EXPECT_EQ(report.ops[i].causes.at(0).name, "architecture");
  EXPECT_TRUE(report.ops[3].causes.empty()) << "nothing is known of it";
  EXPECT_TRUE(report.ops[2].causes.empty()) << "it takes as long as before";
}

TEST(CompareRuns, ATotalThatOneRunHasIsKept) {
  ComparedRun before = run_of(model(1), 1);
  ComparedRun after = run_of(model(1), 2);
  before.totals.push_back({"in FORWARD", "bytes", 5, true});
  after.totals.push_back({"in FORWARD_micro_0", "bytes", 7, true});
  const DiffReport report = compare_runs({before}, {after});
  ASSERT_EQ(report.totals.size(), 3u);
  EXPECT_FALSE(report.totals[1].after);
  EXPECT_FALSE(report.totals[2].before);
  EXPECT_DOUBLE_EQ(*report.totals[2].after, 7);
}

TEST(CompareRuns, DevicesAreComparedWhereBothRunsHadSeveral) {
  ComparedRun before = run_of(model(1), 1);
  ComparedRun after = run_of(model(1), 2);
  before.devices = {{"device 0", 100}, {"device 1", 100}};
  after.devices = {{"device 0", 100}, {"device 1", 130}};
  const DiffReport report = compare_runs({before}, {after});
  ASSERT_EQ(report.devices.size(), 2u);
  EXPECT_EQ(report.devices[0].name, "device 1");
  EXPECT_DOUBLE_EQ(report.devices[0].change(), 30);
  after.devices.clear();
  EXPECT_TRUE(compare_runs({before}, {after}).devices.empty());
}

}  // namespace
}  // namespace ttscope::diff
