#include "mem/analyze/bank_states.h"

#include <gtest/gtest.h>

#include <limits>

#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

constexpr std::int64_t kMib = 1048576;

MilliMib dram_after(HandMadeLog& made, std::uint32_t op, Confidence expected) {
  BankStates states(made.log, made.profile, 0);
  const BankStates::Before before = states.before(op);
  const BankStates::After after = states.after(op, before.state);
  EXPECT_EQ(after.confidence, expected);
  return after.state.memories[0].allocated;
}

TEST(BankStates, AfterAnOpIsTheNextBlockAlsoOfADeallocate) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.dram = 1000});
  made.add_op({.role = OpRole::kDeallocate, .dram = 5000});
  made.add_op({.dram = 2000});
  EXPECT_EQ(dram_after(made, 0, Confidence::kMeasured), 5000u);
  EXPECT_EQ(dram_after(made, 1, Confidence::kMeasured), 2000u);
}

TEST(BankStates, AfterTheLastOpItsOwnGrowthIsAdded) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.dram = 1000});
  made.set_growth(0, 3 * kMib);
  EXPECT_EQ(dram_after(made, 0, Confidence::kDerived), 4000u);
  BankStates states(made.log, made.profile, 0);
  const BankStates::After after = states.after(0, states.before(0).state);
  EXPECT_EQ(after.state.memories[0].free, 1000000u - 4000u);
  EXPECT_EQ(after.state.memories[0].largest_free, kNone);
}

TEST(BankStates, WhatAppearsBetweenProgramsIsNotTheLastOps) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.dram = 1000});
  made.add_program("main");
  made.add_op({.instance = 1, .dram = 9000});
  made.set_growth(0, 0);
  made.add_change(1, BoundaryChange::Cause::kProgramStart, 8 * kMib);
  EXPECT_EQ(dram_after(made, 0, Confidence::kDerived), 1000u);
}

TEST(BankStates, ACallEndsAfterTheProgramItCalled) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.name = "ttcore.load_cached", .role = OpRole::kLoadCached, .dram = 1000});
  made.add_program("main_const_eval_0", 0, 0);
  made.add_op({.instance = 1, .dram = 1000});
  made.add_op({.instance = 1, .dram = 4000});
  made.add_op({.dram = 3000});
  EXPECT_EQ(dram_after(made, 0, Confidence::kMeasured), 3000u);
  EXPECT_EQ(dram_after(made, 1, Confidence::kMeasured), 4000u);
}

TEST(BankStates, ACallWithoutABlockAfterItAddsUpWhatItsProgramDid) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.name = "ttcore.load_cached", .role = OpRole::kLoadCached, .dram = 1000});
  made.add_program("main_const_eval_0", 0, 0);
  made.add_op({.instance = 1, .dram = 1000});
  made.add_op({.instance = 1, .dram = 4000});
  made.set_growth(1, 3 * kMib);
  made.set_growth(2, -1 * kMib);
  EXPECT_EQ(dram_after(made, 0, Confidence::kDerived), 3000u);
}

TEST(BankStates, AMissingBlockRepeatsTheLastState) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.dram = 1000});
  made.add_op({.has_block = false});
  BankStates states(made.log, made.profile, 0);
  EXPECT_EQ(states.before(0).source, StateSource::kLogged);
  const BankStates::Before second = states.before(1);
  EXPECT_EQ(second.source, StateSource::kRepeated);
  EXPECT_EQ(second.state.memories[0].allocated, 1000u);
}

TEST(BankStates, AnIncompleteBlockSaysSo) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.dram = 1000});
  made.rank().blocks[0].present = 1;
  EXPECT_EQ(BankStates(made.log, made.profile, 0).before(0).source, StateSource::kPartlyRepeated);
}

TEST(BankStates, WithoutMemoryLinesTheModelIsShownForTensorMemoriesOnly) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({.has_block = false});
  made.rank_profile().measured = false;
  made.rank_profile().accounted[0] = {2 * kMib, 0};
  const BankStates::Before before = BankStates(made.log, made.profile, 0).before(0);
  EXPECT_EQ(before.source, StateSource::kModeled);
  EXPECT_EQ(before.state.memories[0].allocated, 2000u);
  EXPECT_EQ(before.state.memories[0].free, 998000u);
  EXPECT_EQ(before.state.geometry.banks[index_of(Memory::kL1Small)], 0u);
}

TEST(MilliMibOf, RoundsAndStaysInRange) {
  EXPECT_EQ(milli_mib_of(kMib), 1000u);
  EXPECT_EQ(milli_mib_of(294912), 281u);
  EXPECT_EQ(milli_mib_of(-5), 0u);
  EXPECT_LT(milli_mib_of(std::numeric_limits<std::int64_t>::max()), kNone);
}

}  // namespace
}  // namespace ttscope::mem
