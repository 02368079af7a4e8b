#include "mem/analyze/logs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::mem {
namespace {

using Ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// A trace of one rank; every program takes ten lines, ops are given by their text ids.
class LastRun : public ::testing::Test {
 protected:
  LastRun() {
    log_.ranks.resize(1);
    for (char text = 'a'; text <= 'z'; ++text) {  // no text is the beginning of another
      const std::uint32_t id = log_.op_bodies.intern(std::string(1, text));
      log_.op_texts.emplace_back().text = log_.op_bodies[id];
    }
  }

  RankLog& rank() { return log_.ranks[0]; }

  void run(std::string_view name, const std::vector<std::uint32_t>& texts, bool ends = true) {
    ProgramInstance program;
    program.name = log_.names.intern(name);
    program.first_op = static_cast<std::uint32_t>(rank().ops.size());
    program.start_line = line_;
    program.end_line = ends ? line_ + 9 : 0;
    for (const std::uint32_t text : texts) {
      ExecutedOp op;
      op.text = text;
      op.instance = static_cast<std::uint32_t>(rank().programs.size());
      rank().ops.push_back(op);
    }
    program.end_op = static_cast<std::uint32_t>(rank().ops.size());
    rank().programs.push_back(program);
    line_ += 10;
  }
  void marker() { rank().output_markers.push_back(line_++); }
  void block(MemoryBlock::Moment moment) {
    MemoryBlock block;
    block.moment = moment;
    block.line = line_;
    block.view_line = {line_ + 1, line_ + 2, line_ + 3, line_ + 4};
    rank().blocks.push_back(block);
    line_ += 5;
  }

  RankCut cut() { return find_last_run(log_).at(0); }
  Ranges dropped() {
    Ranges ranges;
    for (const LineRange& range : cut().dropped) ranges.emplace_back(range.first, range.last);
    return ranges;
  }

