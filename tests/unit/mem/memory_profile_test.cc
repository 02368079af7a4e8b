// Whose growth is whose, and what the peak is.
#include "mem/analyze/memory_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using testing::deallocate_text;
using testing::free_of;
using ::testing::IsEmpty;
using testing::kUnit;
using testing::load_cached_text;
using testing::LogText;
using testing::neg;
using testing::ones;
using testing::op_text;
using testing::Profiled;
using ::testing::SizeIs;
using testing::unit_op;
using testing::units;

/// What the log's rounding can hide.
constexpr std::int64_t kRounding = 2 * kLogResolutionBytes;

TEST(MemoryProfile, GrowthIsCreditedToTheOpThatCausedIt) {
  LogText log;
  log.start("main");
  log.op(ones("%0", 2)).block("NamedFullOp", 0);
  log.op(ones("%1", 3)).block("NamedFullOp", 2 * kUnit);
  log.op(free_of("%0", 2)).block("DeallocateOp", 5 * kUnit);
  log.op(neg("%2", "%1", 3)).block("EltwiseUnaryOp", 3 * kUnit);
  log.finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), 2 * kUnit);
  EXPECT_EQ(result.dram(1), 3 * kUnit);
  EXPECT_EQ(result.dram(2), -2 * kUnit);
  EXPECT_EQ(result.dram(3), 3 * kUnit) << "the last op is seen by the model alone";
  EXPECT_EQ(result.rank().effects[0].confidence[0], Confidence::kDerived);
  EXPECT_EQ(result.rank().effects[3].confidence[0], Confidence::kModeled);
  EXPECT_THAT(result.rank().changes, IsEmpty());
}

TEST(MemoryProfile, GrowthThatTheLayoutsDoNotExplainIsMeasured) {
  LogText log;
  log.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(neg("%1", "%0", 2))
      .block("EltwiseUnaryOp", 7 * kUnit);
  const Profiled result(log.finish("main"));
  EXPECT_NEAR(static_cast<double>(result.dram(0)), static_cast<double>(7 * kUnit),
              static_cast<double>(kRounding));
  EXPECT_EQ(result.rank().effects[0].confidence[0], Confidence::kMeasured);
}

TEST(MemoryProfile, WhatIsMovedInBeforeAProgramIsItsOwnEvent) {
  LogText log;
  log.start("main").op(neg("%0", "%arg0", 4)).block("EltwiseUnaryOp", 4 * kUnit);
  log.op(free_of("%0", 4)).block("DeallocateOp", 8 * kUnit).finish("main");
  log.start("main").op(neg("%0", "%arg0", 4)).block("EltwiseUnaryOp", 10 * kUnit);
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), 4 * kUnit) << "not 8: the input was there before";
  ASSERT_THAT(result.rank().changes, SizeIs(2));
  EXPECT_EQ(result.rank().changes[0].cause, BoundaryChange::Cause::kProgramStart);
  EXPECT_EQ(result.rank().changes[0].before_op, 0u);
  EXPECT_EQ(result.rank().changes[0].delta[0], 4 * kUnit);
  EXPECT_EQ(result.rank().changes[1].before_op, 2u);
  EXPECT_NEAR(static_cast<double>(result.rank().changes[1].delta[0]), static_cast<double>(6 * kUnit),
              kRounding);
  EXPECT_EQ(result.dram(1), -4 * kUnit);
}

TEST(MemoryProfile, NestedProgramsGrowByTheirOwnOps) {
  LogText log;
  log.start("main")
      .op(load_cached_text("%0", "main_const_eval_0", "%arg0", units(4), units(2)))
      .block("LoadCachedOp", 4 * kUnit);
  log.start("main_const_eval_0");
  log.op(unit_op("%0", "ttnn.permute", "%arg0", 4, 3)).block("PermuteOp", 4 * kUnit);
  log.op(unit_op("%1", "ttnn.mean", "%0", 3, 2)).block("ReductionOp", 7 * kUnit);
  log.op(free_of("%0", 3)).block("DeallocateOp", 9 * kUnit).finish("main_const_eval_0");
  log.op(neg("%1", "%0", 2)).block("EltwiseUnaryOp", 6 * kUnit);
  log.op(free_of("%1", 2)).block("DeallocateOp", 8 * kUnit).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), 0) << "load_cached itself allocates nothing";
  EXPECT_EQ(result.dram(1), 3 * kUnit);
  EXPECT_EQ(result.dram(2), 2 * kUnit);
  EXPECT_EQ(result.dram(3), -3 * kUnit);
  EXPECT_EQ(result.dram(4), 2 * kUnit);
  EXPECT_EQ(result.rank().programs.at(1).const_eval, true);
  EXPECT_NEAR(static_cast<double>(result.rank().programs[1].dram_peak_bytes_per_bank),
              static_cast<double>(9 * kUnit), kRounding);
  EXPECT_NEAR(static_cast<double>(result.rank().programs[0].dram_peak_bytes_per_bank),
              static_cast<double>(9 * kUnit), kRounding);
}

