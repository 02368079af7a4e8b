// What of a run is warm-up, and what repeats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perf/compat/shown_ops.h"
#include "perf/write/advice_text.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::Cells;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ns;
using testing::OpsCsv;
using testing::reading_of;

TEST(WarmUp, IsLeftOutByCacheMissesElseByCompileGapsAndNeverInsideSignposts) {
  for (const bool has_column : {true, false}) {
    OpsCsv csv;
    csv.signpost("start");
    for (int pass = 0; pass < 3; ++pass) {
      for (const char* name : {"Matmul", "Softmax", "Tilize"}) {
        Cells cells = {{"OP TO OP LATENCY [ns]", pass == 0 ? "30000000" : "1000"}};
        if (has_column) cells["PROGRAM CACHE HIT"] = pass == 0 ? "False" : "True";
        csv.op(name, cells);
      }
    }
    const OpsReport table = csv.table();
    const OpAnalysis analysis = reading_of(table);
    EXPECT_EQ(analysis.ops.rows.size(), 6u);
    EXPECT_EQ(analysis.ops.warm_up.passes, 1u);
    EXPECT_EQ(analysis.ops.warm_up.is_by_cache_misses, has_column);
    EXPECT_NEAR(analysis.ops.clock.lanes[0].wall_ns / 1000, 6 * 10 + 5, 0.01);
    EXPECT_TRUE(std::any_of(analysis.ops.notes.begin(), analysis.ops.notes.end(),
                            [](const OpNote& note) { return note.kind == NoteKind::kWarmUpLeftOut; }));
    ShownOptions named;
    named.start_signpost = "start";
    EXPECT_EQ(reading_of(table, named).ops.rows.size(), 9u);
    ShownOptions all;
    all.keep_warm_up = true;
    EXPECT_EQ(reading_of(table, all).ops.device_ops, 9u);
  }
}

TEST(WarmUp, LayersOfAModelThatRunsOnceAreNoPasses) {
  OpsCsv csv;
  csv.op("Embeddings").op("Matmul", {{"OP TO OP LATENCY [ns]", "30000000"}}).op("Softmax");
  for (int layer = 0; layer < 4; ++layer) csv.op("Matmul").op("Softmax");
  EXPECT_EQ(reading_of(csv.table()).ops.rows.size(), 11u);
}

TEST(Iterations, ReplaysHaveMeanAndSpread) {
  OpsCsv csv;
  for (int replay = 0; replay < 3; ++replay) {
    for (int op = 0; op < 2; ++op) {
      csv.op("Unary", {{"METAL TRACE ID", "7"},
                       {"METAL TRACE REPLAY SESSION ID", std::to_string(replay + 1)},
                       {"DEVICE KERNEL DURATION [ns]", ns(10 + replay)},
                       {"OP TO OP LATENCY [ns]", op == 0 ? "50000" : "1000"}});
    }
  }
  const OpAnalysis analysis = reading_of(csv.table());
  ASSERT_EQ(analysis.iterations.series.size(), 1u);
  const IterationSeries& series = analysis.iterations.series[0];
  EXPECT_EQ(series.count, 3u);
  EXPECT_EQ(series.name, "7");
  EXPECT_NEAR(series.mean_ns / 1000, 23, 0.01);  // 21, 23 and 25
  EXPECT_NEAR(series.spread_ns / 1000, 2, 0.01);
  ASSERT_EQ(analysis.iterations.times.size(), 3u);
  for (const IterationTime& time : analysis.iterations.times) EXPECT_NEAR(time.idle_ns() / 1000, 1, 0.01);
}

/// Replays of one trace of four ops; what `leave_out(replay, op)` says is not in the report, but ran.
template <typename LeaveOut>
OpsReport replays(int count, LeaveOut leave_out) {
  constexpr const char* kNames[] = {"Matmul", "Softmax", "Unary", "Tilize"};
  OpsCsv csv;
  double at_us = 0;
  double end_us = 0;
  for (int replay = 0; replay < count; ++replay) {
    at_us += 3;
    for (int op = 0; op < 4; ++op) {
      const double start_us = at_us + 1;
      at_us = start_us + 20;
      if (leave_out(replay, op)) continue;
      csv.op(kNames[op], {{"METAL TRACE ID", "7"},
                          {"METAL TRACE REPLAY SESSION ID", std::to_string(replay + 1)},
                          {"DEVICE KERNEL DURATION [ns]", "20000"},
                          {"DEVICE FW START CYCLE", std::to_string(std::llround(start_us * 1350))},
                          {"DEVICE FW END CYCLE", std::to_string(std::llround(at_us * 1350))},
                          {"OP TO OP LATENCY [ns]", ns(start_us - end_us)}});
      end_us = at_us;
    }
  }
  return csv.table();
}

