#include "mem/analyze/failures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/write/failure_text.h"
#include "support/profile_text.h"

namespace ttscope::mem {
namespace {

using ::testing::EndsWith;
using testing::kUnit;
using testing::LogText;
using testing::Profiled;
using testing::units;

std::string failure_of(std::int64_t size) {
  return "TT_FATAL: Out of Memory: Not enough space to allocate " + std::to_string(12 * size * kUnit) +
         " B DRAM buffer across 12 banks, where each bank needs to store " + std::to_string(size * kUnit) +
         " B, but bank size is 1070773184 B (allocated: 65536 B, free: 0 B, largest free block: 0 B)";
}

/// Two weights of one size; a const-eval program is called with the second, and its second op fails.
Profiled failing_const_eval(const std::string& op) {
  LogText log;
  const std::string weight = " {ttcore.argument_type = #ttcore.argument_type<parameter>, ttir.name = ";
  log.module("ttnn", "module {\n  func.func @main(%arg0: " + units(8) + weight +
                         "\"head\"}, %arg1: " + units(8) + weight + "\"table\"}) -> " + units(8) +
                         " {\n    return %1 : " + units(8) + "\n  }\n}");
  log.start("main").op(testing::neg("%0", "%arg0", 8));
  log.op(testing::load_cached_text("%1", "main_const_eval_0", "%arg1", units(8), units(8)));
  log.cache_miss("main_const_eval_0").start("main_const_eval_0");
  log.op(testing::neg("%0", "%arg0", 8)).op(op).line(failure_of(8));
  return Profiled(log);
}

TEST(TensorCandidates, TheTensorOfAConstEvalProgramIsTheWeightThatItWasCalledWith) {
  const Profiled run = failing_const_eval(testing::neg("%1", "%0", 8));
  ASSERT_EQ(run.profile.failures.size(), 1U);
  const std::vector<TensorCandidate>& found = run.profile.failures[0].candidates;
  ASSERT_EQ(found.size(), 1U) << "another weight of that size was not asked for";
  EXPECT_EQ(found[0].reason, CandidateReason::kResult);
  EXPECT_EQ(origin_name(run.profile, found[0]), "table");
  EXPECT_THAT(candidate_text(run.profile, found[0]), EndsWith("result %1 of the op, made of table"));
}

TEST(TensorCandidates, WhatIsMadeOfSeveralTensorsHasNoOrigin) {
  const Profiled run = failing_const_eval(
      testing::op_text("%1", "ttnn.add", "%0, %arg0", units(8) + ", " + units(8), units(8)));
  ASSERT_EQ(run.profile.failures.size(), 1U);
  ASSERT_FALSE(run.profile.failures[0].candidates.empty());
  EXPECT_EQ(run.profile.failures[0].candidates[0].origin, kNone);
}

}  // namespace
}  // namespace ttscope::mem
