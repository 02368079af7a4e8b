// Which block belongs to which op, and which program is open: through small logs, as the reader sees them.
#include "mem/read/log_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/log_text.h"
#include "support/read_text.h"

namespace ttscope::mem {
namespace {

using testing::deallocate_text;
using testing::dram_tensor;
using testing::load_cached_text;
using testing::LogText;
using testing::op_text;
using testing::read_text;
using ::testing::SizeIs;

const std::string kType = dram_tensor(64, 64);

std::string add(int result) {
  return op_text("%" + std::to_string(result), "ttnn.add", "%arg0, %arg0", kType + ", " + kType, kType);
}
std::string matmul(int result) {
  return op_text("%" + std::to_string(result), "ttnn.matmul", "%arg0, %arg0", kType + ", " + kType, kType);
}
std::string free_of(int name) { return deallocate_text("%" + std::to_string(name), kType); }
std::string cached(const std::string& callee) {
  return load_cached_text("%9", callee, "%arg0", kType, kType);
}

std::uint64_t problems(const RuntimeLog& log, LogProblem problem) { return log.problems.count(problem); }

TEST(RankBuilder, ABlockBelongsToTheOpLineBeforeIt) {
  LogText log;
  log.start("main")
      .op(add(0))
      .block("EltwiseBinaryOp", 1 << 20)
      .op(free_of(0))
      .block("DeallocateOp", 2 << 20)
      .finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  ASSERT_THAT(rank.blocks, SizeIs(2));
  EXPECT_EQ(rank.ops[0].block, 0u);
  EXPECT_EQ(rank.ops[1].block, 1u);
  EXPECT_EQ(rank.blocks[1].before_op, 1u);
  EXPECT_EQ(rank.blocks[1].allocated[0], 2000u);
  EXPECT_EQ(rank.blocks[0].line, 3u);
  EXPECT_EQ(rank.blocks[0].view_line[0], 4u);
  EXPECT_EQ(parsed.names[rank.ops[0].op_type], "EltwiseBinaryOp");
}

TEST(RankBuilder, ADisplacedBlockIsPutBackByItsType) {
  LogText log;
  log.start("main")
      .op(add(0))
      .op(free_of(0))
      .block("EltwiseBinaryOp", 1 << 20)
      .block("DeallocateOp", 2 << 20)
      .finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  EXPECT_THAT(rank.ops, SizeIs(2));
  EXPECT_EQ(rank.ops[0].block, 0u);
  EXPECT_EQ(rank.ops[1].block, 1u);
  EXPECT_EQ(problems(parsed, LogProblem::kBlockDisplaced), 1u);
  EXPECT_EQ(problems(parsed, LogProblem::kBlockWithoutOp), 0u);
}

TEST(RankBuilder, ABlockOfAnotherTypeIsAnOpWhoseLineIsMissing) {
  LogText log;
  log.start("main")
      .op(add(0))
      .block("EltwiseBinaryOp", 0)
      .block("LoadCachedOp", 1 << 20)
      .op(add(1))
      .finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  ASSERT_THAT(rank.ops, SizeIs(3));
  EXPECT_EQ(rank.ops[1].text, kNone);
  EXPECT_EQ(parsed.role_of(rank.ops[1]), OpRole::kLoadCached);
  EXPECT_EQ(rank.ops[1].instance, 0u);
  EXPECT_EQ(problems(parsed, LogProblem::kBlockWithoutOp), 1u);
  EXPECT_EQ(problems(parsed, LogProblem::kBlockMissing), 1u) << "the last op has none";
}

TEST(RankBuilder, AnIncompleteBlockRepeatsWhatIsKnown) {
  LogText log;
  log.start("main").op(add(0)).block("EltwiseBinaryOp", 1 << 20, 1 << 18);
  log.op(add(1)).header("EltwiseBinaryOp").view("DRAM", 2 << 20);
  log.op(free_of(1)).block("DeallocateOp", 3 << 20).finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const MemoryBlock& block = parsed.ranks.at(0).blocks.at(1);
  EXPECT_EQ(block.present, 0x1);
  EXPECT_EQ(block.allocated[0], 2000u);
  EXPECT_EQ(block.allocated[1], 250u) << "of the block before";
  EXPECT_EQ(parsed.geometries[block.geometry].banks[1], 64u);
  EXPECT_EQ(problems(parsed, LogProblem::kBlockIncomplete), 1u);
}

TEST(RankBuilder, ABlockCutByTheEndOfTheLogIsIncomplete) {
  LogText log;
  log.start("main").op(add(0)).header("EltwiseBinaryOp").view("DRAM", 0);
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_EQ(problems(parsed, LogProblem::kBlockIncomplete), 1u);
  EXPECT_EQ(problems(parsed, LogProblem::kProgramLeftOpen), 1u);
  EXPECT_EQ(parsed.ranks[0].blocks[0].present, 0x1);
}

TEST(RankBuilder, ABlockWithoutHeaderBelongsToTheLastOp) {
  LogText log;
  log.start("main")
      .op(add(0))
      .view("DRAM", 1 << 20)
      .view("L1", 0)
      .view("L1_SMALL", 0)
      .view("TRACE", 0)
      .finish("main");
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_EQ(parsed.ranks.at(0).ops.at(0).block, 0u);
  EXPECT_EQ(parsed.ranks[0].ops[0].op_type, kNone);
}

TEST(RankBuilder, AViewWithBadNumbersIsNotUsed) {
  LogText log;
  log.start("main").op(add(0)).header("EltwiseBinaryOp");
  std::string text = log.text() + LogText().view("DRAM", 1 << 20).text() + LogText().view("L1", 0).text();
  text.replace(text.find("totalBytesAllocatedPerBank: 1.000"), 33,
               "totalBytesAllocatedPerBank: 9999999999999.0");
  const RuntimeLog parsed = read_text(text);
  EXPECT_EQ(problems(parsed, LogProblem::kBadMemoryNumber), 1u);
  EXPECT_EQ(parsed.problems.places(LogProblem::kBadMemoryNumber).at(0).line, 4u);
  EXPECT_EQ(parsed.ranks.at(0).blocks.at(0).present, 0x2);
}

TEST(RankBuilder, ViewsThatDoNotAddUpAreTold) {
  LogText log;
  log.start("main").op(add(0)).block("EltwiseBinaryOp", 1 << 20).finish("main");
  std::string text = log.text();
  text.replace(text.find("totalBytesFreePerBank: 1020.169"), 31, "totalBytesFreePerBank: 1000.169");
  EXPECT_EQ(problems(read_text(text), LogProblem::kViewInconsistent), 1u);
  EXPECT_EQ(problems(read_text(log.text()), LogProblem::kViewInconsistent), 0u);
}

TEST(RankBuilder, SubmitBlocksBelongToNoOp) {
  LogText log;
  log.submit_block(true, 1 << 20).start("main").op(add(0)).finish("main").submit_block(false, 2 << 20);
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  ASSERT_THAT(rank.blocks, SizeIs(2));
  EXPECT_EQ(rank.blocks[0].moment, MemoryBlock::Moment::kBeforeSubmit);
  EXPECT_EQ(rank.blocks[0].before_op, 0u);
  EXPECT_EQ(rank.blocks[1].moment, MemoryBlock::Moment::kAfterSubmit);
  EXPECT_EQ(rank.blocks[1].before_op, 1u);
  EXPECT_EQ(rank.ops.at(0).block, kNone);
}

TEST(RankBuilder, ARetainedTensorIsTheOneOfTheLastDeallocate) {
  LogText log;
  log.start("main")
      .op(add(0))
      .op(free_of(0))
      .block("DeallocateOp", 0)
      .retained()
      .op(free_of(1))
      .op(add(2))
      .retained();
  log.finish("main").retained();
  const RuntimeLog parsed = read_text(log.text());
  const auto& ops = parsed.ranks.at(0).ops;
  EXPECT_TRUE(ops[1].retained);
  EXPECT_FALSE(ops[2].retained);
  EXPECT_FALSE(ops[3].retained) << "not a deallocate";
}

TEST(RankBuilder, BuffersDestroyedBetweenProgramsAreNotTheLastDeallocates) {
  LogText log;
  log.start("main").op(free_of(0)).finish("main").retained();
  EXPECT_FALSE(read_text(log.text()).ranks.at(0).ops.at(0).retained);
}

TEST(RankBuilder, ConstEvalProgramsAreNestedInTheirCaller) {
  LogText log;
  log.start("main")
      .op(cached("main_const_eval_0"))
      .cache_miss("main_const_eval_0")
      .start("main_const_eval_0");
  log.op(add(0)).finish("main_const_eval_0").op(cached("main_const_eval_1")).cache_hit("main_const_eval_1");
  log.op(matmul(1)).finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  ASSERT_THAT(rank.programs, SizeIs(2));
  EXPECT_EQ(rank.programs[1].parent, 0u);
  EXPECT_EQ(rank.programs[1].caller_op, 0u);
  EXPECT_EQ(rank.programs[1].first_op, 1u);
  EXPECT_EQ(rank.programs[1].end_op, 2u);
  EXPECT_EQ(rank.programs[0].end_op, 4u);
  EXPECT_EQ(rank.ops[1].instance, 1u);
  EXPECT_EQ(rank.ops[3].instance, 0u);
  EXPECT_TRUE(rank.ops[0].cache_miss);
  EXPECT_TRUE(rank.ops[2].cache_hit);
}

TEST(RankBuilder, AConstEvalProgramWhoseCallIsLostIsStillNested) {
  LogText log;
  log.start("main")
      .op(add(0))
      .start("main_const_eval_0")
      .op(add(0))
      .finish("main_const_eval_0")
      .op(add(1))
      .finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  EXPECT_EQ(rank.programs.at(1).parent, 0u);
  EXPECT_EQ(rank.ops.at(2).instance, 0u);
  EXPECT_EQ(problems(parsed, LogProblem::kProgramLeftOpen), 0u);
}

TEST(RankBuilder, CalledProgramsAreNested) {
  LogText log;
  log.start("main")
      .op("%0 = func.call @helper(%arg0) : (" + kType + ") -> " + kType)
      .start("helper")
      .op(add(0));
  log.finish("helper").op(add(1)).finish("main");
  const RankLog rank = read_text(log.text()).ranks.at(0);
  EXPECT_EQ(rank.programs.at(1).parent, 0u);
  EXPECT_EQ(rank.programs[1].caller_op, 0u);
}

// A const-eval program that a crash interrupted must not swallow the programs after it.
TEST(RankBuilder, ProgramsLeftOpenByACrashAreClosedByTheNext) {
  LogText log;
  log.start("main").op(cached("main_const_eval_0")).start("main_const_eval_0").op(add(0));
  log.start("main").op(add(0)).finish("main");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  ASSERT_THAT(rank.programs, SizeIs(3));
  EXPECT_EQ(rank.programs[2].parent, kNone);
  EXPECT_EQ(rank.programs[0].end_line, 0u);
  EXPECT_EQ(rank.programs[1].end_line, 0u);
  EXPECT_EQ(rank.programs[1].end_op, 2u);
  EXPECT_EQ(rank.ops.at(2).instance, 2u);
  EXPECT_EQ(problems(parsed, LogProblem::kProgramLeftOpen), 2u);
}

TEST(RankBuilder, ACrashInsideLoadCachedDoesNotNestTheNextRun) {
  LogText log;
  log.start("main").op(cached("main_const_eval_0")).start("main").op(add(0)).finish("main");
  const RankLog rank = read_text(log.text()).ranks.at(0);
  ASSERT_THAT(rank.programs, SizeIs(2));
  EXPECT_EQ(rank.programs[1].parent, kNone);
}

TEST(RankBuilder, AnEndClosesWhatWasLeftOpenInside) {
  LogText log;
  log.start("main")
      .op(cached("main_const_eval_0"))
      .start("main_const_eval_0")
      .op(add(0))
      .finish("main")
      .finish("other");
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_EQ(parsed.ranks.at(0).programs.at(0).end_line, 5u);
  EXPECT_EQ(parsed.ranks[0].programs[1].end_line, 0u);
  EXPECT_EQ(problems(parsed, LogProblem::kProgramLeftOpen), 1u);
  EXPECT_EQ(problems(parsed, LogProblem::kProgramEndUnmatched), 1u);
}

TEST(RankBuilder, NestingHasALimit) {
  LogText log;
  log.start("main");
  for (int i = 0; i < 200; ++i) log.start("main_const_eval_" + std::to_string(i));
  log.op(add(0));
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_THAT(parsed.ranks.at(0).programs, SizeIs(201));
  EXPECT_GT(problems(parsed, LogProblem::kProgramsTooDeep), 0u);
  EXPECT_EQ(problems(parsed, LogProblem::kProgramLeftOpen), 201u);
}

TEST(RankBuilder, AnotherDeviceConfigurationIsAnotherGeometry) {
  const std::string text =
      LogText().op(add(0)).block("EltwiseBinaryOp", 0).text() +
      LogText({.dram_banks = 8, .dram_mib = 4075.422}).op(add(0)).block("EltwiseBinaryOp", 0).text();
  const RuntimeLog log = read_text(text);
  const auto& blocks = log.ranks.at(0).blocks;
  EXPECT_EQ(log.geometries[blocks[0].geometry].banks[0], 12u);
  EXPECT_EQ(log.geometries[blocks[1].geometry].banks[0], 8u);
}

TEST(OpTypeFit, TypesOfTheirOwnFitByName) {
  EXPECT_EQ(fit_of("ttnn.matmul", "MatmulOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttnn.rms_norm", "RMSNormOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttnn.conv2d", "Conv2dOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttcore.load_cached", "LoadCachedOp"), TypeFit::kYes);
}

TEST(OpTypeFit, GroupsFitTheirMembers) {
  EXPECT_EQ(fit_of("ttnn.multiply", "EltwiseBinaryOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttnn.neg", "EltwiseUnaryOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttnn.mean", "ReductionOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttnn.zeros", "NamedFullOp"), TypeFit::kYes);
  EXPECT_EQ(fit_of("ttnn.slice_static", "SliceOp"), TypeFit::kYes);
}

TEST(OpTypeFit, WhatCannotFitDoesNot) {
  EXPECT_EQ(fit_of("ttnn.deallocate", "MatmulOp"), TypeFit::kNo);
  EXPECT_EQ(fit_of("ttnn.matmul", "DeallocateOp"), TypeFit::kNo);
  EXPECT_EQ(fit_of("ttcore.load_cached", "MatmulOp"), TypeFit::kNo);
}

TEST(OpTypeFit, TheRuntimeMayRegroupOps) {
  EXPECT_EQ(fit_of("ttnn.add", "EltwiseUnaryOp"), TypeFit::kMaybe);
  EXPECT_EQ(fit_of("func.call", "CpuOp"), TypeFit::kMaybe);
  EXPECT_EQ(fit_of("ttnn.new_thing", "SomethingElseOp"), TypeFit::kMaybe);
}

}  // namespace
}  // namespace ttscope::mem
