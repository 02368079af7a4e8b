// Runs as sides of a comparison: the parts of the peak are the peak, and changes have their cause.
#include "mem/diff_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "diff/compare_runs.h"
#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using testing::dram_rows;
using testing::dram_tensor;
using testing::free_of;
using testing::kUnit;
using testing::LogText;
using testing::neg;
using testing::ones;
using testing::op_text;
using testing::Profiled;

diff::ComparedRun run_of(const LogText& log, Memory memory = Memory::kDram) {
  Profile profile;
  profile.log = testing::read_text(log.text());
  profile.memory = profile_memory(profile.log, {});
  return diff_run_of(profile, memory);
}

diff::DiffReport compared(const LogText& before, const LogText& after) {
  const diff::ComparedRun first = run_of(before);
  const diff::ComparedRun second = run_of(after);
  diff::DiffReport report = diff::compare_runs({first}, {second});
  double sum = report.noise.left_over;
  for (const diff::DiffChange& change : report.changes) sum += change.change;
  EXPECT_DOUBLE_EQ(sum, *report.totals[0].change()) << "the parts are the change";
  EXPECT_EQ(report.totals[0].name, "peak_dram");
  return report;
}

/// Three ops, the first of which may be freed before the last.
LogText three_ops(bool is_freed, const std::string& second = testing::units(2)) {
  LogText log;
  log.start("main").op(ones("%0", 4), "\"a\"");
  log.op(op_text("%1", "ttnn.neg", "%0", testing::units(4), second), "\"b\"");
  if (is_freed) log.op(free_of("%0", 4));
  log.op(op_text("%2", "ttnn.exp", "%1", second, testing::units(8)), "\"c\"");
  log.finish("main");
  return log;
}

TEST(MemoryDiff, ItemsAddUpToThePeak) {
  const diff::ComparedRun run = run_of(three_ops(false));
  double sum = 0;
  for (const diff::Item& item : run.items) sum += item.cost;
  EXPECT_DOUBLE_EQ(sum, 12.0 * 14 * kUnit);
  EXPECT_EQ(run.totals[0].name, "peak_dram");
  EXPECT_DOUBLE_EQ(run.totals[0].value, sum);
}

TEST(MemoryDiff, ARunAndItselfAreTheSame) {
  const diff::DiffReport report = compared(three_ops(true), three_ops(true));
  EXPECT_FALSE(report.is_different);
  EXPECT_TRUE(report.changes.empty());
}

TEST(MemoryDiff, ATensorKeptAliveIsALifetime) {
  const diff::DiffReport report = compared(three_ops(true), three_ops(false));
  EXPECT_TRUE(report.is_different);
  ASSERT_EQ(report.changes.size(), 1u);
  EXPECT_EQ(report.changes[0].cause, "lifetime");
  EXPECT_EQ(report.changes[0].before_value, "freed before the peak");
  EXPECT_EQ(report.changes[0].after_value, "live at the peak");
  EXPECT_DOUBLE_EQ(report.changes[0].change, 12.0 * 4 * kUnit);
  EXPECT_EQ(report.ops[report.changes[0].ops[0]].label, "ttnn.ones 4096x384 bf16");
}

/// Two passes with the state before every op; the first tensor of each may be kept for ever.
LogText two_passes(bool is_freed) {
  LogText log;
  std::int64_t held = 0;
  const auto op = [&](const std::string& text, std::string_view type, std::int64_t grows) {
    log.op(text).block(type, held * kUnit);
    held += grows;
  };
  for (int pass = 0; pass < 2; ++pass) {
    log.start("main");
    op(ones("%0", 4), "OnesOp", 4);
    op(op_text("%1", "ttnn.neg", "%0", testing::units(4), testing::units(2)), "NegOp", 2);
    if (is_freed) op(free_of("%0", 4), "DeallocateOp", -4);
    op(op_text("%2", "ttnn.exp", "%1", testing::units(2), testing::units(8)), "ExpOp", 8);
    op(free_of("%1", 2), "DeallocateOp", -2);
    op(free_of("%2", 8), "DeallocateOp", -8);
    log.finish("main");
  }
  return log;
}

/// A tensor that no pass frees makes the last pass the fullest: all tensors of the passes had other
/// lifetimes.
TEST(MemoryDiff, ATensorThatEveryPassLeavesBehindIsTheOnlyChange) {
  Profile before;
  Profile after;
  for (const auto& [profile, is_freed] : {std::pair(&before, true), std::pair(&after, false)}) {
    profile->log = testing::read_text(two_passes(is_freed).text());
    profile->memory = profile_memory(profile->log, {});
  }
  const ComparedIn shared = shared_by({&before, &after}, Memory::kDram);
  EXPECT_EQ(shared.pass, (PassName{"main", 0, 1}));
  const auto run = [&](const Profile& profile) {
    return diff::Side{diff_run_of(profile, Memory::kDram, shared), {}};
  };
  const diff::DiffReport report = diff::compare_runs(run(before), run(after));
  ASSERT_EQ(report.changes.size(), 1u);
  EXPECT_EQ(report.changes[0].cause, "lifetime");
  EXPECT_EQ(report.changes[0].after_value, "live at the peak");
  EXPECT_EQ(report.changes[0].ops.size(), 2u);
  EXPECT_DOUBLE_EQ(report.changes[0].change, *report.totals[0].change());
  EXPECT_EQ(shared_by({&before, &before}, Memory::kDram).pass, (PassName{"main", 0, 0}));
}

