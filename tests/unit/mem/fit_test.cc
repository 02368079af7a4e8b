#include "mem/fit.h"

#include <gmock/gmock.h>

#include <sstream>

#include "fit/outputs.h"
#include "mem/analyze/own_replay.h"
#include "support/fit_text.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

using namespace ttscope::testing;
using ::testing::HasSubstr;

TEST(PrintedBytes, RoundAsPrintfDoes) {
  for (const std::int64_t bytes : {0, 1, 524, 525, 65536, 65536 * 3, 65536 * 5, 1048576, 1070773184}) {
    char text[64];
    std::snprintf(text, sizeof text, "%.3f", static_cast<double>(bytes) / 1048576);
    EXPECT_EQ(printed_as(bytes), static_cast<MilliMib>(std::lround(std::atof(text) * 1000))) << bytes;
    EXPECT_TRUE(range_of(printed_as(bytes)).has(bytes)) << bytes;
  }
}

/// Two tensors of a unit, one of them freed: a hole of one unit below the second.
LogText with_a_hole() {
  LogText log;
  log.start("main");
  log.op(ones("%0", 1), "\"a\"").block("NamedFullOp", 0);
  log.op(ones("%1", 1), "\"b\"").block("NamedFullOp", kUnit);
  log.op(free_of("%0", 1), "\"c\"").block("DeallocateOp", 2 * kUnit);
  return log;
}

TEST(Fit, AgreementCountsAllocatedAndLargestFreeApart) {
  LogText log = with_a_hole();  // LogText prints all that is free as one block
  log.op(neg("%2", "%1", 1), "\"d\"").block("NegOp", kUnit);
  log.finish("main");
  const fit::Report report = fit_of(log);
  ASSERT_TRUE(report.replay);
  EXPECT_EQ(report.replay->states, 4u);
  EXPECT_EQ(report.replay->allocated_equal, 4u);
  EXPECT_EQ(report.replay->largest_free_equal, 3u);
  ASSERT_EQ(report.replay->misses, 1u);
  EXPECT_TRUE(report.replay->first_misses[0].of_largest_free);
  EXPECT_EQ(report.replay->corrections, 0u);
}

TEST(Fit, ThePeakCountsWhatNoStateShows) {
  LogText log = with_a_hole();
  log.finish("main");
  const fit::Report report = fit_of(log);
  ASSERT_EQ(report.devices.size(), 1u);
  EXPECT_TRUE(report.fits());
  EXPECT_EQ(report.devices[0].memories[0].peak_bytes_per_bank, 2 * kUnit);
  EXPECT_EQ(report.devices[0].device.name, "n150");
  EXPECT_EQ(report.devices[0].memories[0].region.bytes_per_bank, 1070773184);
}

TEST(Fit, WhatNoOpLineExplainsIsKeptAndSaid) {
  LogText log;
  log.start("main");
  log.op(ones("%0", 1)).block("NamedFullOp", 5 * kUnit);
  log.op(ones("%1", 1)).block("NamedFullOp", 6 * kUnit);
  log.op(ones("%2", 1)).block("NamedFullOp", 9 * kUnit);
  log.op(ones("%3", 1)).block("NamedFullOp", 4 * kUnit);
  log.finish("main");
  const fit::Report report = fit_of(log);
  EXPECT_EQ(report.replay->allocated_equal, 4u);
  EXPECT_GE(report.replay->corrections, 2u);
  EXPECT_EQ(report.replay->unexplained_bytes_per_bank, 7 * kUnit);
  EXPECT_TRUE(leaves_out(report, fit::Omission::kUnexplained));
}

TEST(Fit, LessThanTheOpLinesSayEndsALife) {
  LogText log;
  log.start("main");
  log.op(ones("%0", 1)).block("NamedFullOp", 0);
  log.op(ones("%1", 3)).block("NamedFullOp", kUnit);
  log.op(ones("%2", 1)).block("NamedFullOp", 4 * kUnit);
  log.op(ones("%3", 1)).block("NamedFullOp", 2 * kUnit);  // %1 is gone without a line
  log.finish("main");
  const fit::Report report = fit_of(log);
  EXPECT_EQ(report.replay->allocated_equal, 4u);
  EXPECT_EQ(report.replay->corrections, 1u);
}

