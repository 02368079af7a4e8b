#include "mem/analyze/fixes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mem/analyze/growth.h"
#include "mem/analyze/replay.h"
#include "mem/write/verdict_text.h"
#include "support/profile_text.h"
#include "support/random_log.h"

namespace ttscope::mem {
namespace {

using ::testing::HasSubstr;
using testing::kUnit;
using testing::LogText;
using testing::Profiled;

const Fix* find_kind(const MemoryProfile& profile, FixKind kind) {
  const auto found = std::find_if(profile.fixes.begin(), profile.fixes.end(),
                                  [&](const Fix& fix) { return fix.kind == kind; });
  return found == profile.fixes.end() ? nullptr : &*found;
}

/// Writes a program op by op and prints the true state before each. Sizes are in units.
class Program {
 public:
  Program() { log_.start("main"); }
  Program& ones(const std::string& name, std::int64_t size) {
    return step(testing::ones(name, size), "NamedFullOp", size);
  }
  Program& neg(const std::string& name, const std::string& operand, std::int64_t size) {
    return step(testing::neg(name, operand, size), "EltwiseUnaryOp", size);
  }
  /// From the argument, which is larger or smaller.
  Program& of_argument(const std::string& name, std::int64_t from, std::int64_t size) {
    return step(testing::unit_op(name, "ttnn.neg", "%arg0", from, size), "EltwiseUnaryOp", size);
  }
  Program& free(const std::string& name, std::int64_t size) {
    return step(testing::free_of(name, size), "DeallocateOp", -size);
  }
  Program& argument(std::int64_t size) {
    state_ += size;
    return *this;
  }
  LogText& log() { return log_; }
  LogText& end() { return log_.finish("main"); }
  std::int64_t state() const { return state_; }

