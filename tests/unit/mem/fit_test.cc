#include "mem/fit.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

#include "fit/write/fit_summary.h"
#include "mem/analyse/fit/printed_bytes.h"
#include "mem/analyse/fit/resized_type.h"
#include "report/text_layout.h"
#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using namespace ttscope::testing;
using ::testing::HasSubstr;

Profile profile_of(const std::string& log) {
  Profile profile{read_text(log), {}, {}};
  profile.memory = profile_memory(profile.trace, {});
  return profile;
}
Profile profile_of(const LogText& log) { return profile_of(log.text()); }

fit::Report fit_of(const LogText& log, const fit::Question& question = {}) {
  Result<fit::Report> report = fit_profile(profile_of(log), question);
  EXPECT_TRUE(report) << (report ? "" : report.error().message);
  return report ? *report : fit::Report{};
}

bool leaves_out(const fit::Report& report, fit::Omission omission) {
  return std::find(report.omissions.begin(), report.omissions.end(), omission) != report.omissions.end();
}

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

std::string custom(std::int64_t dram_bytes) {
  return "custom:DRAM=12x" + std::to_string(dram_bytes) + "B,L1=64x1MB";
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
  EXPECT_FALSE(report.devices[0].use_of(Memory::kDram)->is_told);
  EXPECT_THAT(fit::fit_summary_text(report, {}), HasSubstr("DRAM          not told"));
  EXPECT_TRUE(fit_of(with_a_hole()).devices[0].use_of(Memory::kDram)->is_told);
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
  fit::Question all{.devices = {"all", custom(4 * kUnit)}};
  for (const int width : {60, 72, 80, 120}) {
    for (const fit::Report& report : {fit_of(log), fit_of(log, all), fit_of(with_a_hole())}) {
      std::istringstream lines(fit::fit_summary_text(report, {.color = false, .width = width, .top = 5}));
      for (std::string line; std::getline(lines, line);)
        EXPECT_LE(report::display_width(line), static_cast<std::size_t>(width)) << line;
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

/// A weight in bf16, and its copy; the same with weights that are bfp8 from the start.
LogText with_weights(const std::string& element, const std::string& argument_type = "parameter") {
  LogText log;
  const auto type = [&](std::int64_t rows) { return dram_tensor(rows, 384, element); };
  log.module("ttnn", "func.func @main(%arg0: " + type(1024) +
                         " {ttcore.argument_type = #ttcore.argument_type<" + argument_type +
                         ">, ttir.name = \"w\"}) -> tensor<1xf32> {\n}\n");
  log.start("main");
  log.op(load_cached_text("%0", "main_const_eval_0", "%arg0", type(1024), type(2048)));
  log.cache_miss("main_const_eval_0");
  log.start("main_const_eval_0");
  log.op(op_text("%0", "ttnn.concat", "%arg0, %arg0", type(1024) + ", " + type(1024), type(2048)));
  log.finish("main_const_eval_0");
  log.op(op_text("%1", "ttnn.matmul", "%0", type(2048), dram_tensor(1024, 384)), "\"dot\"");
  log.op(op_text("%2", "ttnn.neg", "%1", dram_tensor(1024, 384), dram_tensor(1024, 384)), "\"neg\"");
  log.finish("main");
  return log;
}

std::int64_t peak_of(const fit::Report& report) {
  return report.devices.at(0).memories.at(0).peak_bytes_per_bank;
}

TEST(Fit, WeightsInAnotherFormatAreThoseOfARunThatHasThem) {
  const LogText recorded = with_weights("bf16");
  for (const auto& [format, element] :
       {std::pair{fit::WeightFormat::kBfp8, "bfp_bf8"}, std::pair{fit::WeightFormat::kBfp4, "bfp_bf4"}}) {
    fit::Question question;
    question.changes.weights = format;
    const fit::Report changed = fit_of(recorded, question);
    EXPECT_EQ(peak_of(changed), peak_of(fit_of(with_weights(element)))) << element;
    EXPECT_LT(peak_of(changed), peak_of(fit_of(recorded)));
    ASSERT_EQ(changed.changes.size(), 1u);
    EXPECT_EQ(changed.changes[0].tensors, 2u);
    EXPECT_EQ(changed.devices[0].basis, fit::Basis::kReplayed);
  }
}

TEST(Fit, OriginalsAreFreedWhenTheirCopiesAreThere) {
  const LogText log = with_weights("bf16");
  EXPECT_EQ(peak_of(fit_of(log)), 5 * kUnit);
  fit::Question freed;
  freed.changes.free_originals = true;
  EXPECT_EQ(peak_of(fit_of(log, freed)), 4 * kUnit);
  fit::Question on_host;
  on_host.changes.originals_on_host = true;
  EXPECT_EQ(peak_of(fit_of(log, on_host)), 4 * kUnit);
}

TEST(Fit, NamedTensorsAreFreedEarlyAndUnknownNamesAreErrors) {
  const LogText log = with_weights("bf16");
  fit::Question question;
  question.changes.free_early = {"w"};  // its last use is in the const-eval function
  EXPECT_EQ(peak_of(fit_of(log, question)), 4 * kUnit);
  question.changes.free_early = {"W1"};
  const Result<fit::Report> report = fit_profile(profile_of(log), question);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("--free-early: no tensor on the device is called W1"));
}

TEST(Fit, WhatOnlyATrainingConfigHasIsRefused) {
  fit::Question question;
  question.changes.recompute = true;
  EXPECT_THAT(fit_profile(profile_of(with_weights("bf16")), question).error().message,
              HasSubstr("training config"));
}

TEST(Fit, TensorParallelSplitsWeightsAndNeedsChips) {
  fit::Question question;
  question.changes.tensor_parallel = 2;
  const LogText log = with_weights("bf16");
  const fit::Report report = fit_of(log, question);
  EXPECT_EQ(peak_of(report), 2 * kUnit + 3 * kUnit / 2);  // two activations, weight and copy halved
  EXPECT_EQ(report.devices[0].basis, fit::Basis::kEstimated);
  question.devices = {"n150"};
  const fit::Report one_chip = fit_of(log, question);
  ASSERT_FALSE(one_chip.fits());
  EXPECT_EQ(one_chip.devices[0].failure->shortage, fit::Shortage::kTooFewChips);
  question.devices = {"n300"};
  EXPECT_TRUE(fit_of(log, question).fits());
}

TEST(Fit, SearchFindsTheSmallestChangeThatFits) {
  fit::Question question;
  question.devices = {custom(4 * kUnit)};
  question.search = true;
  const fit::Report report = fit_of(with_weights("bf16"), question);
  ASSERT_TRUE(report.search && report.search->answer);
  EXPECT_EQ(report.search->attempts[*report.search->answer].changes.at(0).option, "--free-originals");
  question.devices = {custom(kUnit)};
  EXPECT_FALSE(fit_of(with_weights("bf16"), question).search->answer);
}

/// Everything in proportion to the batch: 2 units for each.
LogText with_batch_of(std::int64_t batch) {
  LogText log;
  const std::string type = dram_tensor(1024 * batch, 384);
  log.module("ttnn", "func.func @main(%arg0: " + type +
                         " {ttcore.argument_type = #ttcore.argument_type<input>, ttir.name = \"x\"}) -> "
                         "tensor<1xf32> {\n}\n");
  log.start("main");
  log.op(op_text("%0", "ttnn.neg", "%arg0", type, type), "\"neg\"");
  log.finish("main");
  return log;
}

TEST(Fit, ABatchScalesWhatTheDataMake) {
  fit::Question question;
  question.changes.batch = {2, 6};
  EXPECT_EQ(peak_of(fit_of(with_batch_of(2), question)), peak_of(fit_of(with_batch_of(6))));
  question.changes.batch = {2, 1};
  EXPECT_EQ(peak_of(fit_of(with_batch_of(2), question)), peak_of(fit_of(with_batch_of(1))));
}

TEST(Fit, ABatchThatTheRunDidNotHaveIsAnError) {
  fit::Question question;
  question.changes.batch = {5, 10};
  const Result<fit::Report> report = fit_profile(profile_of(with_batch_of(2)), question);
  ASSERT_FALSE(report) << "nothing was scaled";
  EXPECT_THAT(report.error().message, HasSubstr("--batch 5:10: no tensor has a dimension of 5"));
  question.changes.batch = {};
  question.changes.sequence = {77, 78};
  EXPECT_FALSE(fit_profile(profile_of(with_batch_of(2)), question));
}

TEST(Fit, TheLargestBatchIsFoundAndTheNextDoesNotFit) {
  fit::Question question;
  question.devices = {custom(15 * kUnit)};
  question.changes.batch.from = 2;
  question.maximum = fit::Growth::kBatch;
  const fit::Report report = fit_of(with_batch_of(2), question);
  ASSERT_TRUE(report.maximum);
  EXPECT_EQ(report.maximum->recorded, 2);
  EXPECT_EQ(report.maximum->largest, 7);
  EXPECT_EQ(report.maximum->headroom_bytes_per_bank, kUnit);
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

TensorType tiles(std::vector<std::int64_t> shape) {
  TensorType type;
  type.is_tensor = type.has_layout = true;
  type.dtype = "bf16";
  type.tile_height = type.tile_width = 32;
  type.buffer = BufferType::kDram;
  type.layout = MemoryLayout::kInterleaved;
  type.memref = {1, 1};
  return with_local_shape(type, shape);
}

/// The layout of an interleaved tensor in L1 has the grid of cores and one core's part.
TEST(ResizedType, AnInterleavedTensorInL1IsResizedAsAWhole) {
  TensorType type;
  type.shape = {1, 32, 1, 1};
  type.dtype = "f32";
  type.has_layout = true;
  type.buffer = BufferType::kL1;
  type.layout = MemoryLayout::kInterleaved;
  type.tile_height = type.tile_width = 32;
  type.grid = {8, 1};
  type.memref = {4, 1};
  compute_sizes(type);
  ASSERT_EQ(type.padded_bytes, 32 * 4096);
  DataDimensions now;
  now.sequence = 32;
  EXPECT_EQ(with_sequence(type, now, 256, 64).padded_bytes, 256 * 4096);
}

TEST(ResizedType, TablesOfPositionsFollowTheSequenceAndWidthsOfCachesStay) {
  DataDimensions now;
  now.sequence = 32;
  now.cache_length = 128;
  now.cache_is_width_too = true;
  TensorType type;
  type.dtype = "bf16";
  const auto shape = [&](std::vector<std::int64_t> from) {
    type.shape = std::move(from);
    return with_sequence(type, now, 256, 64).shape;
  };
  EXPECT_EQ(shape({1, 32, 128}), (std::vector<std::int64_t>{1, 256, 128}));        // keys: a width
  EXPECT_EQ(shape({1, 4, 32, 128}), (std::vector<std::int64_t>{1, 4, 256, 256}));  // scores
}

TEST(ResizedType, TheSequenceIsNotTakenForAWidthOfTheSameSize) {
  DataDimensions now{.batch = 2, .sequence = 64, .tokens = 128, .cache_length = 128, .head_size = 64};
  const auto shape = [&](std::vector<std::int64_t> of) {
    return with_sequence(tiles(std::move(of)), now, 32, 64).shape;
  };
  using Shape = std::vector<std::int64_t>;
  EXPECT_EQ(shape({2, 8, 64, 64}), (Shape{2, 8, 32, 64}));  // the size of a head stays
  EXPECT_EQ(shape({2, 64, 512}), (Shape{2, 32, 512}));
  EXPECT_EQ(shape({128, 512}), (Shape{64, 512}));  // batch x sequence
  EXPECT_EQ(shape({2, 64, 64}), (Shape{2, 32, 32}));
  now.is_width_too = true;
  EXPECT_EQ(shape({2, 64, 64}), (Shape{2, 32, 64}));
  now.head_size = 128;
  EXPECT_EQ(shape({2, 8, 64, 64}), (Shape{2, 8, 32, 32}));  // scores
}

TEST(Fit, HostileAndCutLogsGiveAnAnswerOrAnError) {
  const std::string whole = with_weights("bf16").text();
  for (std::size_t cut = 0; cut < whole.size(); cut += 97) {
    const Profile profile = profile_of(whole.substr(0, cut));
    fit::Question question;
    question.devices = {"all"};
    question.changes.batch = {1, 1 << 24};
    question.changes.weights = fit::WeightFormat::kBfp4;
    question.changes.tensor_parallel = 1024;
    (void)fit_profile(profile, question);
  }
  // Too large to be a tensor: it is not taken for one of no size without a word.
  LogText huge;
  huge.start("main").op(
      op_text("%0", "ttnn.ones", "", "", dram_tensor(std::int64_t{1} << 30, std::int64_t{1} << 20)));
  EXPECT_FALSE(fit_profile(profile_of(huge), {})) << "nothing that can be placed is no run that fits";
  huge.op(ones("%1", 1)).finish("main");
  EXPECT_TRUE(leaves_out(fit_of(huge), fit::Omission::kUnreadTypes));
}

}  // namespace
}  // namespace ttscope::mem