/// 1 unit free below, 2 units free above: 3 are asked for.
TEST(Fit, FragmentationCounts) {
  LogText log = with_a_hole();
  log.op(ones("%2", 3), "\"d\"").block("NamedFullOp", kUnit);
  log.finish("main");
  EXPECT_TRUE(fit_of(log, {.devices = {custom(5 * kUnit)}}).fits());
  const fit::Report report = fit_of(log, {.devices = {custom(4 * kUnit)}});
  ASSERT_FALSE(report.fits());
  const fit::Failure& failure = *report.devices[0].failure;
  EXPECT_EQ(failure.shortage, fit::Shortage::kFragmented);
  EXPECT_EQ(failure.bytes_per_bank, 3 * kUnit);
  EXPECT_EQ(failure.free_bytes_per_bank, 3 * kUnit);
  EXPECT_EQ(failure.largest_free_bytes_per_bank, 2 * kUnit);
  EXPECT_EQ(failure.place.loc, "d");
  ASSERT_EQ(failure.live.size(), 1u);
  EXPECT_EQ(failure.live[0].name, "main:%1");
  EXPECT_EQ(report.devices[0].memories[0].headroom_bytes_per_bank, 0);
}

/// What was held was one block as large as it had to be: 718 MB where the message says 448, with holes.
TEST(Fit, AMessageAloneHoldsWhatItSaysWithItsHoles) {
  const std::string message =
      "Out of Memory: Not enough space to allocate 4294967296 B DRAM buffer across 12 banks, where each bank "
      "needs to store 357916672 B, but bank size is 1071821792 B (allocated: 470056640 B, free: 601765152 B, "
      "largest free block: 318584608 B)\n";
  const Profile profile = profile_of(message);
  const Result<fit::Report> report =
      fit_profile(profile, {.devices = {"custom:DRAM=12x1071821792B,L1=64x1MB"}});
  ASSERT_TRUE(report);
  const fit::DeviceVerdict& device = report->devices[0];
  ASSERT_TRUE(device.failure);
  EXPECT_EQ(device.failure->shortage, fit::Shortage::kFragmented);
  EXPECT_EQ(device.failure->free_bytes_per_bank, 601765152);
  EXPECT_EQ(device.failure->largest_free_bytes_per_bank, 318584608);
  EXPECT_EQ(device.failure->place.line, 1u);
  EXPECT_EQ(device.failure->held[0].bytes_per_bank, 470056640);
  EXPECT_EQ(device.failure->held[0].kind, "told by the message");
  EXPECT_EQ(device.memories[0].peak_bytes_per_bank, 470056640 + 357916672);
  EXPECT_EQ(device.memories[0].smallest_largest_free_bytes_per_bank, 318584608);
  EXPECT_EQ(device.basis, fit::Basis::kEstimated);
  EXPECT_TRUE(leaves_out(*report, fit::Omission::kHolesAssumed));
  const Result<fit::Report> own = fit_profile(profile, {});
  ASSERT_TRUE(own);
  EXPECT_EQ(own->devices[0].device.name, "wormhole");  // several products have such banks
  EXPECT_TRUE(leaves_out(*own, fit::Omission::kDeviceByMessage));
  EXPECT_EQ(own->devices[0].failure->basis, fit::Basis::kMeasured);
}

TEST(Fit, AMessageThatDoesNotTellWhatWasHeldSaysWhatIsAssumed) {
  const Profile profile =
      profile_of(std::string("Out of Memory: Not enough space to allocate 52760576 B L1 buffer across 64 "
                             "banks, where each bank needs "
                             "to store 824384 B (assert.hpp:107)\n"));
  const Result<fit::Report> report = fit_profile(profile, {});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->devices[0].device.is_assumed);
  EXPECT_TRUE(leaves_out(*report, fit::Omission::kDeviceAssumed));
  EXPECT_TRUE(leaves_out(*report, fit::Omission::kHeldAssumed));
  EXPECT_EQ(report->devices[0].memories[1].basis, fit::Basis::kEstimated);
  EXPECT_EQ(report->devices[0].failure->held[0].kind, "assumed");
}

TEST(Fit, AnOwnFailureIsTheMessages) {
  LogText log = with_a_hole();
  log.op(ones("%2", 3), "\"d\"").block("NamedFullOp", kUnit);
  log.line(
      "TT_FATAL: Out of Memory: Not enough space to allocate 2359296 B DRAM buffer across 12 banks, where "
      "each "
      "bank needs to store 196608 B, but bank size is 1070773184 B (allocated: 1070576640 B, free: 196544 B, "
      "largest free block: 131072 B)");
  const fit::Report report = fit_of(log);
  ASSERT_FALSE(report.fits());
  const fit::Failure& failure = *report.devices[0].failure;
  EXPECT_EQ(failure.basis, fit::Basis::kMeasured);
  EXPECT_EQ(failure.bytes_per_bank, 3 * kUnit);
  EXPECT_EQ(failure.largest_free_bytes_per_bank, 131072);
  EXPECT_EQ(failure.place.op, "ttnn.ones");
  const fit::Report elsewhere = fit_of(log, {.devices = {"p150"}});
  EXPECT_TRUE(elsewhere.fits());
  EXPECT_TRUE(leaves_out(elsewhere, fit::Omission::kAfterFailure));
}

