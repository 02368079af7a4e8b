#include "mem/analyze/tensor_origins.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ArgumentPosition, IsReadFromTheName) {
  EXPECT_EQ(argument_number("%arg12"), 12u);
  EXPECT_EQ(argument_number("%12"), kNone);
  EXPECT_EQ(argument_number("%arg"), kNone);
  EXPECT_EQ(argument_number("%arg1x"), kNone);
  EXPECT_EQ(argument_number("%arg99999999999"), kNone);
}

class WeightFlowTest : public testing::Test {
 protected:
  void SetUp() override {
    made.add_program("main");
    made.add_weight("%arg1", "norm_weight", {768});
    made.add_weight("%arg2", "norm_bias", {768});
  }
  std::vector<std::uint32_t> weights(WeightFlow& flow, std::uint32_t op) {
    const auto found = flow.weights_of(op);
    return {found.begin(), found.end()};
  }
  HandMadeLog made;
};

TEST_F(WeightFlowTest, DirectArgumentsCountOnceAndOthersNotAtAll) {
  made.add_op({.results = {"%3"}, .operands = {"%arg1", "%arg1", "%arg0", "%2"}});
  made.add_op({.results = {"%4"}, .operands = {"%3"}});
  WeightFlow flow(made.log, made.profile);
  flow.use_rank(0);
  EXPECT_THAT(weights(flow, 0), ElementsAre(0u));
  EXPECT_THAT(weights(flow, 1), IsEmpty());
}

TEST_F(WeightFlowTest, ConstEvalOpsHaveTheWeightsTheirOperandsCameFrom) {
  made.add_op({.name = "ttcore.load_cached",
               .results = {"%1#0"},
               .operands = {"%arg1", "%arg2"},
               .role = OpRole::kLoadCached});
  made.add_program("main_const_eval_1", 0, 0);
  made.add_op({.results = {"%1"}, .operands = {"%arg1"}, .instance = 1});  // the second operand of the call
  made.add_op({.results = {"%2"}, .operands = {"%arg0"}, .instance = 1});
  made.add_op({.results = {"%3"}, .operands = {"%1"}, .instance = 1});
  made.add_op({.results = {"%4"}, .operands = {"%2", "%3"}, .instance = 1});
  made.add_op({.results = {"%5"}, .operands = {"%1"}});  // main again: another %1
  WeightFlow flow(made.log, made.profile);
  flow.use_rank(0);
  EXPECT_THAT(weights(flow, 0), ElementsAre(0u, 1u));
  EXPECT_THAT(weights(flow, 1), ElementsAre(1u));
  EXPECT_THAT(weights(flow, 2), ElementsAre(0u));
  EXPECT_THAT(weights(flow, 3), ElementsAre(1u));
  EXPECT_THAT(weights(flow, 4), ElementsAre(0u, 1u));
  EXPECT_THAT(weights(flow, 5), IsEmpty());
}

TEST_F(WeightFlowTest, AProgramCalledInsideConstEvalReturnsToItsScope) {
  made.add_op(
      {.name = "ttcore.load_cached", .results = {"%1"}, .operands = {"%arg2"}, .role = OpRole::kLoadCached});
  made.add_program("main_const_eval_0", 0, 0);
  made.add_op({.results = {"%1"}, .operands = {"%arg0"}, .instance = 1});
  const auto call = made.add_op(
      {.name = "func.call", .results = {"%2"}, .operands = {"%1"}, .role = OpRole::kCall, .instance = 1});
  made.add_program("helper", 1, call);
  made.add_op({.results = {"%9"}, .operands = {"%arg0"}, .instance = 2});
  made.add_op({.results = {"%3"}, .operands = {"%1"}, .instance = 1});
  WeightFlow flow(made.log, made.profile);
  flow.use_rank(0);
  for (std::uint32_t op = 0; op < 5; ++op) EXPECT_THAT(weights(flow, op), ElementsAre(1u)) << op;
}

}  // namespace
}  // namespace ttscope::mem
