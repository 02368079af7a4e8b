#include "mem/analyze/failure_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/write/failure_text.h"
#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using testing::free_of;
using ::testing::HasSubstr;
using testing::kUnit;
using testing::LogText;
using testing::neg;
using testing::ones;
using testing::Profiled;

/// Writes runs and prints the true state before each op. Sizes are in units.
class Runs {
 public:
  Runs& start() {
    log_.start("main");
    return *this;
  }
  Runs& finish() {
    log_.finish("main");
    return *this;
  }
  Runs& step(const std::string& text, std::string_view type, std::int64_t growth) {
    log_.op(text).block(type, state_ * kUnit);
    state_ += growth;
    return *this;
  }
  Runs& make(const std::string& name, std::int64_t size) {
    return step(ones(name, size), "NamedFullOp", size);
  }
  Runs& use(const std::string& name, const std::string& operand, std::int64_t size) {
    return step(neg(name, operand, size), "EltwiseUnaryOp", size);
  }
  Runs& drop(const std::string& name, std::int64_t size) {
    return step(free_of(name, size), "DeallocateOp", -size);
  }
  Runs& fail(std::int64_t size) {
    log_.line("TT_FATAL: Out of Memory: Not enough space to allocate " + std::to_string(12 * size * kUnit) +
              " B DRAM buffer across 12 banks, where each bank needs to store " +
              std::to_string(size * kUnit) + " B, but bank size is 1070773184 B (allocated: " +
              std::to_string(state_ * kUnit) + " B, free: 65536 B, largest free block: 65536 B)");
    return *this;
  }
  Profiled profiled() const { return Profiled(log_); }

 private:
  LogText log_;
  std::int64_t state_ = 0;
};

/// Frees `%0` long after its last use.
Runs& whole_run(Runs& runs) {
  return runs.start()
      .make("%0", 4)
      .use("%1", "%0", 4)
      .make("%2", 8)
      .drop("%2", 8)
      .drop("%0", 4)
      .drop("%1", 4)
      .finish();
}

TEST(Culprits, WhatAnotherRunUsesNoMoreIsFreedLate) {
  Runs runs;
  whole_run(runs).start().make("%0", 4).use("%1", "%0", 4).step(ones("%2", 8), "NamedFullOp", 0).fail(8);
  const Profiled run = runs.profiled();
  ASSERT_EQ(run.profile.failures.size(), 1u);
  const FailureReport& report = run.profile.failures[0];
  // %1 is used by nothing, and no op that uses it is missed: it is made, then freed at the end.
  ASSERT_EQ(report.freed_late.tensors.size(), 2u);
  EXPECT_EQ(report.freed_late.bytes_per_bank, 8 * kUnit);
  const IdleTensor& idle = report.freed_late.tensors[0];
  EXPECT_EQ(run.log.names[run.rank().buffers[idle.buffer].name], "%0");
  EXPECT_EQ(idle.proof, IdleProof::kOtherRun);
  EXPECT_EQ(idle.last_op, 7u);   // the use in the run that failed
  EXPECT_EQ(idle.freed_by, 4u);  // the deallocate of the whole run
  EXPECT_THAT(freed_late_text({run.log, run.profile}, report), HasSubstr("another run frees it at line"));
}

TEST(Culprits, WhatTheFailingOpOrALaterOneUsesIsNot) {
  Runs runs;
  runs.start()
      .make("%0", 4)
      .make("%2", 8)
      .use("%1", "%0", 4)
      .drop("%0", 4)
      .drop("%1", 4)
      .drop("%2", 8)
      .finish();
  runs.start().make("%0", 4).step(ones("%2", 8), "NamedFullOp", 0).fail(8);
  const Profiled run = runs.profiled();
  ASSERT_EQ(run.profile.failures.size(), 1u);
  EXPECT_TRUE(run.profile.failures[0].freed_late.tensors.empty());
}

TEST(Culprits, WithoutAWholeRunNobodyCanTell) {
  Runs runs;
  runs.start().make("%0", 4).use("%1", "%0", 4).step(ones("%2", 8), "NamedFullOp", 0).fail(8);
  EXPECT_TRUE(runs.profiled().profile.failures.at(0).freed_late.tensors.empty());
}

/// Keeps `%1`, as a program does whose caller holds on to its results.
Runs& leaking_run(Runs& runs) { return runs.start().make("%0", 2).use("%1", "%0", 2).drop("%0", 2).finish(); }

