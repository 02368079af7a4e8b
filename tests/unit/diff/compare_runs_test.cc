#include "diff/analyse/compare_runs.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>

#include "base/writer.h"
#include "diff/align/align_runs.h"
#include "diff/align/edit_script.h"
#include "diff/write/diff_json.h"
#include "diff/write/diff_text.h"

namespace ttscope::diff {
namespace {

/// One op of a made model.
struct MadeOp {
  std::string op;
  std::string shape;
  double cost;
  std::string cores = "64";
  std::string fidelity = "HiFi2";
  std::string dtype = "BFLOAT16";
};

/// Eight ops of a layer.
std::vector<MadeOp> layer() {
  return {{"LayerNorm", "32x1024", 12}, {"Matmul", "32x1024x3072", 80}, {"Heads", "32x3072", 9},
          {"SDPA", "32x64", 30},        {"Concat", "32x1024", 5},       {"Matmul", "32x1024x1024", 40},
          {"Add", "32x1024", 3},        {"Gelu", "32x4096", 1.5}};
}

std::vector<MadeOp> model(int layers) {
  std::vector<MadeOp> ops;
  for (int i = 0; i < layers; ++i) {
    for (const MadeOp& op : layer()) ops.push_back(op);
  }
  return ops;
}

/// With noise of one percent on every row, more on short ones.
ComparedRun run_of(const std::vector<MadeOp>& ops, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, 1);
  ComparedRun run;
  run.name = "run" + std::to_string(seed);
  run.cost_name = "device";
  run.unit = "us";
  RunTotal total = {"device", "us", 0, true};
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const MadeOp& op = ops[i];
    ItemKind kind;
    kind.op = op.op;
    kind.shape = op.shape;
    kind.form = op.dtype;
    kind.label = op.op + " " + op.shape;
    kind.category = op.op == "Concat" || op.op == "Heads" ? "TM" : "Compute";
    kind.facts = {{"cores", op.cores}, {"fidelity", op.fidelity}, {"dtype", op.dtype}, {"shape", op.shape}};
    run.kinds.push_back(kind);
    const double cost = op.cost * (1 + (op.cost < 2 ? 0.03 : 0.01) * std::clamp(noise(random), -4.0, 4.0));
    run.items.push_back({static_cast<std::uint32_t>(i), i + 2, cost, 0.5});
    total.value += cost;
  }
  run.totals = {total};
  return run;
}

DiffReport compared(const std::vector<MadeOp>& before, const std::vector<MadeOp>& after, unsigned seed = 1) {
  return compare_runs({run_of(before, seed)}, {run_of(after, seed + 1000)});
}

std::size_t count_of(const DiffReport& report, OpChange kind) {
  std::size_t count = 0;
  for (const DiffOp& op : report.ops) count += op.kind == kind ? 1 : 0;
  return count;
}

/// Whatever changed: every row stands once, and the parts are the whole.
void check_sums(const DiffReport& report, std::size_t before, std::size_t after) {
  std::set<std::uint64_t> old_rows;
  std::set<std::uint64_t> new_rows;
  double sum = 0;
  for (const DiffOp& op : report.ops) {
    const bool is_new_before = !op.before_row || old_rows.insert(*op.before_row).second;
    const bool is_new_after = !op.after_row || new_rows.insert(*op.after_row).second;
    EXPECT_TRUE(is_new_before && is_new_after) << "every row stands once";
    sum += op.change();
  }
  EXPECT_EQ(old_rows.size(), before);
  EXPECT_EQ(new_rows.size(), after);
  ASSERT_EQ(report.totals.front().name, "device");
  EXPECT_NEAR(sum, *report.totals.front().change(), 1e-6);
  double named = report.noise.left_over;
  std::set<std::uint32_t> seen;
  for (const DiffChange& change : report.changes) {
    named += change.change;
    for (const std::uint32_t op : change.ops)
      EXPECT_TRUE(seen.insert(op).second) << "an op is in one change only";
  }
  EXPECT_NEAR(named, sum, 1e-6);
  for (const std::vector<DiffSum>* sums : {&report.categories, &report.classes}) {
    double parts = 0;
    for (const DiffSum& one : *sums) parts += one.change();
    EXPECT_NEAR(parts, sum, 1e-6);
  }
}