TEST(Fit, AFailureWithoutFiguresInventsNone) {
  LogText log;
  log.line(
      "RuntimeError: Out of Memory: Not enough space to allocate 2359296 B DRAM buffer across 12 banks, "
      "where each "
      "bank needs to store 196608 B");
  const fit::Report report = fit_of(log);
  ASSERT_FALSE(report.fits());
  EXPECT_EQ(report.devices[0].failure->bytes_per_bank, 196608);
  EXPECT_EQ(report.devices[0].failure->largest_free_bytes_per_bank, -1);
  EXPECT_TRUE(leaves_out(report, fit::Omission::kDeviceAssumed));
}

constexpr std::string_view kOutOfDram =
    "TT_FATAL: Out of Memory: Not enough space to allocate 2359296 B DRAM buffer across 12 banks, where each "
    "bank "
    "needs to store 196608 B, but bank size is 1070773184 B (allocated: 1070576640 B, free: 196544 B, "
    "largest free "
    "block: 131072 B)";

TEST(Fit, AFailureBetweenProgramsBlamesNoOp) {
  LogText log = with_a_hole();
  log.finish("main");
  log.line(std::string(kOutOfDram));
  const fit::Failure failure = *fit_of(log).devices[0].failure;
  EXPECT_EQ(failure.place.op, "");
  EXPECT_EQ(failure.place.phase, fit::kBetweenPrograms);
  EXPECT_EQ(failure.place.line, log.lines());
  EXPECT_EQ(failure.bytes_per_bank, 196608);
  EXPECT_EQ(failure.live_tensors, 2u);  // and what no op line explains
}

TEST(Fit, CircularBuffersReachWhatTheMessageSays) {
  LogText log = with_a_hole();
  log.finish("main");
  log.line(
      "TT_THROW: Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to 2239776 "
      "B "
      "which is beyond max L1 size of 1499136 B");
  const fit::Failure failure = *fit_of(log).devices[0].failure;
  EXPECT_EQ(failure.shortage, fit::Shortage::kCircularBuffers);
  EXPECT_EQ(failure.bytes_per_bank, 2239776);
  EXPECT_EQ(failure.reached_bytes, 2239776);
  EXPECT_EQ(failure.limit_bytes, 1499136);
  EXPECT_EQ(failure.place.phase, fit::kBetweenPrograms);
}

constexpr std::string_view kBeyondL1 =
    "TT_THROW: Statically allocated circular buffers on core range [(x=0,y=0) - (x=7,y=7)] grow to 1741152 B "
    "which is beyond max L1 size of 1499136 B";
constexpr std::string_view kClash =
    "Statically allocated circular buffers in program 23 clash with L1 buffers on core range [(x=0,y=0) - "
    "(x=7,y=6)]. L1 buffer allocated at 265216 and static circular buffer region ends at 356448";

TEST(Fit, CircularBuffersAreNotSpreadOverTheCoresOfALargerChip) {
  LogText log = with_a_hole();
  log.finish("main");
  log.line(std::string(kBeyondL1));
  const fit::Report report = fit_of(log, {.devices = {"p150", "n150"}});
  EXPECT_FALSE(report.devices[0].fits) << "a core of a p150 has 73,728 B more, these want 242,016 B more";
  EXPECT_EQ(report.devices[0].failure->shortage, fit::Shortage::kCircularBuffers);
  EXPECT_EQ(report.devices[0].failure->bytes_per_bank, report.devices[1].failure->bytes_per_bank);
}

TEST(Fit, AMessageAboutL1DoesNotTellOfDram) {
  const fit::Report report = fit_of(LogText().line(std::string(kBeyondL1)));
  ASSERT_FALSE(report.fits());
  EXPECT_FALSE(report.devices[0].use_of(Memory::kDram)->is_known);
  EXPECT_THAT(fit::fit_summary_text(report, {}), HasSubstr("DRAM          not told"));
  EXPECT_TRUE(fit_of(with_a_hole()).devices[0].use_of(Memory::kDram)->is_known);
}

