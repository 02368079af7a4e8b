// What is compared with what, and what is refused.
#include "app/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/ops_csv.h"
#include "support/phase_text.h"
#include "support/profile_text.h"
#include "support/temp_folder.h"
#include "timeline/load.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OpsCsv;
using ::testing::SizeIs;

std::string ops_text(const std::string& kernel_ns) {
  return OpsCsv().op("Matmul", {{"DEVICE KERNEL DURATION [ns]", kernel_ns}}).op("Softmax").text();
}

/// Replays of a trace of two ops.
std::string replays_text(int replays, const std::string& kernel_ns = "10000") {
  OpsCsv csv;
  for (int replay = 1; replay <= replays; ++replay) {
    for (const char* op : {"Matmul", "Softmax"}) {
      csv.op(op, {{"GLOBAL CALL COUNT", op == std::string("Matmul") ? "1024" : "2048"},
                  {"METAL TRACE ID", "0"},
                  {"METAL TRACE REPLAY SESSION ID", std::to_string(replay)},
                  {"DEVICE KERNEL DURATION [ns]", kernel_ns}});
    }
  }
  return csv.text();
}

std::string memory_text(std::int64_t dram_units, std::int64_t l1_bytes) {
  testing::LogText log;
  log.start("main").block("ttnn.ones", 0).op(testing::ones("%0", dram_units));
  log.block("ttnn.neg", dram_units * testing::kUnit, l1_bytes).op(testing::neg("%1", "%0", dram_units));
  return log.finish("main").text();
}

class Compare : public ::testing::Test {
 protected:
  std::string made(const std::string& name, const std::string& text) const {
    return folder_.file(name, text);
  }
  static std::string refusal(const RunInputs& before, const RunInputs& after) {
    const auto reports = compare(before, after);
    EXPECT_FALSE(reports);
    return reports ? std::string() : reports.error().message;
  }

  testing::TempFolder folder_;
  std::string csv_ = made("a.csv", ops_text("10000"));
  std::string slow_ = made("slow.csv", ops_text("20000"));
  std::string log_ = made("run.log", memory_text(4, 0));
};

std::optional<double> after_of(const diff::DiffReport& report, const std::string& total) {
  for (const diff::DiffTotal& one : report.totals) {
    if (one.name == total) return one.after;
  }
  return std::nullopt;
}

TEST_F(Compare, TwoReportsOfOps) {
  const auto reports = compare({{csv_}}, {{slow_}});
  ASSERT_TRUE(reports) << reports.error().message;
  ASSERT_THAT(*reports, SizeIs(1));
  EXPECT_EQ(reports->front().before_name, csv_);
  EXPECT_EQ(reports->front().after_name, slow_);
  EXPECT_DOUBLE_EQ(reports->front().cost_change(), 10);
  EXPECT_FALSE(reports->front().joined);
}

TEST_F(Compare, TimeComesBeforeMemoryHoweverTheyAreGiven) {
  const auto reports = compare({{log_, csv_}}, {{slow_, log_}});
  ASSERT_TRUE(reports) << reports.error().message;
  ASSERT_THAT(*reports, SizeIs(2));
  EXPECT_EQ((*reports)[0].before_name, csv_);
  EXPECT_EQ((*reports)[1].before_name, log_);
  EXPECT_TRUE((*reports)[0].joined);
  EXPECT_FALSE((*reports)[1].joined);
}

TEST_F(Compare, WhatOneSideLacksIsNotCompared) {
  const auto reports = compare({{log_, csv_}}, {{log_}});
  ASSERT_TRUE(reports) << reports.error().message;
  ASSERT_THAT(*reports, SizeIs(1));
  EXPECT_EQ(reports->front().before_name, log_);
}

TEST_F(Compare, RunsOfDifferentKindsAreRefusedWithBothKinds) {
  EXPECT_EQ(refusal({{csv_}}, {{log_}}),
            csv_ + " is of `perf` and " + log_ + " is of `mem`: only runs of the same kind can be compared");
}