TEST(EditScript, IsAsLongAsTheSlowWayFindsIt) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint32_t> a(random() % 24);
    std::vector<std::uint32_t> b(random() % 24);
    for (std::uint32_t& key : a) key = static_cast<std::uint32_t>(random() % 4);
    for (std::uint32_t& key : b) key = static_cast<std::uint32_t>(random() % 4);
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        best[i + 1][j + 1] = a[i] == b[j] ? best[i][j] + 1 : std::max(best[i][j + 1], best[i + 1][j]);
      }
    }
    const Matches matches = common_subsequence(a, b, 2000);
    ASSERT_EQ(matches.size(), best[a.size()][b.size()]);
    for (std::size_t i = 0; i < matches.size(); ++i) {
      ASSERT_EQ(a[matches[i].first], b[matches[i].second]);
      ASSERT_TRUE(i == 0 ||
                  (matches[i - 1].first < matches[i].first && matches[i - 1].second < matches[i].second));
    }
  }
}

TEST(EditScript, ManyDifferencesCostTimeNotOrder) {
  std::mt19937 random(4);
  std::vector<std::uint32_t> a(3000);
  std::vector<std::uint32_t> b(3000);
  for (std::uint32_t& key : a) key = static_cast<std::uint32_t>(random() % 50);
  for (std::uint32_t& key : b) key = static_cast<std::uint32_t>(random() % 50);
  const Matches matches = common_subsequence(a, b, 16);
  EXPECT_GT(matches.size(), 100u);
  for (std::size_t i = 1; i < matches.size(); ++i) {
    ASSERT_LT(matches[i - 1].first, matches[i].first);
    ASSERT_LT(matches[i - 1].second, matches[i].second);
  }
}

TEST(CompareRuns, NoiseIsNoDifferenceInAHundredSeeds) {
  const std::vector<MadeOp> ops = model(30);
  for (unsigned seed = 0; seed < 100; ++seed) {
    const DiffReport report = compared(ops, ops, seed);
    EXPECT_FALSE(report.is_different) << seed << ": " << verdict_text(report);
    EXPECT_EQ(count_of(report, OpChange::kSame), ops.size());
  }
}

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

