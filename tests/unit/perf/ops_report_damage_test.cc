// Damaged files: a value is lost at most, never the report.
#include <gtest/gtest.h>

#include "support/perf_texts.h"

namespace ttscope::testing {
using namespace perf;

namespace {

PerfTexts whole_capture() {
  PerfTexts texts;
  texts.log = kLogHead;
  for (const char* core : {"0,1,1", "0,1,2"}) {
    for (const char* risc : {"BRISC", "TRISC_0"}) {
      texts.log +=
          risc_lines(core, risc, "1024,,", 1000, 2000) + risc_lines(core, risc, "2048,7,1", 4000, 5000);
    }
  }
  texts.cpp =
      "GLOBAL CALL COUNT,METAL TRACE ID,METAL TRACE REPLAY SESSION ID,DEVICE ID,DEVICE ARCH,CORE "
      "COUNT,DEVICE FW DURATION "
      "[ns],DEVICE FW START CYCLE,DEVICE FW END "
      "CYCLE\n1024,,,0,wormhole_b0,2,1000,1000,2000\n2048,7,1,0,wormhole_b0,2,1000,"
      "4000,5000\n";
  texts.messages = kMessagesHead + op_message(1024, "Matmul") + "`TT_METAL_TRACE_BEGIN: 0, 7`;110\n" +
                   op_message(2048, "Softmax") +
                   "`TT_METAL_TRACE_END: 0, 7`;130\n`TT_METAL_TRACE_REPLAY: 0, 7`;300\n" +
                   "`TT_SIGNPOST: start\nhello`;350\n";
  texts.times = kTimesHead + op_zone(1024, 90, 100) + op_zone(2048, 190, 100);
  return texts;
}

/// Every line has all columns, and there is a line for each row.
void expect_whole(const MadeReport& made, const std::string& what) {
  CsvScanner scanner(made.csv);
  std::size_t columns = 0;
  std::size_t lines = 0;
  while (scanner.next()) {
    if (lines++ == 0) columns = scanner.cells().size();
    ASSERT_EQ(scanner.cells().size(), columns) << what;
  }
  ASSERT_EQ(lines, columns == 0 ? 0 : made.report.rows.size() + 1) << what;
}

class Truncated : public ::testing::TestWithParam<std::string PerfTexts::*> {};

TEST_P(Truncated, AtEveryByteThereIsAReport) {
  const PerfTexts whole = whole_capture();
  for (const bool compat : {false, true}) {
    for (std::size_t length = 0; length <= (whole.*GetParam()).size(); ++length) {
      PerfTexts texts = whole;
      (texts.*GetParam()).resize(length);
      const MadeReport made = make_report(texts, compat);
      expect_whole(made, "cut at " + std::to_string(length));
      if (HasFatalFailure()) return;
      if (GetParam() != &PerfTexts::messages) {
        ASSERT_EQ(made.report.host_ops, 2u) << length;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(AllFiles, Truncated,
                         ::testing::Values(&PerfTexts::log, &PerfTexts::cpp, &PerfTexts::times,
                                           &PerfTexts::messages));

TEST(OpsReportDamage, AMissingValueIsTheOnlyThingLost) {
  PerfTexts texts = whole_capture();
  texts.log.clear();
  const std::string good = make_report(texts).csv;
  for (const char* bad : {"nan", "1e300", "-", "", "x,y", "\"1\n000\"", "99999999999999999999999"}) {
    PerfTexts damaged = texts;
    damaged.cpp.replace(damaged.cpp.find(",2,1000,1000") + 3, 4, bad);
    const MadeReport made = make_report(damaged);
    expect_whole(made, bad);
    const Cells cells(made.csv);
    EXPECT_EQ(cells.rows(), Cells(good).rows()) << bad;
    EXPECT_EQ(cells.at(0, "OP CODE"), "Matmul") << bad;
    EXPECT_EQ(cells.at(2, "DEVICE FW DURATION [ns]"), "1000") << bad;
  }
}

TEST(OpsReportDamage, ReversedNegativeAndRepeatedTimes) {
  PerfTexts texts = whole_capture();
  texts.cpp.clear();
  texts.log = kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
              zone_lines({"0,1,2,BRISC", "1024,,", "BRISC-FW", 9000, 500, ""}) +
              "0,1,3,BRISC,7,-5,0,1024,,,BRISC-FW,ZONE_START,1,k,\n" +
              risc_lines("0,1,1", "NCRISC", "1024,,", 3000, 3200) +
              risc_lines("0,1,1", "NCRISC", "1024,,", 3000, 3200);
  const MadeReport made = make_report(texts);
  expect_whole(made, "times");
  EXPECT_EQ(made.problems.count(PerfProblem::kRowUnreadable), 1u);
}

TEST(OpsReportDamage, TextsOfMessagesStayInTheirCells) {
  PerfTexts texts = whole_capture();
  texts.messages = kMessagesHead + op_message(1024, "a\\\"b,c\\nd\\u001b[31m") + op_message(2048);
  for (const bool compat : {false, true}) {
    const MadeReport made = make_report(texts, compat);
    expect_whole(made, "name");
    EXPECT_EQ(Cells(made.csv).at(0, "OP CODE"), "a\"b;c\nd\x1b[31m");
  }
}

TEST(OpsReportDamage, ManyDevicesAndCoresCostNoMoreThanTheirRows) {
  PerfTexts texts;
  texts.log = kLogHead;
  for (int i = 0; i < 20000; ++i) {
    texts.log += zone_lines({std::to_string(i) + "," + std::to_string(i % 60000) + ",1,BRISC",
                             std::to_string(i + 1) + ",,", "BRISC-FW", 1000, 2000, ""});
  }
  EXPECT_EQ(make_report(texts).report.rows.size(), 20000u);
}

}  // namespace
}  // namespace ttscope::testing