TEST(Iterations, ReplaysThatAreNotWholeAreInNoMean) {
  // The first lacks its beginning, the last its end: cut by the window.
  const OpsReport table =
      replays(4, [](int replay, int op) { return (replay == 0 && op < 2) || (replay == 3 && op == 3); });
  const OpAnalysis analysis = reading_of(table);
  ASSERT_EQ(analysis.iterations.series.size(), 1u);
  const IterationSeries& series = analysis.iterations.series[0];
  EXPECT_EQ(series.count, 4u);
  EXPECT_EQ(series.cut, 2u);
  EXPECT_NEAR(series.mean_ns / 1000, 83, 0.01);
  EXPECT_NEAR(series.min_ns / 1000, 83, 0.01);
  std::vector<bool> cut;
  for (const IterationTime& time : analysis.iterations.times) cut.push_back(time.is_cut);
  EXPECT_EQ(cut, (std::vector<bool>{true, false, false, true}));
  EXPECT_THAT(time_lines(table, analysis), Contains(HasSubstr("4 replays (2 not whole), 83.0 μs each")));
}

/// Their time had been said to lie between kernels.
TEST(TimeLines, OpsWithoutADurationAreNoTimeBetweenKernels) {
  OpsCsv csv;
  const auto add = [&](const char* name, double start_us, double end_us, const char* kernel_ns) {
    csv.op(name, {{"DEVICE KERNEL DURATION [ns]", kernel_ns},
                  {"DEVICE FW DURATION [ns]", ns(end_us - start_us)},
                  {"DEVICE FW START CYCLE", std::to_string(std::llround(start_us * 1350))},
                  {"DEVICE FW END CYCLE", std::to_string(std::llround(end_us * 1350))}});
  };
  add("Matmul", 1000, 1060, "60000");
  add("Matmul", 1060, 1090, "");
  add("Tilize", 1090, 1100, "9000");
  const OpsReport table = csv.table();
  EXPECT_THAT(
      time_lines(table, reading_of(table)),
      Contains(HasSubstr("30 % is 1 op without a kernel duration (firmware), 1 % lies between kernels")));
}

TEST(TimeLines, AReportThatIsCutSaysSoFirst) {
  OpsCsv csv;
  csv.op("A").op("B").op("C");
  const std::string text = csv.text();
  const OpsReport whole = testing::read_table(text);
  const OpsReport cut = testing::read_table(std::string_view(text).substr(0, text.size() - 40));
  EXPECT_EQ(time_lines(cut, reading_of(cut)).front(),
            "Not whole: the file ends inside row 4 (is it cut off?); what came after it is in no figure");
  for (const std::string& line : time_lines(whole, reading_of(whole)))
    EXPECT_EQ(line.find("Not whole"), std::string::npos) << line;
}

TEST(TimeLines, OpsOfTheHostWithoutDeviceDataOutsideTheWindowLackNothing) {
  OpsCsv csv;
  csv.op("A", {{"DEVICE KERNEL DURATION [ns]", ""}}).signpost("begin").op("A").op("B");
  OpsReport table = csv.table();
  table.capture_problems.add(PerfProblem::kOpWithoutDeviceData, "op 1024 on device 0");
  const auto first_line = [&](bool ignores_signposts) {
    ShownOptions options;
    options.ignore_signposts = ignores_signposts;
    return time_lines(table, *analyze_ops(table, options)).front();
  };
  EXPECT_THAT(first_line(true), HasSubstr("Not whole: 1 x ops of the host have no device data"));
  EXPECT_THAT(first_line(false), Not(HasSubstr("Not whole")));
}