TEST(Fit, AClashMessageTellsTensorsAndCircularBuffersApart) {
  const fit::Report report = fit_of(LogText().line(std::string(kClash)), {.devices = {"n150"}});
  ASSERT_FALSE(report.fits());
  const fit::Failure& failure = *report.devices[0].failure;
  constexpr std::int64_t kBase = 103712;  // where L1 for tensors begins on Wormhole
  EXPECT_EQ(failure.bytes_per_bank, 356448 - kBase);
  EXPECT_EQ(failure.held.at(0).bytes_per_bank, 1499136 - 65536 - 265216);
  EXPECT_FALSE(leaves_out(report, fit::Omission::kHolesAssumed)) << "the address is in the message";
}

TEST(Fit, TypesThatCannotBeReadAreNoRunThatFits) {
  LogText log;
  log.start("main").op(op_text("%0", "ttnn.ones", "", "", "tensor<1x1x32x672xbf16, #ttnn.ttnn_layout<(d0"));
  const Result<fit::Report> report = fit_profile(profile_of(log), {});
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("types of its tensors cannot be read"));
}

TEST(Fit, ARunThatEndedEarlyFitsSoFar) {
  LogText cut = with_a_hole();  // the program never ends
  const fit::Report so_far = fit_of(cut);
  EXPECT_TRUE(so_far.fits());
  EXPECT_EQ(so_far.cut_by(), fit::Omission::kAfterCut);
  cut.finish("main");
  EXPECT_EQ(fit_of(cut).cut_by(), std::nullopt);
  LogText failed = with_a_hole();
  failed.op(ones("%2", 3), "\"d\"").block("NamedFullOp", kUnit);
  failed.line(std::string(kOutOfDram));
  EXPECT_EQ(fit_of(failed).cut_by(), std::nullopt);  // it does not fit: nothing is so far
  EXPECT_EQ(fit_of(failed, {.devices = {"p150"}}).cut_by(), fit::Omission::kAfterFailure);
}

TEST(Fit, ARunThatSurvivedAFailureDidNotFit) {
  LogText log = with_a_hole();
  log.line(std::string(kOutOfDram));
  log.op(ones("%2", 1), "\"d\"").block("NamedFullOp", kUnit);
  log.finish("main");
  EXPECT_FALSE(fit_of(log).fits());
  EXPECT_TRUE(fit_of(log, {.devices = {"p150"}}).fits());
}

TEST(Fit, LinesFitANarrowTerminal) {
  LogText log = with_a_hole();
  log.op(ones("%2", 3), "\"d\"").block("NamedFullOp", kUnit);
  log.line(std::string(kOutOfDram));
  fit::FitQuery all{.devices = {"all", custom(4 * kUnit)}};
  for (const int width : {60, 72, 80, 120}) {
    for (const fit::Report& report : {fit_of(log), fit_of(log, all), fit_of(with_a_hole())}) {
      std::istringstream lines(fit::fit_summary_text(report, {.color = false, .width = width, .top = 5}));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(ui::display_width(line), static_cast<std::size_t>(width)) << line;
    }
  }
}

TEST(Fit, AnAssumedDeviceIsCalledSo) {
  LogText silent;
  silent.start("main").op(ones("%0", 1)).finish("main");
  EXPECT_TRUE(fit_of(silent).devices[0].device.is_assumed);
  EXPECT_TRUE(leaves_out(fit_of(silent), fit::Omission::kDeviceAssumed));
  const fit::Report asked = fit_of(silent, {.devices = {"n150"}});
  EXPECT_FALSE(asked.devices[0].device.is_assumed);
  EXPECT_FALSE(leaves_out(asked, fit::Omission::kDeviceAssumed));
  EXPECT_FALSE(fit_of(with_a_hole()).devices[0].device.is_assumed);
}

TEST(Fit, WhereNothingIsOnADeviceNothingIsFound) {
  LogText log;
  log.start("main").op(op_text("", "ttnn.get_device", "", "", "!ttnn.device")).finish("main");
  const Result<fit::Report> report = fit_profile(profile_of(log), {});
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kNothingFound);
}

TEST(Fit, ShardsOverMoreCoresThanThereAreDoNotFit) {
  LogText log;
  log.start("main");
  log.op(op_text("%0", "ttnn.ones", "", "", l1_sharded_tensor(64 * 32, 32, 64)), "\"a\"");
  log.finish("main");
  EXPECT_TRUE(fit_of(log, {.devices = {"n150"}}).fits());
  const fit::Report report = fit_of(log, {.devices = {"custom:DRAM=12x1GB,L1=56x1MB"}});
  ASSERT_FALSE(report.fits());
  EXPECT_EQ(report.devices[0].failure->shortage, fit::Shortage::kTooFewCores);
  EXPECT_EQ(report.devices[0].failure->needed, 64);
}

}  // namespace
}  // namespace ttscope::mem