// Peaks stand exactly where inputs are not yet freed: in the block of a deallocate.
TEST(MemoryProfile, PeaksAreTakenOverTheBlocksOfDeallocates) {
  LogText log;
  log.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(neg("%1", "%0", 2))
      .block("EltwiseUnaryOp", 2 * kUnit);
  log.op(free_of("%0", 2))
      .block("DeallocateOp", 4 * kUnit)
      .op(neg("%2", "%1", 2))
      .block("EltwiseUnaryOp", 2 * kUnit);
  log.op(free_of("%1", 2)).block("DeallocateOp", 4 * kUnit).finish("main");
  const Profiled result(log);
  EXPECT_NEAR(static_cast<double>(result.peak().bytes_per_bank), static_cast<double>(4 * kUnit), kRounding);
  EXPECT_EQ(result.peak().op, 1u) << "the first op that reaches it, not the deallocate that shows it";
  EXPECT_EQ(result.peak().block, 2u);
  EXPECT_FALSE(result.peak().at_program_start);
  EXPECT_EQ(result.peak().confidence, Confidence::kMeasured);
  EXPECT_THAT(result.live_at_peak().buffers, SizeIs(2));
}

TEST(MemoryProfile, APeakCanBeMadeByAProgramStart) {
  LogText log;
  log.start("main")
      .op(free_of("%arg0", 9))
      .block("DeallocateOp", 9 * kUnit)
      .op(ones("%0", 1))
      .block("NamedFullOp", 0);
  const Profiled result(log.finish("main"));
  EXPECT_TRUE(result.peak().at_program_start);
  EXPECT_EQ(result.peak().op, 0u);
}

TEST(MemoryProfile, AMemoryNeverUsedHasNoPeak) {
  LogText log;
  log.start("main")
      .op(ones("%0", 1))
      .block("NamedFullOp", 0)
      .op(free_of("%0", 1))
      .block("DeallocateOp", kUnit)
      .finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.peak(Memory::kL1).bytes_per_bank, 0);
  EXPECT_EQ(result.peak(Memory::kL1).op, kNone);
  EXPECT_EQ(result.peak(Memory::kTrace).bytes_per_bank, 0);
}

TEST(MemoryProfile, OpsWithoutBlocksShareTheChangeByTheirLayouts) {
  LogText log;
  log.start("main").op(ones("%0", 1)).block("NamedFullOp", 0).op(ones("%1", 2)).op(ones("%2", 3));
  log.op(free_of("%0", 1)).block("DeallocateOp", 6 * kUnit).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), kUnit);
  EXPECT_EQ(result.dram(1), 2 * kUnit);
  EXPECT_EQ(result.dram(2), 3 * kUnit);
  EXPECT_EQ(result.rank().effects[1].confidence[0], Confidence::kDerived);
  EXPECT_THAT(result.rank().changes, IsEmpty());
}

TEST(MemoryProfile, WhatNoCauseExplainsIsListedAndNotHidden) {
  LogText log;
  log.start("main").op(ones("%0", 1)).block("NamedFullOp", 0).op(ones("%1", 2)).op(ones("%2", 3));
  log.op(free_of("%0", 1)).block("DeallocateOp", 16 * kUnit).finish("main");
  const Profiled result(log);
  ASSERT_THAT(result.rank().changes, SizeIs(1));
  EXPECT_EQ(result.rank().changes[0].cause, BoundaryChange::Cause::kUnattributed);
  EXPECT_NEAR(static_cast<double>(result.rank().changes[0].delta[0]), static_cast<double>(10 * kUnit),
              kRounding);
}