 private:
  Program& step(const std::string& text, std::string_view type, std::int64_t growth) {
    log_.op(text).block(type, state_ * kUnit);
    state_ += growth;
    return *this;
  }
  LogText log_;
  std::int64_t state_ = 0;
};

/// Whether the state printed before an op is also that after the op before it.
bool follows_at_once(const RankLog& ops, std::uint32_t op) {
  if (op == 0 || op >= ops.ops.size() || !MeasuredCurve(ops).change_by(op - 1)) return false;
  return std::none_of(ops.events.begin(), ops.events.end(),
                      [op](const ProgramEvent& event) { return event.before_op == op; });
}

/// The plainest replay there is: every state, less whatever is smaller at that moment.
std::int64_t slow_peak(const Profiled& run, Memory memory, const std::vector<SizeReduction>& changes) {
  const std::size_t m = index_of(memory);
  const RankLog& ops = run.ops_of_rank();
  std::int64_t peak = 0;
  const auto look = [&](Moment moment, std::int64_t bytes) {
    for (const SizeReduction& change : changes) {
      if (change.from <= moment && moment < change.until) bytes -= change.bytes_per_bank;
    }
    peak = std::max(peak, bytes);
  };
  for (std::uint32_t i = 0; ops.blocks.empty() && i < ops.ops.size(); ++i) {
    look(before_op(i), run.rank().accounted[i][m]);
    look(after_op(i), run.rank().accounted[i][m] + run.rank().effects[i].own_growth[m]);
  }
  for (const MemoryBlock& block : ops.blocks) {
    const bool after = block.moment == MemoryBlock::Moment::kAfterSubmit && block.before_op > 0;
    if (!block.has(memory)) continue;
    look(after ? after_op(block.before_op - 1) : before_op(block.before_op), bytes_of(block.allocated[m]));
    if (block.moment == MemoryBlock::Moment::kBeforeOp && follows_at_once(ops, block.before_op))
      look(after_op(block.before_op - 1), bytes_of(block.allocated[m]));
  }
  return peak;
}

TEST(Replay, GivesWhatThePlainestReplayGives) {
  std::size_t tried = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const testing::RandomRun random =
        testing::make_random_run({.seed = seed, .runs = 2, .steps = 14, .memory_lines = seed % 3 != 0});
    std::string text;
    for (const std::string& line : random.lines) text += line + "\n";
    const Profiled run{std::string_view(text)};
    for (const Memory memory : kTensorMemories) {
      Replay replay(run.log, 0, run.rank(), memory);
      EXPECT_EQ(replay.peak(), run.peak(memory).bytes_per_bank) << seed;
      EXPECT_EQ(replay.peak_with({}), replay.peak()) << seed;
      const FixScene scene{run.log, run.profile, 0, memory};
      for (std::size_t k = 0; k < kFixKindCount; ++k) {
        const FixChanges changes = changes_of(scene, static_cast<FixKind>(k));
        tried += changes.smaller.empty() ? 0 : 1;
        EXPECT_EQ(replay.peak_with(changes.smaller), slow_peak(run, memory, changes.smaller))
            << seed << " " << name_of(static_cast<FixKind>(k));
      }
    }
  }
  EXPECT_GT(tried, 100U) << "the logs must give fixes something to do";
}

TEST(Fixes, EarlierDeallocationIsWhatTheRunThatDoesItNeeds) {
  Program late;
  late.ones("%0", 4).neg("%1", "%0", 4).ones("%2", 8).free("%0", 4).neg("%3", "%2", 1);
  Program early;
  early.ones("%0", 4).neg("%1", "%0", 4).free("%0", 4).ones("%2", 8).neg("%3", "%2", 1);
  const Profiled run(late.end());
  const Profiled wanted(early.end());
  const Fix* fix = find_kind(run.profile, FixKind::kDeallocateEarlier);
  ASSERT_NE(fix, nullptr);
  EXPECT_EQ(fix->peak_before_bytes_per_bank, run.peak().bytes_per_bank);
  EXPECT_EQ(fix->peak_after_bytes_per_bank, wanted.peak().bytes_per_bank);
  EXPECT_EQ(fix->saves_bytes_per_bank, 4 * kUnit);
  EXPECT_FALSE(fix->enough.has_value()) << "nothing failed";
  EXPECT_EQ(find_kind(wanted.profile, FixKind::kDeallocateEarlier), nullptr);
}

TEST(Fixes, TheNextPeakLimitsWhatIsSaved) {
  Program program;
  program.ones("%0", 12).neg("%1", "%0", 2).ones("%2", 2).free("%0", 12);  // 16 with %0 too long alive
  program.ones("%3", 9).neg("%4", "%3", 1).free("%3", 9).neg("%5", "%4", 1);
  const Profiled run(program.end());
  const Fix* fix = find_kind(run.profile, FixKind::kDeallocateEarlier);
  ASSERT_NE(fix, nullptr);
  EXPECT_EQ(fix->tensor_bytes_per_bank, 12 * kUnit);
  EXPECT_EQ(fix->saves_bytes_per_bank, 2 * kUnit) << "another moment is the peak then";
  EXPECT_EQ(fix->peak_after_bytes_per_bank, 14 * kUnit);
}

constexpr std::int64_t kBank = 20 * kUnit;

std::string failure_line(std::int64_t allocated, std::int64_t asked) {
  const auto text = [](std::int64_t bytes) { return std::to_string(bytes); };
  return "TT_FATAL: Out of Memory: Not enough space to allocate " + text(12 * asked) +
         " B DRAM buffer across 12 banks, where each bank needs to store " + text(asked) +
         " B, but bank size is " + text(kBank) + " B (allocated: " + text(allocated) +
         " B, free: " + text(kBank - allocated) + " B, largest free block: " + text(kBank - allocated) +
         " B)";
}

/// A module dump that says that the only argument is a weight.
std::string weight_dump(std::int64_t size) {
  LogText log;
  log.module("ttnn",
             "module {\n  func.func @main(%arg0: " + testing::units(size) +
                 " {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = \"w\"}) -> " +
                 testing::units(1) + " {\n    return %1 : " + testing::units(1) + "\n  }\n}");
  return log.text();
}

TEST(Fixes, AFixThatIsNotEnoughSaysSo) {
  for (const std::int64_t asked : {std::int64_t{12}, std::int64_t{16}}) {
    Program program;
    program.argument(12).of_argument("%0", 12, 1).free("%0", 1).of_argument("%1", 12, asked);
    program.log().line(failure_line(12 * kUnit, asked * kUnit));
    const Profiled run{std::string_view(weight_dump(12) + program.log().text())};
    ASSERT_EQ(run.profile.verdict.outcome, Outcome::kOutOfMemory);
    const Fix* fix = find_kind(run.profile, FixKind::kMoreDevices);
    ASSERT_NE(fix, nullptr);
    EXPECT_EQ(fix->peak_before_bytes_per_bank, (12 + asked) * kUnit);
    EXPECT_EQ(fix->peak_after_bytes_per_bank, (6 + asked) * kUnit);
    EXPECT_EQ(fix->enough, asked == 12) << "a bank holds 20";
    EXPECT_THAT(fix_text({run.log, run.profile}, *fix).effect,
                ::testing::EndsWith(asked == 12 ? ", enough up to there" : ", not enough alone"));
  }
}

TEST(Fixes, OriginalsOfConstEvalCopiesAreFreedOnceTheCopyIsMade) {
  LogText log;
  log.start("main").op(
      testing::load_cached_text("%0", "main_const_eval_0", "%arg0", testing::units(4), testing::units(3)));
  log.cache_miss("main_const_eval_0").start("main_const_eval_0");
  log.op(testing::unit_op("%0", "ttnn.permute", "%arg0", 4, 3)).finish("main_const_eval_0");
  log.op(testing::neg("%1", "%0", 3)).op(testing::free_of("%0", 3)).retained().finish("main");
  const Profiled run{std::string_view(weight_dump(4) + log.text())};
  ASSERT_EQ(run.peak().bytes_per_bank, (4 + 3 + 3) * kUnit);
  const Fix* fix = find_kind(run.profile, FixKind::kFreeCopiedOriginals);
  ASSERT_NE(fix, nullptr);
  EXPECT_EQ(fix->peak_after_bytes_per_bank, (4 + 3) * kUnit) << "both lie there while the copy is made";
}

/// States are printed before ops: that after the op which makes the copy had been taken for one without the
/// original, so that `ttscope fit --free-originals` told another peak.
TEST(Fixes, AnOriginalLiesThereStillWhenTheOpThatMakesItsCopyHasItsResult) {
  LogText log;
  log.start("main")
      .op(testing::load_cached_text("%0", "main_const_eval_0", "%arg0", testing::units(4), testing::units(3)))
      .block("LoadCachedOp", 4 * kUnit);
  log.cache_miss("main_const_eval_0").start("main_const_eval_0");
  log.op(testing::unit_op("%0", "ttnn.permute", "%arg0", 4, 3)).block("PermuteOp", 4 * kUnit);
  log.op(testing::neg("%1", "%0", 3)).block("EltwiseUnaryOp", 7 * kUnit);
  log.op(testing::free_of("%0", 3)).block("DeallocateOp", 10 * kUnit).finish("main_const_eval_0");
  log.op(testing::neg("%1", "%0", 1)).block("EltwiseUnaryOp", 7 * kUnit);
  log.op(testing::free_of("%1", 1)).block("DeallocateOp", 8 * kUnit).finish("main");
  const Profiled run{std::string_view(weight_dump(4) + log.text())};
  ASSERT_EQ(run.peak().bytes_per_bank, 10 * kUnit);
  ASSERT_EQ(run.rank().copied_weights.size(), 1U);
  EXPECT_EQ(find_kind(run.profile, FixKind::kFreeCopiedOriginals), nullptr);
}

TEST(Fixes, WeightsInBlockFormatsTakeWhatTheFormatTakes) {
  // A weight of 12 units (bf16) that the whole run holds: 1088 of 2048 bytes of each tile stay.
  Program program;
  program.argument(12).neg("%0", "%arg0", 12).neg("%1", "%0", 1);
  const Profiled run{std::string_view(weight_dump(12) + program.end().text())};
  const Fix* fix = find_kind(run.profile, FixKind::kBfp8Weights);
  ASSERT_NE(fix, nullptr);
  EXPECT_EQ(fix->saves_bytes_per_bank, 12 * kUnit - 12 * kUnit / 2048 * 1088);
  ASSERT_EQ(fix->largest.size(), 1U);
  const FixText text = fix_text({run.log, run.profile}, *fix);
  EXPECT_THAT(text.what, HasSubstr("bfp8"));
  EXPECT_THAT(text.evidence, HasSubstr("w ("));
}

TEST(Fixes, PaddingAndLockstepWasteAreFound) {
  Program program;
  const std::string thin = testing::dram_tensor(32 * 1200, 1);  // 1200 tiles of which 1/32 is data
  const std::int64_t per_bank = 100 * 2048;
  program.log().op(testing::op_text("%0", "ttnn.ones", "", "", thin)).block("NamedFullOp", 0);
  program.log().op(testing::neg("%1", "%9", 1)).block("EltwiseUnaryOp", per_bank);
  program.log().op(testing::neg("%2", "%1", 1)).block("EltwiseUnaryOp", per_bank + kUnit);
  const Profiled run(program.end());
  const Fix* padding = find_kind(run.profile, FixKind::kLessPadding);
  ASSERT_NE(padding, nullptr);
  EXPECT_EQ(padding->saves_bytes_per_bank, per_bank - 4 * 2048) << "38 tiles of data, 4 in the fullest bank";

  LogText small;
  const std::string tile = testing::dram_tensor(32, 32);
  small.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", tile)).block("NamedFullOp", 0);
  for (int i = 1; i < 9; ++i) {
    const std::string name = "%" + std::to_string(i);
    small.op(testing::op_text(name, "ttnn.ones", "", "", tile)).block("NamedFullOp", 2048 * i);
  }
  const Profiled lockstep(small.finish("main"));
  EXPECT_EQ(lockstep.live_at_peak().lockstep_bytes_per_bank, 8 * (2048 - 171))
      << "11 of 12 banks hold nothing";
  const Fix* shared = find_kind(lockstep.profile, FixKind::kSharedPages);
  ASSERT_NE(shared, nullptr);
  EXPECT_EQ(shared->saves_bytes_per_bank, 8 * (2048 - 171));
}

TEST(Fixes, ARegionOfNoSizeIsASetting) {
  Program program;
  program.ones("%0", 1).neg("%1", "%0", 1);
  program.log().line(
      "TT_FATAL: Out of Memory: Not enough space to allocate 131072 B L1_SMALL buffer across 64 banks, where "
      "each "
      "bank needs to store 2048 B, but bank size is 0 B (allocated: 0 B, free: 0 B, largest free block: 0 "
      "B)");
  const Profiled run(program.log());
  const Fix* fix = find_kind(run.profile, FixKind::kLargerRegion);
  ASSERT_NE(fix, nullptr);
  EXPECT_EQ(fix->amount, 2048);
  EXPECT_EQ(fix->enough, true);
  EXPECT_THAT(fix_text({run.log, run.profile}, *fix).what, HasSubstr("l1_small_size"));
}

TEST(Fixes, ATraceRegionIsASettingToo) {
  for (const auto& [message, amount, enough] :
       {std::tuple("Creating trace buffers of size 33554432B on MeshDevice 1, but only 0B is allocated for "
                   "trace region.",
                   33554432, std::optional<bool>(true)),
        std::tuple("Trace buffer at address 1024 overlaps with DRAM buffer at address 512", 0,
                   std::optional<bool>())}) {
    Program program;
    program.ones("%0", 1).neg("%1", "%0", 1);
    program.log().line(std::string("TT_FATAL: ") + message);
    const Profiled run(program.log());
    const Fix* fix = find_kind(run.profile, FixKind::kLargerRegion);
    ASSERT_NE(fix, nullptr) << message;
    EXPECT_EQ(fix->amount, amount);
    EXPECT_EQ(fix->enough, enough);
    EXPECT_THAT(fix_text({run.log, run.profile}, *fix).what, HasSubstr("TT_RUNTIME_TRACE_REGION_SIZE"));
  }
}

TEST(Fixes, AFailureOfTheHostDoesNotHideOneOfTheDevice) {
  Program program;
  program.ones("%0", 8).neg("%1", "%0", 8);
  program.log().line("MemoryError");
  program.log().line(
      "TT_FATAL: Out of Memory: Not enough space to allocate 12582912 B DRAM buffer across 12 banks, where "
      "each bank "
      "needs to store 1048576 B, but bank size is 1572864 B (allocated: 1048576 B, free: 524288 B, largest "
      "free "
      "block: 524288 B)");
  const Profiled run(program.log());
  std::size_t of_device = 0;
  for (const Fix& fix : run.profile.fixes) {
    if (fix.kind == FixKind::kLessOnHost) continue;
    ++of_device;
    EXPECT_GE(fix.peak_before_bytes_per_bank, 2 * 1048576);
  }
  EXPECT_GT(of_device, 0U);
  EXPECT_LT(of_device, run.profile.fixes.size()) << "the host's memory has a fix of its own";
}

TEST(Fixes, CircularBuffersThatEndTooHighMustBeSmaller) {
  for (const std::string message :
       {"TT_THROW: Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to "
        "1600000 B "
        "which is beyond max L1 size of 1499136 B",
        "TT_THROW: Statically allocated circular buffers in program 7 clash with L1 buffers on core range "
        "[(x=0,y=0) - (x=7,y=7)]. L1 buffer allocated at 1499136 and static circular buffer region ends at "
        "1600000"}) {
    Program program;
    program.ones("%0", 1).neg("%1", "%0", 1);
    program.log().line(message);
    const Profiled run(program.log());
    const Fix* fix = find_kind(run.profile, FixKind::kSmallerCircularBuffers);
    ASSERT_NE(fix, nullptr) << message;
    EXPECT_EQ(fix->saves_bytes_per_bank, 1600000 - 1499136);
    EXPECT_EQ(fix->enough, true);
  }
}

/// L1 is fullest long before the op whose circular buffers reach into the tensors that are left.
Profiled clash_behind_the_peak(std::int64_t overlap_bytes) {
  const auto on_one_core = [](std::int64_t tiles) { return testing::l1_sharded_tensor(32, 32 * tiles, 1); };
  const std::string lasting = on_one_core(40);
  const std::string gone = on_one_core(200);
  constexpr std::int64_t kTileBytes = 2048;
  LogText log;
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", gone)).block("NamedFullOp", 0, 0);
  log.op(testing::deallocate_text("%0", gone)).block("DeallocateOp", 0, 200 * kTileBytes);
  log.op(testing::op_text("%1", "ttnn.ones", "", "", lasting)).block("NamedFullOp", 0, 0);
  log.op(testing::op_text("%2", "ttnn.neg", "%1", lasting, lasting))
      .block("EltwiseUnaryOp", 0, 40 * kTileBytes);
  log.line(
      "TT_THROW: Statically allocated circular buffers in program 7 clash with L1 buffers on core range "
      "[0-0 - 7-7]. L1 buffer allocated at 1000000 and static circular buffer region ends at " +
      std::to_string(1000000 + overlap_bytes));
  return Profiled(log);
}

TEST(Fixes, AClashIsAdvisedOnByWhatItsOpFoundNotByThePeak) {
  const Profiled run = clash_behind_the_peak(2048);
  const Fix* fix = find_kind(run.profile, FixKind::kSharedPages);
  ASSERT_NE(fix, nullptr);
  EXPECT_NEAR(static_cast<double>(fix->peak_before_bytes_per_bank), 40 * 2048, kRoundingBytes);
  EXPECT_EQ(fix->tensors, 1U);
  EXPECT_EQ(fix->enough, std::nullopt);
  EXPECT_TRUE(fix->maybe_in_pieces);
  EXPECT_THAT(fix_text({run.log, run.profile}, *fix).effect, HasSubstr("per bank at the op"));
  const Profiled far = clash_behind_the_peak(1000000);
  const Fix* too_little = find_kind(far.profile, FixKind::kSharedPages);
  ASSERT_NE(too_little, nullptr);
  EXPECT_EQ(too_little->enough, false);
}

TEST(Fixes, NobodyCanTellWhetherAFragmentedMemoryHasRoomThen) {
  Program program;
  program.argument(12).of_argument("%0", 12, 1).free("%0", 1).of_argument("%1", 12, 6);
  program.log().line("TT_FATAL: Out of Memory: Not enough space to allocate " + std::to_string(72 * kUnit) +
                     " B DRAM buffer across 12 banks, where each bank needs to store " +
                     std::to_string(6 * kUnit) + " B, but bank size is " + std::to_string(kBank) +
                     " B (allocated: " + std::to_string(12 * kUnit) +
                     " B, free: " + std::to_string(8 * kUnit) +
                     " B, largest free block: " + std::to_string(4 * kUnit) + " B)");
  const Profiled run{std::string_view(weight_dump(12) + program.log().text())};
  const Fix* fix = find_kind(run.profile, FixKind::kMoreDevices);
  ASSERT_NE(fix, nullptr);
  EXPECT_FALSE(fix->enough.has_value());
  EXPECT_THAT(fix_text({run.log, run.profile}, *fix).effect, HasSubstr("enough if that is in one piece"));
}

TEST(Fixes, MostBytesComeFirst) {
  const testing::RandomRun random = testing::make_random_run({.seed = 5, .runs = 2, .steps = 30});
  std::string text;
  for (const std::string& line : random.lines) text += line + "\n";
  const Profiled run{std::string_view(text)};
  EXPECT_TRUE(std::is_sorted(
      run.profile.fixes.begin(), run.profile.fixes.end(),
      [](const Fix& a, const Fix& b) { return a.saves_bytes_per_bank > b.saves_bytes_per_bank; }));
  for (const Fix& fix : run.profile.fixes) {
    EXPECT_EQ(fix.peak_before_bytes_per_bank - fix.saves_bytes_per_bank, fix.peak_after_bytes_per_bank);
    EXPECT_LE(fix.saves_bytes_per_bank, fix.tensor_bytes_per_bank);
  }
}

TEST(Fixes, WhatAFailedAllocationAsksForIsSpreadToo) {
  // Const-eval asks for a copy of 8 units beside the weight of 8: half of both is on twice as many chips.
  LogText log;
  log.start("main").op(
      testing::load_cached_text("%0", "main_const_eval_0", "%arg0", testing::units(8), testing::units(8)));
  log.block("LoadCachedOp", 8 * kUnit).cache_miss("main_const_eval_0").start("main_const_eval_0");
  log.op(testing::neg("%0", "%arg0", 8))
      .block("EltwiseUnaryOp", 8 * kUnit)
      .line(failure_line(8 * kUnit, 8 * kUnit));
  const Profiled run{std::string_view(weight_dump(8) + log.text())};
  const Fix* fix = find_kind(run.profile, FixKind::kMoreDevices);
  ASSERT_NE(fix, nullptr);
  EXPECT_EQ(fix->peak_before_bytes_per_bank, 16 * kUnit);
  EXPECT_EQ(fix->peak_after_bytes_per_bank, 8 * kUnit);
  EXPECT_EQ(fix->tensors, 2U);
}

TEST(Fixes, BlockFormatsAreNotForTheTablesOfEmbeddings) {
  for (const bool looks_up : {false, true}) {
    LogText log;
    log.start("main");
    log.op(testing::op_text("%1", looks_up ? "ttnn.embedding" : "ttnn.matmul", "%0, %arg0",
                            testing::units(1) + ", " + testing::units(12), testing::units(1)));
    log.block("EmbeddingOp", 12 * kUnit).op(testing::neg("%2", "%1", 1)).block("EltwiseUnaryOp", 13 * kUnit);
    const Profiled run{std::string_view(weight_dump(12) + log.finish("main").text())};
    EXPECT_EQ(find_kind(run.profile, FixKind::kBfp4Weights) == nullptr, looks_up);
    EXPECT_EQ(find_kind(run.profile, FixKind::kBfp8Weights) == nullptr, looks_up);
  }
}

TEST(Fixes, AMessageAloneTellsWhatIsMissing) {
  LogText log;
  const Profiled full(log.line(failure_line(18 * kUnit, 8 * kUnit)));
  ASSERT_EQ(full.profile.fixes.size(), 1U);
  EXPECT_EQ(full.profile.fixes[0].kind, FixKind::kHoldLess);
  EXPECT_EQ(full.profile.fixes[0].saves_bytes_per_bank, 6 * kUnit) << "2 of 20 are free";
  EXPECT_THAT(fix_text({full.log, full.profile}, full.profile.fixes[0]).what,
              HasSubstr("at least 384.0 KB less"));
  EXPECT_EQ(full.rank().device.capacity_bytes_per_bank[0], kBank) << "the message says it";
  ASSERT_EQ(full.profile.missing.size(), 1U) << "no advice to build another runtime";
  EXPECT_EQ(full.profile.missing[0].part, MissingPart::kWholeLog);
  LogText other;
  const Profiled larger(other.line(failure_line(0, 50 * kUnit)));
  ASSERT_FALSE(larger.profile.fixes.empty());
  EXPECT_EQ(larger.profile.fixes[0].kind, FixKind::kSmallerTensor);
  EXPECT_THAT(fix_text({larger.log, larger.profile}, larger.profile.fixes[0]).what,
              HasSubstr("2.5 times smaller"));
  LogText host;
  const Profiled killed(host.line("Memory cgroup out of memory: Killed process 4711 (python)"));
  ASSERT_EQ(killed.profile.fixes.size(), 1U);
  EXPECT_EQ(killed.profile.fixes[0].kind, FixKind::kLessOnHost);
}

}  // namespace
}  // namespace ttscope::mem
