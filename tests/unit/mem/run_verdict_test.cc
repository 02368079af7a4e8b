#include "mem/analyze/findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "mem/write/verdict_text.h"
#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using ::testing::HasSubstr;
using testing::kUnit;
using testing::LogText;
using testing::Profiled;

constexpr std::string_view kOutOfMemoryLine =
    "2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: Out of Memory: Not enough space to "
    "allocate 226492416 B DRAM buffer across 12 banks, where each bank needs to store 18874368 B, but bank "
    "size is 1070773184 B (allocated: 1016070144 B, free: 54703040 B, largest free block: 17575008 B)";

/// A program that makes two tensors; ended only if asked.
LogText run_of(bool ended = true) {
  LogText log;
  log.start("main");
  log.op(testing::ones("%0", 2)).block("NamedFullOp", 0);
  log.op(testing::neg("%1", "%0", 2)).block("EltwiseUnaryOp", 2 * kUnit);
  log.op(testing::free_of("%0", 2)).block("DeallocateOp", 4 * kUnit);
  if (ended) log.finish("main");
  return log;
}

LogText without_memory(bool ended = true) {
  LogText log;
  log.start("main").op(testing::ones("%0", 2)).op(testing::neg("%1", "%0", 2));
  if (ended) log.finish("main");
  return log;
}

bool has_finding(const MemoryProfile& profile, FindingCause cause) {
  return std::any_of(profile.findings.begin(), profile.findings.end(),
                     [&](const Finding& finding) { return finding.cause == cause; });
}

TEST(RunVerdict, AFinishedMeasuredRunFits) {
  const Profiled run(run_of());
  const RunVerdict& verdict = run.profile.verdict;
  EXPECT_EQ(verdict.outcome, Outcome::kFinished);
  EXPECT_EQ(verdict.fit, Fit::kYes);
  EXPECT_EQ(verdict.trust, Confidence::kMeasured);
  ASSERT_EQ(verdict.headroom.size(), 1U);
  EXPECT_EQ(verdict.headroom[0].bytes_per_bank + run.peak().bytes_per_bank,
            verdict.headroom[0].capacity_bytes_per_bank);
  EXPECT_EQ(run.profile.severity, Severity::kOk);
}

TEST(RunVerdict, AFatalMessageAndASegmentationFaultAreACrashAndNotAFit) {
  LogText log = run_of(false);
  log.line("2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: bad shape (assert.hpp:104)");
  log.line("Segmentation fault (core dumped)");
  const Profiled run(log);
  const RunVerdict& verdict = run.profile.verdict;
  EXPECT_EQ(verdict.outcome, Outcome::kCrashed);
  EXPECT_EQ(verdict.crash, CrashKind::kFatal) << "the first line is the cause";
  EXPECT_EQ(verdict.fit, Fit::kUnknown);
  EXPECT_EQ(verdict.op, 2U);
  EXPECT_TRUE(verdict.failed());
  EXPECT_EQ(run.profile.severity, Severity::kCritical);
  EXPECT_TRUE(has_finding(run.profile, FindingCause::kCrashed));
  const VerdictText text = verdict_text({run.log, run.profile});
  EXPECT_THAT(text.outcome, HasSubstr("TT_FATAL: bad shape"));
  EXPECT_THAT(text.outcome, HasSubstr("ttnn.deallocate"));
  EXPECT_THAT(text.fit, ::testing::StartsWith("fit unknown"));
}

TEST(RunVerdict, WhatARunSurvivedIsNoCrash) {
  LogText log = run_of();
  log.line("Traceback (most recent call last):").line("ValueError: tried something else");
  const std::string survived = log.text() + run_of().text();
  EXPECT_EQ(Profiled(survived).profile.verdict.outcome, Outcome::kFinished);
  EXPECT_EQ(Profiled(log).profile.verdict.outcome, Outcome::kCrashed) << "nothing ended well after it";
}

TEST(RunVerdict, ALogThatEndsInsideAProgramIsCutOrRunning) {
  const LogText log = run_of(false);
  const Profiled cut(log);
  EXPECT_EQ(cut.profile.verdict.outcome, Outcome::kCut);
  EXPECT_EQ(cut.profile.verdict.fit, Fit::kUnknown);
  EXPECT_EQ(cut.profile.verdict.line, log.lines());
  EXPECT_EQ(cut.profile.severity, Severity::kWarning);
  ProfileOptions options;
  options.facts.is_being_written = [] { return true; };
  const MemoryProfile running = profile_memory(cut.log, options);
  EXPECT_EQ(running.verdict.outcome, Outcome::kRunning);
  EXPECT_EQ(running.verdict.fit, Fit::kUnknown);
  EXPECT_EQ(profile_memory(Profiled(run_of()).log, options).verdict.outcome, Outcome::kFinished)
      << "a run that has ended does not go on";
}