TEST(Culprits, WhatEachRunLeavesBehindGrows) {
  Runs runs;
  for (int i = 0; i < 4; ++i) leaking_run(runs);
  runs.start().make("%0", 2).step(neg("%1", "%0", 2), "EltwiseUnaryOp", 0).fail(2);
  const Profiled run = runs.profiled();
  const FailureReport& report = run.profile.failures.at(0);
  EXPECT_EQ(report.grew.runs, 5u);
  EXPECT_EQ(report.grew.from_bytes_per_bank, 2 * kUnit);  // the first run's result
  EXPECT_EQ(report.grew.to_bytes_per_bank, 8 * kUnit);
  EXPECT_EQ(report.grew.grown_runs, 3u);
  EXPECT_EQ(report.grew.confidence, Confidence::kMeasured);
  ASSERT_EQ(report.grew.left.size(), 1u);
  EXPECT_EQ(report.grew.left[0].tensors, 3u);
  EXPECT_EQ(report.grew.left[0].bytes_per_bank, report.grew.bytes_per_bank());
  EXPECT_THAT(run_growth_text({run.log, run.profile}, report), HasSubstr("from run 2 (line"));
  // The same tensors lie idle: their programs had ended.
  ASSERT_EQ(report.freed_late.tensors.size(), 4u);
  EXPECT_EQ(report.freed_late.tensors[0].proof, IdleProof::kProgramEnded);
}

TEST(Culprits, RunsThatStartAlikeDoNotGrow) {
  Runs runs;
  for (int i = 0; i < 4; ++i) whole_run(runs);
  runs.start().make("%0", 4).step(neg("%1", "%0", 4), "EltwiseUnaryOp", 0).fail(4);
  const Profiled run = runs.profiled();
  EXPECT_EQ(run.profile.failures.at(0).grew.runs, 0u);
  EXPECT_EQ(run_growth_text({run.log, run.profile}, run.profile.failures[0]), "");
}

TEST(Culprits, ResultsThatTheFailingOpHadGotCountAtThePeakToo) {
  LogText log;
  const std::string types = testing::units(4) + ", " + testing::units(4) + ", " + testing::units(4);
  log.start("main").op(ones("%0", 1)).block("NamedFullOp", 0);
  log.op(testing::op_text("%1:3", "ttnn.split", "%0", testing::units(1), types)).block("SplitOp", kUnit);
  log.line(
      "TT_FATAL: Out of Memory: Not enough space to allocate 3145728 B DRAM buffer across 12 banks, where "
      "each "
      "bank needs to store 262144 B, but bank size is 1070773184 B (allocated: " +
      std::to_string(9 * kUnit) + " B, free: 65536 B, largest free block: 65536 B)");
  const Profiled run(log);
  const LiveSet& live = run.live_at_peak();
  EXPECT_EQ(run.peak().bytes_per_bank, 9 * kUnit);
  EXPECT_EQ(live.failing_results, 2u);
  EXPECT_EQ(live.unaccounted_bytes_per_bank, 0);
  // Of three results that are alike, the message tells which was the one.
  ASSERT_EQ(run.profile.failures.at(0).candidates.size(), 1u);
  EXPECT_EQ(run.profile.failures[0].candidates[0].name, "%1#2");
  EXPECT_EQ(live.kind_bytes_per_bank[static_cast<std::size_t>(TensorKind::kActivation)], 9 * kUnit);
}

TEST(Culprits, InAFirstRunTheModuleTellsWhatIsFreedLate) {
  // The dump uses %1 behind the failing op, and frees %0 there without using it.
  LogText log;
  const std::string type = testing::units(4);
  log.module("ttnn", "module {\n  func.func @main() -> " + type + " {\n    " + ones("%0", 4) + "\n    " +
                         neg("%1", "%0", 4) + "\n    " + ones("%2", 8) + "\n    " + free_of("%0", 4) +
                         "\n    " + neg("%3", "%1", 4) + "\n    " + free_of("%1", 4) +
                         "\n    return %3 : " + type + "\n  }\n}");
  const std::uint32_t freed_line = log.lines() - 6;
  log.start("main").op(ones("%0", 4)).block("NamedFullOp", 0);
  log.op(neg("%1", "%0", 4)).block("EltwiseUnaryOp", 4 * kUnit);
  log.op(ones("%2", 8)).block("NamedFullOp", 8 * kUnit);
  log.line(
      "TT_FATAL: Out of Memory: Not enough space to allocate " + std::to_string(96 * kUnit) +
      " B DRAM buffer across 12 banks, where each bank needs to store " + std::to_string(8 * kUnit) +
      " B, but bank size is 1070773184 B (allocated: 524288 B, free: 65536 B, largest free block: 65536 B)");
  const Profiled run(log);
  ASSERT_EQ(run.profile.failures.size(), 1u);
  const FreedLate& late = run.profile.failures[0].freed_late;
  ASSERT_EQ(late.tensors.size(), 1u);
  EXPECT_EQ(run.log.names[run.rank().buffers[late.tensors[0].buffer].name], "%0");
  EXPECT_EQ(late.tensors[0].proof, IdleProof::kModule);
  EXPECT_EQ(late.tensors[0].freed_line, freed_line);
  EXPECT_EQ(late.bytes_per_bank, 4 * kUnit);
}

}  // namespace
}  // namespace ttscope::mem
