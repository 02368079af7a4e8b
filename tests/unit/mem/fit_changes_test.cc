// Runs that are asked to be different: weights, batch, chips, and the search for what fits.
#include <gmock/gmock.h>

#include <string>

#include "mem/fit.h"
#include "support/fit_text.h"

namespace ttscope::mem {
namespace {

using namespace ttscope::testing;
using ::testing::HasSubstr;

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

TEST(FitChanges, WeightsInAnotherFormatAreThoseOfARunThatHasThem) {
  const LogText recorded = with_weights("bf16");
  for (const auto& [format, element] :
       {std::pair{fit::WeightFormat::kBfp8, "bfp_bf8"}, std::pair{fit::WeightFormat::kBfp4, "bfp_bf4"}}) {
    fit::FitQuery question;
    question.changes.weights = format;
    const fit::Report changed = fit_of(recorded, question);
    EXPECT_EQ(peak_of(changed), peak_of(fit_of(with_weights(element)))) << element;
    EXPECT_LT(peak_of(changed), peak_of(fit_of(recorded)));
    ASSERT_EQ(changed.changes.size(), 1u);
    EXPECT_EQ(changed.changes[0].tensors, 2u);
    EXPECT_EQ(changed.devices[0].basis, fit::Basis::kReplayed);
  }
}

TEST(FitChanges, OriginalsAreFreedWhenTheirCopiesAreThere) {
  const LogText log = with_weights("bf16");
  EXPECT_EQ(peak_of(fit_of(log)), 5 * kUnit);
  fit::FitQuery freed;
  freed.changes.free_originals = true;
  EXPECT_EQ(peak_of(fit_of(log, freed)), 4 * kUnit);
  fit::FitQuery on_host;
  on_host.changes.originals_on_host = true;
  EXPECT_EQ(peak_of(fit_of(log, on_host)), 4 * kUnit);
}

TEST(FitChanges, NamedTensorsAreFreedEarlyAndUnknownNamesAreErrors) {
  const LogText log = with_weights("bf16");
  fit::FitQuery question;
  question.changes.free_early = {"w"};  // its last use is in the const-eval function
  EXPECT_EQ(peak_of(fit_of(log, question)), 4 * kUnit);
  question.changes.free_early = {"W1"};
  const Result<fit::Report> report = fit_profile(profile_of(log), question);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("--free-early: no tensor on the device is called W1"));
}

TEST(FitChanges, WhatOnlyATrainingConfigHasIsRefused) {
  fit::FitQuery question;
  question.changes.recompute = true;
  EXPECT_THAT(fit_profile(profile_of(with_weights("bf16")), question).error().message,
              HasSubstr("training config"));
}

TEST(FitChanges, TensorParallelSplitsWeightsAndNeedsChips) {
  fit::FitQuery question;
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

TEST(FitChanges, SearchFindsTheSmallestChangeThatFits) {
  fit::FitQuery question;
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

TEST(FitChanges, ABatchScalesWhatTheDataMake) {
  fit::FitQuery question;
  question.changes.batch = {2, 6};
  EXPECT_EQ(peak_of(fit_of(with_batch_of(2), question)), peak_of(fit_of(with_batch_of(6))));
  question.changes.batch = {2, 1};
  EXPECT_EQ(peak_of(fit_of(with_batch_of(2), question)), peak_of(fit_of(with_batch_of(1))));
}

TEST(FitChanges, ABatchThatTheRunDidNotHaveIsAnError) {
  fit::FitQuery question;
  question.changes.batch = {5, 10};
  const Result<fit::Report> report = fit_profile(profile_of(with_batch_of(2)), question);
  ASSERT_FALSE(report) << "nothing was scaled";
  EXPECT_THAT(report.error().message, HasSubstr("--batch 5:10: no tensor has a dimension of 5"));
  question.changes.batch = {};
  question.changes.sequence = {77, 78};
  EXPECT_FALSE(fit_profile(profile_of(with_batch_of(2)), question));
}

TEST(FitChanges, TheLargestBatchIsFoundAndTheNextDoesNotFit) {
  fit::FitQuery question;
  question.devices = {custom(15 * kUnit)};
  question.changes.batch.from = 2;
  question.maximum = fit::Growth::kBatch;
  const fit::Report report = fit_of(with_batch_of(2), question);
  ASSERT_TRUE(report.maximum);
  EXPECT_EQ(report.maximum->recorded, 2);
  EXPECT_EQ(report.maximum->largest, 7);
  EXPECT_EQ(report.maximum->headroom_bytes_per_bank, kUnit);
}

TEST(FitChanges, HostileAndCutLogsGiveAnAnswerOrAnError) {
  const std::string whole = with_weights("bf16").text();
  for (std::size_t cut = 0; cut < whole.size(); cut += 97) {
    const Profile profile = profile_of(whole.substr(0, cut));
    fit::FitQuery question;
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