TEST(MemoryProfile, ALogWithoutMemoryLinesHasAModeledCurve) {
  LogText log;
  log.start("main").op(neg("%0", "%arg0", 2)).op(neg("%1", "%0", 2)).op(free_of("%0", 2)).finish("main");
  const Profiled result(log);
  EXPECT_FALSE(result.rank().measured);
  EXPECT_EQ(result.dram(0), 2 * kUnit);
  EXPECT_EQ(result.dram(2), -2 * kUnit);
  EXPECT_EQ(result.rank().effects[0].confidence[0], Confidence::kModeled);
  EXPECT_EQ(result.peak().bytes_per_bank, 6 * kUnit);
  EXPECT_EQ(result.peak().op, 1u);
  EXPECT_EQ(result.peak().confidence, Confidence::kModeled);
  EXPECT_EQ(result.peak().block, kNone);
  EXPECT_EQ(result.live_at_peak().accounted_bytes_per_bank, 6 * kUnit);
  EXPECT_EQ(result.live_at_peak().unaccounted_bytes_per_bank, 0);
}

TEST(MemoryProfile, ALogWithoutOpLinesHasTheMeasuredCurveAlone) {
  LogText log;
  log.block("NamedFullOp", 0)
      .block("MatmulOp", 2 * kUnit)
      .block("DeallocateOp", 5 * kUnit)
      .block("MatmulOp", 3 * kUnit);
  const Profiled result(log);
  EXPECT_FALSE(result.rank().has_op_lines);
  EXPECT_NEAR(static_cast<double>(result.dram(1)), static_cast<double>(3 * kUnit), kRounding);
  EXPECT_EQ(result.rank().effects[1].confidence[0], Confidence::kMeasured);
  EXPECT_EQ(result.peak().op, 1u);
  EXPECT_EQ(result.log.name_of(result.ops_of_rank().ops[result.peak().op]), "MatmulOp");
  EXPECT_THAT(result.rank().buffers, IsEmpty());
  EXPECT_EQ(result.live_at_peak().unaccounted_bytes_per_bank, result.peak().bytes_per_bank);
  EXPECT_EQ(result.rank().executed_ops, 4u);
  EXPECT_EQ(result.rank().counted_ops, 3u);
}

TEST(MemoryProfile, SubmitBlocksAloneGiveACurve) {
  LogText log;
  log.submit_block(true, kUnit).start("main").op(neg("%0", "%arg0", 1)).op(neg("%1", "%0", 1)).finish("main");
  log.submit_block(false, 3 * kUnit).submit_block(true, 2 * kUnit);
  const Profiled result(log);
  EXPECT_EQ(result.dram(0), kUnit);
  EXPECT_EQ(result.dram(1), kUnit);
  EXPECT_NEAR(static_cast<double>(result.peak().bytes_per_bank), static_cast<double>(3 * kUnit), kRounding);
  std::int64_t between = 0;
  for (const BoundaryChange& change : result.rank().changes) between += change.delta[0];
  EXPECT_NEAR(static_cast<double>(between), 0.0, static_cast<double>(kRounding))
      << "one unit came in, one went";
}

TEST(MemoryProfile, OpsAreCountedWithoutDeallocateAndGetDevice) {
  LogText log;
  log.start("main")
      .op("%0 = \"ttnn.get_device\"() : () -> !ttnn.device")
      .op(ones("%1", 1))
      .op(free_of("%1", 1))
      .finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.rank().executed_ops, 3u);
  EXPECT_EQ(result.rank().counted_ops, 1u);
  EXPECT_EQ(result.rank().programs.at(0).executed_ops, 3u);
  EXPECT_EQ(result.rank().programs[0].counted_ops, 1u);
}

TEST(MemoryProfile, TheRankWithTheHighestPeakIsTheMainOne) {
  std::string text;
  for (int rank = 0; rank < 3; ++rank) {
    LogText log({.before = "[1," + std::to_string(rank) + "]<stdout>: "});
    const std::int64_t size = rank == 1 ? 5 : 2;
    log.start("main")
        .op(ones("%0", size))
        .block("NamedFullOp", 0)
        .op(free_of("%0", size))
        .block("DeallocateOp", size * kUnit);
    text += log.finish("main").text();
  }
  EXPECT_EQ(Profiled(text).profile.main_rank, 1u);
}