TEST(CompareRuns, OneOfTwoOpsThatTakesLongerIsNoNoise) {
  const DiffReport report = compared({{"A", "1", 10}, {"B", "1", 90}}, {{"A", "1", 90}, {"B", "1", 90}});
  EXPECT_TRUE(report.is_different);
  ASSERT_EQ(report.changes.size(), 1u);
  EXPECT_EQ(report.changes[0].what, DiffChange::What::kSlower);
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

/// Every layer had a line of its own.
TEST(DiffText, AnOpThatIsNewInEveryLayerIsOneLine) {
  std::vector<MadeOp> after;
  for (int i = 0; i < 10; ++i) {
    for (const MadeOp& op : layer()) after.push_back(op);
    after.push_back({"Typecast", "32x3072", 7});
  }
  const DiffReport report = compared(model(10), after);
  const std::vector<ChangeGroup> groups = grouped_changes(report);
  ASSERT_FALSE(groups.empty());
  EXPECT_EQ(groups[0].times, 10u);
  EXPECT_NE(diff_text({report}, {}).find("10 times: Typecast 32x3072 new"), std::string::npos);
  double sum = 0;
  for (const ChangeGroup& group : groups) sum += group.change;
  EXPECT_NEAR(sum + report.noise.left_over, report.cost_change(), 1e-6) << "groups add up to the change";
}

TEST(DiffText, LargeTimesKeepTheirColumns) {
  EXPECT_EQ(cost_text(25445136.4, "us"), "25445.1 ms");
  EXPECT_EQ(cost_text(99.5, "us"), "99.50 μs");
  EXPECT_EQ(signed_cost(-0.001, "us"), "+0.00 μs");
  EXPECT_EQ(signed_cost(-1.6e9, "us"), "-1600.0 s");
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

TEST(CompareRuns, RepeatsTellTheNoiseAndTheirMeanCounts) {
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

TEST(CompareRuns, AWallThatGrewBetweenOpsIsADifference) {
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

TEST(CompareRuns, ARepeatInAnotherOrderIsLeftOutAndSaid) {
  std::vector<MadeOp> other = model(2);
  std::swap(other[1], other[3]);
  const DiffReport report = compare_runs({run_of(model(2), 1), {run_of(other, 2)}}, {run_of(model(2), 3)});
  EXPECT_FALSE(report.noise.is_of_repeats);
  ASSERT_EQ(report.cautions.size(), 1u);
  EXPECT_EQ(report.cautions[0].what, Caution::What::kRepeats);
  EXPECT_FALSE(report.is_different);
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
  EXPECT_TRUE(report.has_caution(Caution::What::kStrangers));
  EXPECT_TRUE(verdict_text(report).starts_with("hardly comparable")) << verdict_text(report);
  EXPECT_FALSE(compared(model(10), model(6)).has_caution(Caution::What::kStrangers));
  // One costly op that went does not make strangers of the others.
  std::vector<MadeOp> before = model(1);
  before.push_back({"Conv", "1", 5000});
  EXPECT_FALSE(compared(before, model(1)).has_caution(Caution::What::kStrangers));
}

ComparedRun with_mode_and_wall(ComparedRun run, std::string mode, double wall) {
  run.settings = {{std::string(kModeSetting), std::move(mode)}};
  run.totals.push_back({"wall", "us", wall, true});
  return run;
}

/// Replays start their ops by themselves: their wall is steadier than that of a host which sends them.
TEST(CompareRuns, ASmallerChangeOfTheWallCountsInTraces) {
  for (const auto& [mode, is_different] : {std::pair("traced", true), std::pair("eager", false)}) {
    const ComparedRun before = with_mode_and_wall(run_of(model(4), 1), mode, 800);
    const ComparedRun after = with_mode_and_wall(run_of(model(4), 1), mode, 812);
    EXPECT_EQ(compare_runs({before}, {after}).is_wall_beyond_noise, is_different) << mode;
  }
}

/// Two runs in which a few long gaps varied as all gaps do had been different.
TEST(CompareRuns, GapsThatVaryAsGapsDoAreNoDifferenceOfTheWall) {
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
TEST(CompareRuns, AGapThatGrewAloneIsToldFromThoseThatVary) {
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
TEST(CompareRuns, AnotherDecidingDeviceOfAShortOpIsNoDifference) {
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

/// Gaps had been those of the first repeat, beside times that were means.
TEST(CompareRuns, GapsOfRepeatsAreMeansToo) {
  const auto with_gaps = [](double gap) {
    ComparedRun run = run_of({{"A", "1", 10}}, 1);
    run.items[0].gap = gap;
    return run;
  };
  const DiffReport report = compare_runs({with_gaps(1), {with_gaps(3)}}, {with_gaps(8)});
  EXPECT_DOUBLE_EQ(report.ops[0].gap_before, 2);
  EXPECT_DOUBLE_EQ(report.ops[0].gap_after, 8);
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

TEST(DiffText, HostileNamesAreShownAsText) {
  std::vector<MadeOp> ops = {{"\x1b[31mred\x1b[0m", "1|2", 10}, {"B", "1", 5}};
  std::vector<MadeOp> after = {{"B", "1", 9}};
  const DiffReport report = compared(ops, after);
  EXPECT_EQ(diff_text({report}, {}).find('\x1b'), std::string::npos);
  EXPECT_EQ(diff_markdown({report}).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace ttscope::diff