TEST(Repeats, AKernelLongerThanItsFirmwareIsCounted) {
  OpsCsv csv;
  csv.op("A", {{"DEVICE FW DURATION [ns]", "9000"}});
  csv.op("B", {{"DEVICE FW DURATION [ns]", "10000"}});
  const OpsReport table = csv.table();
  EXPECT_EQ(table.problems.count(ReportProblem::kLongKernel), 1u);
  EXPECT_EQ(table.problems.places(ReportProblem::kLongKernel).front(), 2u);
}

/// A report that was appended to itself had twice the device time of its devices, and shares over 100 %.
TEST(Repeats, ARowThatStandsTwiceIsOneExecution) {
  OpsCsv csv;
  const auto add = [&](const char* name, const char* id, double start_us, double end_us) {
    csv.op(name, {{"GLOBAL CALL COUNT", id},
                  {"DEVICE KERNEL DURATION [ns]", ns(end_us - start_us)},
                  {"DEVICE FW START CYCLE", std::to_string(std::llround(start_us * 1350))},
                  {"DEVICE FW END CYCLE", std::to_string(std::llround(end_us * 1350))},
                  {"METAL TRACE ID", "1"},
                  {"METAL TRACE REPLAY SESSION ID", "1"}});
  };
  for (int copy = 0; copy < 2; ++copy) {
    add("Matmul", "1024", 1000, 1060);
    add("Tilize", "2048", 1061, 1070);
  }
  add("Matmul", "3072", 1071, 1131);
  const OpsReport table = csv.table();
  EXPECT_EQ(table.problems.count(ReportProblem::kRepeatedRow), 2u);
  const OpAnalysis analysis = reading_of(table);
  EXPECT_EQ(analysis.ops.rows.size(), 3u);
  EXPECT_NEAR(analysis.ops.device_us, 129, 1e-3);
  EXPECT_EQ(analysis.iterations.series.front().cut, 0u) << "the replay has all ops that its trace has";
  EXPECT_EQ(compat::find_shown_ops(table, {}).rows.size(), 5u);
}

TEST(OpGaps, HolesInReplaysAreNoWaitsForTheHost) {
  const OpsReport table = replays(3, [](int replay, int op) { return replay == 1 && (op == 1 || op == 3); });
  const OpAnalysis analysis = reading_of(table);
  const std::vector<GapCause> wanted = {
      GapCause::kLaunch,  GapCause::kLaunch,  GapCause::kLaunch, GapCause::kLaunch, GapCause::kLaunch,
      GapCause::kMissing, GapCause::kMissing, GapCause::kLaunch, GapCause::kLaunch, GapCause::kLaunch};
  EXPECT_EQ(analysis.gaps.causes, wanted);
  for (const OpAdvice& advice : analysis.advice) {
    EXPECT_NE(advice.cause, AdviceCause::kHostSync);
    EXPECT_NE(advice.cause, AdviceCause::kTraceGaps);
  }
}

TEST(WarmUp, SetUpBeforeReplaysIsLeftOutWhereItMadePrograms) {
  const auto analysis = [](const char* gap_ns, int replay_count) {
    OpsCsv csv;
    csv.op("Fill").op("Tilize", {{"OP TO OP LATENCY [ns]", gap_ns}}).op("Matmul").op("Softmax");
    for (int replay = 1; replay <= replay_count; ++replay) {
      for (const char* name : {"Matmul", "Softmax"})
        csv.op(name, {{"METAL TRACE ID", "1"}, {"METAL TRACE REPLAY SESSION ID", std::to_string(replay)}});
    }
    return reading_of(csv.table());
  };
  const OpAnalysis cold = analysis("30000000", 3);
  EXPECT_TRUE(cold.ops.warm_up.is_set_up);
  EXPECT_EQ(cold.ops.warm_up.ops, 4u);
  EXPECT_EQ(cold.ops.device_ops, 6u);
  EXPECT_TRUE(std::any_of(cold.ops.notes.begin(), cold.ops.notes.end(),
                          [](const OpNote& note) { return note.kind == NoteKind::kSetUpLeftOut; }));
  EXPECT_EQ(analysis("2000", 3).ops.device_ops, 10u) << "nothing was made: a part of the run";
  EXPECT_EQ(analysis("30000000", 1).ops.device_ops, 6u) << "nothing comes again";
}

}  // namespace
}  // namespace ttscope::perf