TEST(RunVerdict, AnEarlierProgramWithoutEndLeavesTheOutcomeOpen) {
  const std::string log = run_of(false).text() + run_of().text();
  EXPECT_EQ(Profiled(log).profile.verdict.outcome, Outcome::kUnknown);
}

TEST(RunVerdict, WithoutProgramLinesTheOutcomeIsUnknown) {
  LogText log;
  log.block("MatmulOp", kUnit).block("AddOp", 2 * kUnit);
  const Profiled run(log);
  EXPECT_EQ(run.profile.verdict.outcome, Outcome::kUnknown);
  EXPECT_EQ(run.profile.verdict.fit, Fit::kYes) << "the parts do not depend on each other";
  EXPECT_EQ(run.profile.verdict.trust, Confidence::kMeasured);
}

TEST(RunVerdict, AModeledCurveIsNoFitEvenIfTheRunFinished) {
  const Profiled run(without_memory());
  EXPECT_EQ(run.profile.verdict.outcome, Outcome::kFinished);
  EXPECT_EQ(run.profile.verdict.fit, Fit::kUnknown);
  EXPECT_EQ(run.profile.verdict.trust, Confidence::kModeled);
  EXPECT_THAT(verdict_text({run.log, run.profile}).trust, HasSubstr("not measured"));
}

TEST(RunVerdict, ABankOfUnknownSizeIsNoFit) {
  Profiled run(run_of());
  for (Geometry& geometry : run.log.geometries) geometry.total = {};
  const MemoryProfile profile = profile_memory(run.log, {});
  EXPECT_EQ(profile.verdict.fit, Fit::kUnknown);
  EXPECT_EQ(profile.verdict.fit_reason, FitReason::kNoBankSize);
}

TEST(RunVerdict, ADeviceThatTheUserNamesSuppliesWhatTheLogDoesNotTell) {
  const Profiled run(without_memory());
  ProfileOptions options;
  options.device = find_product("p150");
  const MemoryProfile named = profile_memory(run.log, options);
  const DeviceFacts& device = named.ranks[0].device;
  EXPECT_EQ(device.arch, "blackhole");
  EXPECT_EQ(device.banks[index_of(Memory::kDram)], 8U);
  EXPECT_EQ(device.source, FactSource::kGiven);
  EXPECT_GT(named.verdict.headroom.at(0).capacity_bytes_per_bank, 0);
  const MemoryProfile told = profile_memory(Profiled(run_of()).log, options);
  EXPECT_EQ(told.ranks[0].device.banks[index_of(Memory::kDram)], 12U) << "the log knows better";
}

TEST(RunVerdict, AMessageOfAFailureIsAMeasurementOfThePeak) {
  LogText log = run_of(false);
  log.line(kOutOfMemoryLine);
  const Profiled run(log);
  EXPECT_EQ(run.profile.verdict.outcome, Outcome::kOutOfMemory);
  EXPECT_EQ(run.profile.verdict.fit, Fit::kNo);
  EXPECT_EQ(run.peak().bytes_per_bank, 1016070144);
  EXPECT_EQ(run.peak().message_line, log.lines());
  EXPECT_EQ(run.peak().confidence, Confidence::kMeasured);
  const LiveSet& live = run.live_at_peak();
  EXPECT_EQ(live.accounted_bytes_per_bank + live.unaccounted_bytes_per_bank, run.peak().bytes_per_bank);
}

TEST(RunVerdict, SkippedMemoryLinesTakeTheTrustAway) {
  LogText log = run_of();
  std::string text = log.text();
  for (std::size_t at = text.find("MemoryView{"); at != std::string::npos;
       at = text.find("MemoryView{", at + 1))
    text.insert(at + 11, "\n");  // as a terminal of some width breaks lines
  const Profiled run{std::string_view(text)};
  const RunVerdict& verdict = run.profile.verdict;
  EXPECT_EQ(verdict.skipped_memory_views, 12U);
  EXPECT_EQ(verdict.trust, Confidence::kModeled);
  EXPECT_EQ(verdict.fit, Fit::kUnknown);
  EXPECT_NE(run.profile.severity, Severity::kOk);
  EXPECT_TRUE(has_finding(run.profile, FindingCause::kSkipped));
}

TEST(RunVerdict, ManyRepairsLowerTheTrust) {
  LogText log;
  log.start("main");
  for (int i = 0; i < 20; ++i) {
    const std::string name = "%" + std::to_string(i);
    log.op(testing::ones(name, 1)).header("NamedFullOp").view("DRAM", i * kUnit);
  }
  log.finish("main");
  const Profiled run(log);
  EXPECT_EQ(run.profile.verdict.trust, Confidence::kDerived);
  EXPECT_TRUE(has_finding(run.profile, FindingCause::kRepaired));
}

TEST(RunVerdict, StatesAroundProgramsOnlyAreNoFit) {
  LogText log;
  log.submit_block(true, 0).start("main").op(testing::ones("%0", 2)).op(testing::neg("%1", "%0", 2));
  log.finish("main").submit_block(false, 2 * kUnit);
  const Profiled run(log);
  EXPECT_EQ(run.profile.verdict.fit, Fit::kUnknown);
  EXPECT_EQ(run.profile.verdict.trust, Confidence::kDerived);
}

