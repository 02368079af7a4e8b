#include "mem/model/runtime_log.h"

#include <gtest/gtest.h>

#include <string>

namespace ttscope::mem {
namespace {

TEST(DisplayLoc, IsTheFirstNameAndKeepsLineAndColumn) {
  EXPECT_EQ(display_loc(R"("dot.7")"), "dot.7");
  EXPECT_EQ(display_loc(R"("outer"("inner"))"), "outer");
  EXPECT_EQ(display_loc(R"("model.py":25:10)"), "model.py:25:10");
  EXPECT_EQ(display_loc(R"(fused["a.1", "b.2"])"), "a.1");
  EXPECT_EQ(display_loc(R"(callsite("callee" at "caller"))"), "callee");
}

TEST(DisplayLoc, IsEmptyForUnknownAndWholeForCutTexts) {
  EXPECT_EQ(display_loc("unknown"), "");
  EXPECT_EQ(display_loc(""), "");
  EXPECT_EQ(display_loc("\""), "");
  EXPECT_EQ(display_loc("\"cut"), "cut");
  EXPECT_EQ(display_loc("\"cut\\"), "cut\\");
}

/// A trace with one op of a type only.
OpRole role_of_type(const std::string& op_type) {
  RuntimeLog log;
  ExecutedOp op;
  op.op_type = log.names.intern(op_type);
  EXPECT_EQ(log.name_of(op), op_type);
  return log.role_of(op);
}

TEST(RuntimeLog, AnOpWithoutLineHasTheRoleOfItsType) {
  EXPECT_EQ(role_of_type("DeallocateOp"), OpRole::kDeallocate);
  EXPECT_EQ(role_of_type("GetDeviceOp"), OpRole::kGetDevice);
  EXPECT_EQ(role_of_type("LoadCachedOp"), OpRole::kLoadCached);
  EXPECT_EQ(role_of_type("FuncCallOp"), OpRole::kCall);
  EXPECT_EQ(role_of_type("MatmulOp"), OpRole::kUnparsed);
}

TEST(RuntimeLog, AnOpOfWhichNothingIsKnownHasNoName) {
  const RuntimeLog log;
  EXPECT_EQ(log.name_of(ExecutedOp{}), "");
  EXPECT_TRUE(is_counted(log, ExecutedOp{})) << "it was executed, and nothing says that it is left out";
}

TEST(LogProblems, CountsAllAndKeepsTheFirstPlaces) {
  LogProblems first;
  for (std::uint32_t line = 1; line <= 4; ++line) first.add(LogProblem::kBlockIncomplete, {0, line});
  LogProblems later;
  for (std::uint32_t line = 10; line <= 14; ++line) later.add(LogProblem::kBlockIncomplete, {0, line});
  first.merge(later);
  EXPECT_EQ(first.count(LogProblem::kBlockIncomplete), 9u);
  ASSERT_EQ(first.places(LogProblem::kBlockIncomplete).size(), LogProblems::kPlacesKept);
  EXPECT_EQ(first.places(LogProblem::kBlockIncomplete)[4].line, 10u);
  EXPECT_EQ(first.count(LogProblem::kBlockMissing), 0u);
}

TEST(LogProblems, EveryProblemHasItsOwnKeyAndSentence) {
  std::string seen;
  for (std::size_t p = 0; p < kLogProblemCount; ++p) {
    const ProblemInfo& info = info_of(static_cast<LogProblem>(p));
    EXPECT_FALSE(info.key.empty());
    EXPECT_FALSE(info.sentence.empty());
    EXPECT_EQ(seen.find(" " + std::string(info.key) + " "), std::string::npos) << info.key;
    seen += " " + std::string(info.key) + " ";
  }
}

}  // namespace
}  // namespace ttscope::mem