TEST(MemoryProfile, GrowthIsListedLargestFirst) {
  LogText log;
  log.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(ones("%1", 3))
      .block("NamedFullOp", 2 * kUnit);
  log.op(ones("%2", 2))
      .block("NamedFullOp", 5 * kUnit)
      .op(free_of("%0", 2))
      .block("DeallocateOp", 7 * kUnit)
      .finish("main");
  const std::vector<GrowthEntry> growth = growth_of(Profiled(log).profile);
  ASSERT_THAT(growth, SizeIs(3));
  EXPECT_EQ(growth[0].op, 1u);
  EXPECT_EQ(growth[1].op, 0u) << "ties stay in the order of the log";
  EXPECT_EQ(growth[2].op, 2u);
}

TEST(MemoryProfile, AnOpThatRanOutOfMemoryMadeNothing) {
  LogText log;
  log.start("main")
      .op(ones("%0", 2))
      .block("NamedFullOp", 0)
      .op(ones("%1", 900))
      .block("NamedFullOp", 2 * kUnit);
  log.line(
      "2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: Out of Memory: Not enough space to "
      "allocate 707788800 B "
      "DRAM buffer across 12 banks, where each bank needs to store 58982400 B");
  const Profiled result(log);
  EXPECT_EQ(result.dram(1), 0);
  EXPECT_THAT(result.rank().buffers, SizeIs(1));
}

TEST(MemoryProfile, FragmentationIsOneLessTheLargestBlockOfTheFree) {
  LogText log;
  log.start("main")
      .op(ones("%0", 16))
      .block("NamedFullOp", 0)
      .op(free_of("%0", 16))
      .block("DeallocateOp", 16 * kUnit);
  std::string text = log.finish("main").text();
  const std::string largest = "largestContiguousBytesFreePerBank: 1020.169";
  ASSERT_NE(text.find(largest), std::string::npos);
  text.replace(text.find(largest), largest.size(), "largestContiguousBytesFreePerBank: 255.042");
  const Profiled result(text);
  EXPECT_NEAR(result.rank().worst_fragmentation[0].fraction, 0.75, 0.001);
  EXPECT_EQ(result.rank().worst_fragmentation[0].block, 1u);
}

TEST(MemoryProfile, TheDeviceIsTheOneOfTheMemoryLines) {
  LogText log({.dram_banks = 8, .l1_banks = 130, .dram_mib = 4075.422});
  log.start("main").op(ones("%0", 1)).block("NamedFullOp", 0).finish("main");
  const Profiled result(log);
  EXPECT_EQ(result.rank().device.arch, "blackhole");
  EXPECT_EQ(result.rank().device.banks[1], 130u);
  EXPECT_EQ(result.rank().device.source, FactSource::kMemoryLines);
}

/// A peak had been compared with the banks of the last process, of which it was more than there is.
TEST(MemoryProfile, APeakIsComparedWithTheBanksOfItsProcess) {
  constexpr std::int64_t kMiB = 1 << 20;
  LogText large({.dram_mib = 1024});
  large.start("main").op(ones("%0", 1)).block("NamedFullOp", 1022 * kMiB).finish("main");
  LogText small({.dram_mib = 1021});
  small.start("main").op(ones("%0", 1)).block("NamedFullOp", 7 * kMiB).finish("main");
  for (const std::string& text : {large.text() + small.text(), small.text() + large.text()}) {
    const Profiled result{std::string_view(text)};
    ASSERT_EQ(result.peak().bytes_per_bank, 1022 * kMiB);
    EXPECT_EQ(result.rank().device.capacity_bytes_per_bank[0], 1024 * kMiB);
    ASSERT_FALSE(result.profile.verdict.headroom.empty());
    EXPECT_EQ(result.profile.verdict.headroom[0].bytes_per_bank, 2 * kMiB);
  }
}

TEST(MemoryProfile, AnEmptyTraceHasAnEmptyProfile) {
  const Profiled result(std::string_view("nothing here\n"));
  EXPECT_THAT(result.profile.ranks, IsEmpty());
  EXPECT_THAT(growth_of(result.profile), IsEmpty());
}

}  // namespace
}  // namespace ttscope::mem