TEST(RunVerdict, PaddingOfAFewBytesIsNoAlarm) {
  LogText log;
  const std::string tiny = testing::dram_tensor(1, 1);
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", tiny)).block("NamedFullOp", 0);
  log.op(testing::op_text("%1", "ttnn.neg", "%0", tiny, tiny)).block("EltwiseUnaryOp", 2048).finish("main");
  const Profiled run(log);
  EXPECT_GT(run.live_at_peak().padded_bytes, 100 * run.live_at_peak().logical_bytes);
  EXPECT_FALSE(has_finding(run.profile, FindingCause::kPadding));
  EXPECT_EQ(run.profile.severity, Severity::kOk);
}

TEST(RunVerdict, PaddingThatTakesMuchOfABankIs) {
  LogText log;
  const std::string thin = testing::dram_tensor(16 << 20, 1);  // every row padded to 32 columns
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", thin)).block("NamedFullOp", 0);
  log.op(testing::neg("%1", "%0", 1)).block("EltwiseUnaryOp", 89479168).finish("main");
  EXPECT_TRUE(has_finding(Profiled(log).profile, FindingCause::kPadding));
}

TEST(DeviceFacts, EightSmallBanksWithTheL1OfABlackholeAreABlackhole) {
  DeviceFacts facts;
  facts.banks = {8, 130, 130, 8};
  facts.capacity_bytes_per_bank = {std::int64_t{1} << 30, 1396224, 0, 0};
  infer_architecture(facts);
  EXPECT_EQ(facts.arch, "blackhole");
  EXPECT_EQ(facts.dram_alignment_bytes, 64U);
  DeviceFacts old;
  old.banks = {8, 108, 108, 8};
  old.capacity_bytes_per_bank = {std::int64_t{1} << 30, 900000, 0, 0};
  infer_architecture(old);
  EXPECT_EQ(old.arch, "grayskull");
}

TEST(DeviceFacts, TheMeshIsKnownFromGetDevice) {
  LogText log;
  log.start("main");
  log.op(
      R"(%9 = "ttnn.get_device"() <{mesh_offset = #ttnn<mesh_offset 0x0>, mesh_shape = #ttnn<mesh_shape 2x4>}> : () -> !ttnn.device)");
  log.op(testing::ones("%0", 2)).finish("main");
  const Profiled run(log);
  EXPECT_EQ(run.rank().device.chips, 8U);
  EXPECT_THAT(device_text(run.rank().device), HasSubstr("one chip of 8 (mesh 2x4)"));
}

TEST(DeviceFacts, ABankOfUnknownSizeIsNotShownAsZero) {
  const Profiled run(without_memory());
  EXPECT_THAT(device_text(run.rank().device), ::testing::Not(HasSubstr("0.00 MB")));
}

TEST(FindingText, SpeaksInTheUnitsOfTheBody) {
  LogText log = run_of(false);
  log.line(kOutOfMemoryLine);
  const Profiled run(log);
  EXPECT_THAT(finding_text(run.profile.findings.front()), HasSubstr("18.00 MB of DRAM per bank asked for"));
}

TEST(RunVerdict, APythonErrorIsToldByItsOwnLine) {
  LogText log = run_of();
  log.line("Traceback (most recent call last):").line("  File \"a.py\", line 3, in <module>");
  log.line("ValueError: bad shape").line("FAILED tests/a.py::test_b - ValueError: bad shape");
  const Profiled run(log);
  EXPECT_EQ(run.profile.verdict.outcome, Outcome::kCrashed);
  EXPECT_EQ(run.profile.verdict.crash, CrashKind::kPythonError);
  EXPECT_EQ(run.profile.verdict.crash_text, "ValueError: bad shape");
  EXPECT_EQ(run.profile.verdict.line, log.lines() - 1);
}

TEST(RunVerdict, WhateverEndedTheProgramIsACrash) {
  for (const auto& [line, kind] :
       {std::pair("[123.4] Out of memory: Killed process 4711 (python) total-vm:12345kB", CrashKind::kKilled),
        std::pair("Memory cgroup out of memory: Killed process 12 (python)", CrashKind::kKilled),
        std::pair("Process completed with exit code 137.", CrashKind::kKilled),
        std::pair("Received SIGTERM", CrashKind::kTerminated),
        std::pair("=========== 1 failed in 62.31s ===========", CrashKind::kReportedFailure)}) {
    LogText log = run_of();
    const Profiled run(log.line(line));
    EXPECT_EQ(run.profile.verdict.outcome, Outcome::kCrashed) << line;
    EXPECT_EQ(name_of(run.profile.verdict.crash), name_of(kind)) << line;
    EXPECT_EQ(run.profile.verdict.fit, Fit::kUnknown) << line;
  }
}

}  // namespace
}  // namespace ttscope::mem
