// What is asked of `ttscope fit`.
#include "cli/commands/fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "cli/command_line.h"

namespace ttscope::cli {
namespace {

using ::testing::ElementsAre;

/// Nothing where the command line is refused.
std::optional<fit::FitQuery> question_of(const std::vector<std::string>& words) {
  fit::FitQuery question;
  CommandSpec spec;
  spec.options = fit_question_options(question);
  const auto args = parse_args(spec, words);
  if (!args || !take_values(spec, *args).empty()) return std::nullopt;
  return question;
}

TEST(FitOptions, ACommaInsideOfACustomDeviceBelongsToIt) {
  EXPECT_THAT(device_list("n150"), ElementsAre("n150"));
  EXPECT_THAT(device_list("n150,p150,custom:DRAM=12x1024MB,L1=64x1.3MB"),
              ElementsAre("n150", "p150", "custom:DRAM=12x1024MB,L1=64x1.3MB"));
  EXPECT_THAT(device_list("custom:DRAM=1x1MB,n150"), ElementsAre("custom:DRAM=1x1MB,n150"));
  EXPECT_THAT(device_list("n150,"), ElementsAre("n150", "")) << "no device has that name";
  EXPECT_THAT(device_list(""), ElementsAre(""));
}

TEST(FitOptions, WhatIsNoDeviceIsRefused) {
  EXPECT_TRUE(question_of({"--device", "n150,p150"}));
  EXPECT_TRUE(question_of({"--device", "custom:DRAM=12x1024MB,L1=64x1.3MB"}));
  for (const char* wrong : {"n150,", "", "n151", "custom:DRAM=12"}) {
    EXPECT_FALSE(question_of({"--device", wrong})) << wrong;
  }
}

TEST(FitOptions, NamesOfTensorsAreSeparatedByCommas) {
  const auto question = question_of({"--row-major", "a,b", "--free-early=c"});
  ASSERT_TRUE(question);
  EXPECT_THAT(question->changes.row_major, ElementsAre("a", "b"));
  EXPECT_THAT(question->changes.free_early, ElementsAre("c"));
  EXPECT_FALSE(question_of({"--row-major", ","})) << "no tensor is named";
}

TEST(FitOptions, AScaleMaySayWhatItWas) {
  const auto plain = question_of({"--batch", "8"});
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->changes.batch.from, 0);
  EXPECT_EQ(plain->changes.batch.to, 8);
  const auto both = question_of({"--sequence", "512:2048"});
  ASSERT_TRUE(both);
  EXPECT_EQ(both->changes.sequence.from, 512);
  EXPECT_EQ(both->changes.sequence.to, 2048);
  for (const char* wrong : {"0", "-1", "x", "4:", ":8", "4:8:16", "8 ", "99999999999"}) {
    EXPECT_FALSE(question_of({std::string("--batch=") + wrong})) << wrong;
  }
}

TEST(FitOptions, ChangesAndSearches) {
  const auto question = question_of({"--weights", "bfp4", "--tp", "4", "--search", "--max", "sequence"});
  ASSERT_TRUE(question);
  EXPECT_EQ(question->changes.weights, fit::WeightFormat::kBfp4);
  EXPECT_EQ(question->changes.tensor_parallel, 4u);
  EXPECT_TRUE(question->search);
  EXPECT_EQ(question->maximum, fit::Growth::kSequence);
  EXPECT_FALSE(question_of({"--tp", "1025"})) << "more than any machine has";
  EXPECT_FALSE(question_of({"--tp", "0"}));
  EXPECT_FALSE(question_of({"--weights", "fp8"}));
}

}  // namespace
}  // namespace ttscope::cli
