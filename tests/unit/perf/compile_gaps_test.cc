// While the host makes programs devices wait, also for those of other devices.
#include "perf/analyze/repeats.h"

#include <gtest/gtest.h>

#include "perf/read/ops_report.h"
#include "support/device_run.h"

namespace ttscope::perf {
namespace {

using testing::OpsCsv;
using testing::reading_of;

/// Two devices with programs of their own: while the host is busy with an op of device 1 for 300 ms, device 0
/// waits for its next one. `is_new`: that op runs for the first time.
OpsReport run_of_two(bool is_new) {
  OpsCsv csv;
  const auto add = [&](const char* name, const char* device, const char* sent_ns, const char* gap_ns) {
    csv.op(name, {{"DEVICE ID", device},
                  {"HOST START TS", sent_ns},
                  {"HOST DURATION [ns]", "500"},
                  {"OP TO OP LATENCY [ns]", gap_ns}});
  };
  add("Unary", "0", "1000", "0");
  add("Unary", "1", "2000", "0");
  add("Unary", "0", "3000", "1000");
  add(is_new ? "Softmax" : "Unary", "1", "4000", "1000");
  add("Unary", "0", "300004000", "300000000");
  return csv.table();
}

std::vector<bool> compile_gaps_of(const OpsReport& table) {
  return find_compile_gaps(table, find_first_runs(table), {0, 1, 2, 3, 4});
}

TEST(CompileGaps, ADeviceThatWaitsForProgramsOfAnotherWaitsForCompiling) {
  EXPECT_EQ(compile_gaps_of(run_of_two(true)), std::vector<bool>({false, false, false, false, true}));
  EXPECT_EQ(compile_gaps_of(run_of_two(false)), std::vector<bool>({false, false, false, false, false}));
}

TEST(CompileGaps, AreInNoPercentageAndOnTheDeviceThatWaited) {
  const OpsReport table = run_of_two(true);
  const OpAnalysis analysis = reading_of(table);
  ASSERT_EQ(analysis.ops.clock.lanes.size(), 2u);
  EXPECT_NEAR(analysis.ops.clock.lanes[0].compile_ns, 300e6, 1e3);
  EXPECT_EQ(analysis.ops.clock.lanes[1].compile_ns, 0);
  EXPECT_LT(analysis.ops.counted_us(), 100);
  EXPECT_TRUE(analysis.advice.empty() || analysis.advice.front().gain_us < 100);
}

TEST(CompileGaps, WithoutTimesOfTheHostTheCauseOfAGapIsNotKnown) {
  OpsCsv csv;
  csv.op("Unary").op("Unary", {{"OP TO OP LATENCY [ns]", "50000"}, {"HOST START TS", ""}});
  const OpAnalysis analysis = reading_of(csv.table());
  EXPECT_EQ(analysis.gaps.causes.back(), GapCause::kUnknown);
}

/// Eight rows of different ops that take as long, but for the last one.
OpsReport rows_alike(const char* last_ns, const char* brisc_ns) {
  OpsCsv csv;
  for (const char* name : {"Matmul", "Unary", "Softmax", "Tilize", "Matmul", "Unary", "Softmax"})
    csv.op(name,
           {{"DEVICE KERNEL DURATION [ns]", "15800000"}, {"DEVICE BRISC KERNEL DURATION [ns]", brisc_ns}});
  csv.op("Tilize",
         {{"DEVICE KERNEL DURATION [ns]", last_ns}, {"DEVICE BRISC KERNEL DURATION [ns]", brisc_ns}});
  OpsReport table = csv.table();
  fix_misbooked_replays(table);
  return table;
}

TEST(MisbookedReplays, OnlyRowsThatNoOpsCanHaveAreReplays) {
  const OpsReport replays = rows_alike("15810000", "");
  EXPECT_EQ(replays.text(replays.kind_of(replays.rows[3]).op_code), kTraceReplayOp);
  EXPECT_EQ(replays.rows.back().replay_session, 8);
  const OpsReport with_riscs = rows_alike("15810000", "15700000");
  EXPECT_EQ(with_riscs.text(with_riscs.kind_of(with_riscs.rows[3]).op_code), "Tilize");
  const OpsReport with_another = rows_alike("25810000", "");
  EXPECT_EQ(with_another.text(with_another.kind_of(with_another.rows[3]).op_code), "Tilize");
}

}  // namespace
}  // namespace ttscope::perf