/// A log whose program has two arguments, and maybe a module that names them in the other order.
Profile with_arguments(bool has_module) {
  LogText log;
  const auto argument = [](const std::string& ssa, std::int64_t size, const std::string& name) {
    return ssa + ": " + testing::units(size) +
           " {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = \"" + name + "\"}";
  };
  if (has_module) {
    log.module("ttnn", "module {\n  func.func @main(" + argument("%arg0", 2, "z") + ", " +
                           argument("%arg1", 4, "a") + ") -> " + testing::units(4) +
                           " {\n    return %1 : " + testing::units(4) + "\n  }\n}");
  }
  log.start("main").op(neg("%0", "%arg0", 2)).op(neg("%1", "%arg1", 4)).finish("main");
  Profile profile;
  profile.log = testing::read_text(log.text());
  profile.memory = profile_memory(profile.log, {});
  return profile;
}

/// Each weight of the one log had been gone, and new under a number in the other.
TEST(MemoryDiff, ArgumentsThatOneLogAloneNamesAreThoseOfTheirShape) {
  const Profile before = with_arguments(true);
  const Profile after = with_arguments(false);
  const ComparedIn shared = shared_by({&before, &after}, Memory::kDram);
  EXPECT_FALSE(shared.has_argument_names);
  EXPECT_TRUE(shared_by({&before, &before}, Memory::kDram).has_argument_names);
  EXPECT_TRUE(shared_by({&after, &after}, Memory::kDram).has_argument_names);
  const diff::DiffReport report = diff::compare_runs({diff_run_of(before, Memory::kDram, shared)},
                                                     {diff_run_of(after, Memory::kDram, shared)});
  EXPECT_FALSE(report.is_different);
  EXPECT_TRUE(report.changes.empty());
  ASSERT_EQ(report.cautions.size(), 1u);
  EXPECT_EQ(report.cautions[0].name, "names of arguments");
  EXPECT_EQ(std::count_if(report.ops.begin(), report.ops.end(),
                          [](const diff::DiffOp& op) { return op.op == "argument" && op.is_pair(); }),
            2);
}

TEST(MemoryDiff, AnotherTypeIsADtype) {
  const diff::DiffReport report = compared(three_ops(false), three_ops(false, dram_tensor(2048, 384, "f32")));
  ASSERT_FALSE(report.changes.empty());
  EXPECT_EQ(report.changes[0].cause, "dtype");
  EXPECT_DOUBLE_EQ(report.changes[0].change, 12.0 * 2 * kUnit);
}

TEST(MemoryDiff, ATiledTensorOfFewRowsIsPadding) {
  const diff::DiffReport report =
      compared(three_ops(false, dram_rows(1, 393216)), three_ops(false, dram_tensor(1, 393216)));
  ASSERT_FALSE(report.changes.empty());
  EXPECT_THAT(report.changes[0].cause, ::testing::HasSubstr("padding"));
  EXPECT_THAT(report.changes[0].cause, ::testing::HasSubstr("layout"));
  EXPECT_GT(report.changes[0].change, 0);
}

TEST(MemoryDiff, ANewTensorIsAdded) {
  LogText after;
  after.start("main").op(ones("%0", 4), "\"a\"").op(ones("%9", 1), "\"extra\"");
  after.op(op_text("%1", "ttnn.neg", "%0", testing::units(4), testing::units(2)), "\"b\"");
  after.op(op_text("%2", "ttnn.exp", "%1", testing::units(2), testing::units(8)), "\"c\"").finish("main");
  const diff::DiffReport report = compared(three_ops(false), after);
  ASSERT_EQ(report.changes.size(), 1u);
  EXPECT_EQ(report.changes[0].what, diff::DiffChange::What::kAdded);
  EXPECT_DOUBLE_EQ(report.changes[0].change, 12.0 * kUnit);
}

TEST(MemoryDiff, ARunThatWasCutHasFailed) {
  LogText log;
  log.start("main").op(ones("%0", 4));
  EXPECT_FALSE(run_of(log).failure.empty());
  EXPECT_TRUE(run_of(three_ops(true)).failure.empty());
}

}  // namespace
}  // namespace ttscope::mem