  RuntimeLog log_;
  std::uint32_t line_ = 1;
};

TEST_F(LastRun, NothingAtAll) {
  EXPECT_EQ(cut().basis, RankCut::Basis::kWholeLog);
  EXPECT_TRUE(find_last_run(RuntimeLog()).empty());
}

TEST_F(LastRun, OneRunStaysWhole) {
  run("main", {1, 2});
  marker();
  EXPECT_EQ(cut().basis, RankCut::Basis::kWholeLog);
  EXPECT_EQ(cut().kept_programs, 1U);
  EXPECT_EQ(dropped(), Ranges());
}

TEST_F(LastRun, MarkersPartTheRuns) {
  run("main", {1});
  marker();
  run("main", {2});
  marker();
  EXPECT_EQ(cut().basis, RankCut::Basis::kMarkers);
  EXPECT_EQ(dropped(), (Ranges{{1, 10}, {11, 11}}));
}

TEST_F(LastRun, SeveralMarkersOfOneRun) {
  run("main", {1});
  marker();
  marker();
  run("main", {2});
  marker();
  marker();
  EXPECT_EQ(dropped(), (Ranges{{1, 10}, {11, 11}, {12, 12}}));
}

TEST_F(LastRun, TwoMarkersOfTheOnlyRunPartNothing) {
  run("main", {1});
  marker();
  marker();
  EXPECT_EQ(cut().basis, RankCut::Basis::kWholeLog);
}

TEST_F(LastRun, ARunAfterTheLastMarkerBelongsToTheLast) {
  run("main", {1});
  marker();
  run("main", {1});
  marker();
  run("main", {1}, false);
  EXPECT_EQ(cut().kept_programs, 2U);
  EXPECT_EQ(dropped(), (Ranges{{1, 10}, {11, 11}}));
}

TEST_F(LastRun, RepeatedProgram) {
  for (int i = 0; i < 3; ++i) run("main", {1, 2});
  EXPECT_EQ(cut().basis, RankCut::Basis::kPrograms);
  EXPECT_EQ(dropped(), (Ranges{{1, 10}, {11, 20}}));
}

TEST_F(LastRun, RepeatedPair) {
  for (int i = 0; i < 2; ++i) {
    run("main", {1, 2});
    run("main", {3});
  }
  EXPECT_EQ(cut().kept_programs, 2U);
  EXPECT_EQ(dropped(), (Ranges{{1, 10}, {11, 20}}));
}

TEST_F(LastRun, ThePassOfTheModelIsKeptNotTheHelperThatRepeatsInIt) {
  const std::vector<std::uint32_t> helper = {1, 2, 3};
  for (const std::size_t model_ops : {4u, 12u, 200u}) {
    log_.ranks[0] = {};
    line_ = 1;
    const auto run_helper_twice = [&] {
      run("main", helper);
      run("main", helper);
    };
    run_helper_twice();
    run("main", std::vector<std::uint32_t>(model_ops, 7));
    run_helper_twice();
    for (int i = 0; i < 2; ++i) {
      run("main", std::vector<std::uint32_t>(model_ops, 8));
      run_helper_twice();
    }
    EXPECT_EQ(cut().kept_programs, 3U) << model_ops;
    EXPECT_EQ(cut().dropped_programs, 8U) << model_ops;
  }
}

TEST_F(LastRun, AHelperThatRepeatsAfterTheOnlyPassIsNoRun) {
  run("main", std::vector<std::uint32_t>(100, 7));
  for (int i = 0; i < 3; ++i) run("helper", {1});
  EXPECT_EQ(cut().basis, RankCut::Basis::kWholeLog);
}

TEST_F(LastRun, AGenerationIsPrefillAndItsDecodeSteps) {
  for (int i = 0; i < 2; ++i) {
    run("main", {1, 2, 3});
    for (int k = 0; k < 4; ++k) run("main", {4, 5});
  }
  EXPECT_EQ(cut().kept_programs, 5U);
}

TEST_F(LastRun, DecodeStepsAfterOnePrefill) {
  run("main", {1, 2, 3});
  for (int k = 0; k < 4; ++k) run("main", {4, 5});
  EXPECT_EQ(cut().kept_programs, 1U);
}

TEST_F(LastRun, ACutOffRunIsThatOfTheGraphThatComesNext) {
  for (int i = 0; i < 2; ++i) {
    run("main", {1, 2, 3});
    run("main", {1, 5});
  }
  run("main", {1, 2, 3});
  run("main", {1}, false);  // the beginning of both
  EXPECT_EQ(cut().kept_programs, 2U);
}

TEST_F(LastRun, WhatIsOtherThanItsNameSaysIsAnotherGraph) {
  run("main", {1, 2});
  run("main", {1, 3});
  run("other", {1, 3});
  EXPECT_EQ(cut().basis, RankCut::Basis::kWholeLog);
}

TEST_F(LastRun, ACutOffProgramIsTheGraphWhoseBeginningItIs) {
  run("main", {1, 2, 3});
  run("main", {1, 2}, false);
  EXPECT_EQ(dropped(), (Ranges{{1, 10}}));
}

TEST_F(LastRun, ACutOffProgramThatDiffersIsNot) {
  run("main", {1, 2, 3});
  run("main", {1, 3}, false);
  EXPECT_EQ(dropped(), Ranges());
}

TEST_F(LastRun, AnEarlierCrashEndsWhereTheNextProgramBegins) {
  run("main", {9}, false);
  run("main", {1});
  run("main", {1});
  EXPECT_EQ(dropped(), (Ranges{{1, 10}, {11, 20}}));
}

TEST_F(LastRun, NestedProgramsAreNotRuns) {
  run("main", {1});
  run("main_const_eval_0", {5});
  rank().programs[1].parent = 0;
  run("main", {1});
  rank().programs[0].end_line = 20;
  EXPECT_EQ(cut().kept_programs, 1U);
  EXPECT_EQ(dropped(), (Ranges{{1, 20}}));
}

TEST_F(LastRun, BlocksAroundEarlierProgramsGoTheLastStateBeforeStays) {
  block(MemoryBlock::Moment::kBeforeSubmit);
  run("main", {1});
  block(MemoryBlock::Moment::kAfterSubmit);
  block(MemoryBlock::Moment::kBeforeSubmit);
  run("main", {1});
  block(MemoryBlock::Moment::kAfterSubmit);
  EXPECT_EQ(dropped(), (Ranges{{1, 5}, {6, 15}, {16, 20}}));
}

TEST_F(LastRun, ModulesAreListedWithTheirLines) {
  ModuleDump module;
  module.line = 4;
  module.lines = {"a", "b"};
  log_.modules = {module};
  ASSERT_EQ(cut().modules.size(), 1U);
  EXPECT_EQ(cut().modules[0].header, 4U);
  EXPECT_EQ(cut().modules[0].count, 3U);
}

TEST_F(LastRun, AMillionProgramsTakeNoTime) {
  for (int i = 0; i < 300000; ++i) run("main", {static_cast<std::uint32_t>(i % 1000 == 0)});
  EXPECT_EQ(cut().kept_programs, 1000U);
}

}  // namespace
}  // namespace ttscope::mem