TEST_F(Compare, RunsOfOneSideMustBeAlike) {
  const std::string message =
      csv_ + " is of `perf` and has no partner of that kind in " + log_ + ": runs of one side must be alike";
  EXPECT_EQ(refusal({{csv_}, {log_}}, {{slow_}}), message);
  EXPECT_EQ(refusal({{slow_}}, {{csv_}, {log_}}), message);
}

TEST_F(Compare, TheFirstInputThatCannotBeReadIsNamed) {
  EXPECT_THAT(refusal({{folder_.path("gone.csv")}}, {{folder_.path("lost.csv")}}), HasSubstr("gone.csv"));
  EXPECT_THAT(refusal({{csv_}}, {{folder_.path("lost.csv")}}), HasSubstr("lost.csv"));
}

TEST_F(Compare, RepeatsOfASideAreItsNoise) {
  const auto reports = compare({{csv_}, {csv_}}, {{slow_}});
  ASSERT_TRUE(reports) << reports.error().message;
  EXPECT_TRUE(reports->front().noise.is_of_repeats);
  EXPECT_EQ(reports->front().before_name, csv_);
}

TEST_F(Compare, WindowsOfSoManyReplaysAreComparedByOneReplay) {
  const std::string two = made("two.csv", replays_text(2));
  const std::string three = made("three.csv", replays_text(3));
  const auto reports = compare({{two}}, {{three}});
  ASSERT_TRUE(reports) << reports.error().message;
  EXPECT_DOUBLE_EQ(reports->front().cost_change(), 0);
  EXPECT_TRUE(reports->front().has_caution(diff::Caution::What::kReplays));
  const auto equal = compare({{three}}, {{made("slow3.csv", replays_text(3, "20000"))}});
  ASSERT_TRUE(equal) << equal.error().message;
  EXPECT_DOUBLE_EQ(equal->front().cost_change(), 60);
  EXPECT_FALSE(equal->front().has_caution(diff::Caution::What::kReplays));
}

TEST_F(Compare, L1IsComparedWhereItsPeakAloneChanged) {
  const std::string more_l1 = made("l1.log", memory_text(4, 65536));
  const auto reports = compare({{log_}}, {{more_l1}});
  ASSERT_TRUE(reports) << reports.error().message;
  EXPECT_EQ(reports->front().cost_name, "peak_l1");
  DiffOptions options;
  options.memory = ComparedMemory::kDram;
  EXPECT_EQ(compare({{log_}}, {{more_l1}}, options)->front().cost_name, "peak_dram");
  const std::string both = made("both.log", memory_text(8, 65536));
  EXPECT_EQ(compare({{log_}}, {{both}})->front().cost_name, "peak_dram");
  options.memory = ComparedMemory::kL1;
  EXPECT_EQ(compare({{log_}}, {{both}}, options)->front().cost_name, "peak_l1");
}

TEST_F(Compare, SummariesOfTrainingHaveNoL1OfTheirOwn) {
  const std::string before = made("before.log", testing::usual_summary(9000));
  const std::string after = made("after.log", testing::usual_summary(9500));
  DiffOptions options;
  options.memory = ComparedMemory::kL1;
  const auto reports = compare({{before}}, {{after}}, options);
  ASSERT_TRUE(reports) << reports.error().message;
  EXPECT_TRUE(after_of(reports->front(), "peak_dram"));
  EXPECT_NE(reports->front().cost_change(), 0);
}

TEST_F(Compare, ARunIsCalledByItsFirstPath) {
  const auto opened = open({csv_});
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ(compared_run(*opened).name, csv_);
  EXPECT_THAT(compared_replays(*opened), SizeIs(1));
}

TEST_F(Compare, MemoryHasNoReplaysAndATimelineIsNoRun) {
  const auto log = open({log_});
  ASSERT_TRUE(log) << log.error().message;
  EXPECT_THAT(compared_replays(*log), IsEmpty());
  const Profile timeline{"t", {}, std::make_shared<const timeline::Profile>()};
  EXPECT_THAT(compared_run(timeline).items, IsEmpty());
  EXPECT_THAT(compared_run(timeline).name, IsEmpty());
}

}  // namespace
}  // namespace ttscope::app
