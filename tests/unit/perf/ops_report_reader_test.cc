#include "perf/read/ops_report.h"

#include <gtest/gtest.h>

#include <charconv>

#include "perf/model/ops_report.h"
#include "support/ops_csv.h"

namespace ttscope::perf {
namespace {

using testing::OpsCsv;
using testing::read_table;

std::uint64_t problems(const OpsReport& table, ReportProblem problem) {
  return table.problems.count(problem);
}

TEST(OpsReportReader, ReadsOpsSignpostsAndShapes) {
  const OpsReport table = OpsCsv().signpost("start").matmul("DEV_0_DRAM_INTERLEAVED").op("Unary").table();
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].type, OpRowType::kSignpost);
  EXPECT_EQ(table.rows[1].id, 3u);
  const OpKind& matmul = table.kind_of(table.rows[1]);
  ASSERT_EQ(matmul.input_count, 2);
  EXPECT_EQ(table.input(matmul, 0)->padded[2], 32);
  EXPECT_EQ(table.input(matmul, 0)->logical[2], 17);
  EXPECT_EQ(table.format, ReportFormat::kV21);
  EXPECT_EQ(table.clock_mhz, 1350);
}

TEST(OpsReportReader, RowsThatRepeatShareTheirKind) {
  const OpsReport table = OpsCsv().op("A").op("B").op("A", {{"DEVICE KERNEL DURATION [ns]", "77"}}).table();
  EXPECT_EQ(table.rows[0].kind, table.rows[2].kind);
  EXPECT_NE(table.rows[0].kind, table.rows[1].kind);
  EXPECT_EQ(table.rows[2].kernel_duration_ns, 77);
}

TEST(OpsReportReader, QuotedCellsMayHoldDelimitersQuotesAndLineBreaks) {
  const OpsReport table = OpsCsv().op("A", {{"ATTRIBUTES", "\"{'a': \"\"x\"\", 'b':\n2}\""}}).op("B").table();
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.text(table.kind_of(table.rows[0]).attributes), "{'a': \"x\", 'b':\n2}");
  EXPECT_EQ(table.rows[1].id, 3u);
  EXPECT_EQ(table.rows[1].line, 4u);
}

TEST(OpsReportReader, ABadCellIsLostAndCountedNotTheRow) {
  const OpsReport table = OpsCsv()
                              .op("A", {{"DEVICE KERNEL DURATION [ns]", "1e300"}})
                              .op("B", {{"DEVICE KERNEL DURATION [ns]", "-5"}, {"CORE COUNT", "many"}})
                              .op("C", {{"DEVICE KERNEL DURATION [ns]", "NaN"}})
                              .table();
  ASSERT_EQ(table.rows.size(), 3u);
  for (const OpRow& row : table.rows) EXPECT_FALSE(has_number(row.kernel_duration_ns));
  EXPECT_EQ(problems(table, ReportProblem::kBadNumber), 2u);
  EXPECT_EQ(problems(table, ReportProblem::kNegativeTime), 1u);
  EXPECT_EQ(problems(table, ReportProblem::kNoDuration), 3u);
  EXPECT_EQ(table.rows[1].fw_duration_ns, 10000);
}

TEST(OpsReportReader, LongTextsAreCutBetweenCharactersAndTheirRowsCounted) {
  const std::string just_fits(kMaxOpTextBytes, 'a');
  std::string too_long(kMaxOpTextBytes - 1, 'b');
  too_long += "μ and the rest";
  const OpsReport table = OpsCsv().op(just_fits).op(too_long).op(too_long).table();
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.text(table.kind_of(table.rows[0]).op_code), just_fits);
  EXPECT_EQ(table.text(table.kind_of(table.rows[1]).op_code), std::string(kMaxOpTextBytes - 1, 'b'));
  EXPECT_EQ(problems(table, ReportProblem::kLongText), 2u);
  EXPECT_EQ(table.problems.places(ReportProblem::kLongText), (std::vector<std::uint32_t>{3, 4}));
}

TEST(OpsReportReader, RowsWithMissingOrExtraCellsAreKept) {
  const std::string text = OpsCsv().op("A").text() + "B,tt_dnn_device,4096\r\n" +
                           OpsCsv().op("C").text().substr(OpsCsv().text().size());
  const OpsReport table = read_table(text + ",,,,");
  ASSERT_EQ(table.rows.size(), 4u);
  EXPECT_EQ(table.text(table.kind_of(table.rows[1]).op_code), "B");
  EXPECT_EQ(problems(table, ReportProblem::kShortRow), 1u);
  EXPECT_EQ(problems(table, ReportProblem::kCutRow), 1u);
}

TEST(OpsReportReader, EveryCutOfAReportIsReadOrRefused) {
  const std::string text =
      OpsCsv().signpost("s").matmul("DEV_0_L1_HEIGHT_SHARDED").op("B", {{"ATTRIBUTES", "\"a,b\""}}).text();
  std::size_t most = 0;
  for (std::size_t size = 0; size <= text.size(); ++size) {
    OpsReport table;
    const Result<void> read = read_ops_report({"cut", std::string_view(text).substr(0, size), {}}, table);
    if (!read) continue;
    EXPECT_LE(table.rows.size(), 3u);
    EXPECT_GE(table.rows.size(), most);  // a longer part never says less
    most = table.rows.size();
  }
  EXPECT_EQ(most, 3u);
}

TEST(OpsReportReader, RefusesWhatIsNoOpsReport) {
  OpsReport table;
  EXPECT_NE(read_ops_report({"zero", "", {}}, table).error().message.find("empty"), std::string::npos);
  EXPECT_FALSE(read_ops_report({"blank", "\n\n", {}}, table).has_value());
  EXPECT_NE(read_ops_report({"other", "a,b\n1,2\n", {}}, table).error().message.find("other:1"),
            std::string::npos);
}

TEST(OpsReportReader, DeviceOnlyReportsHaveNoNamesAndNoDevice) {
  const OpsReport table =
      read_table("GLOBAL CALL COUNT,DEVICE FW DURATION [ns],DEVICE KERNEL DURATION [ns]\n1024,20,10\n");
  ASSERT_EQ(table.rows.size(), 1u);
  EXPECT_EQ(table.rows[0].type, OpRowType::kDevice);
  EXPECT_EQ(table.rows[0].device, -1);
  EXPECT_EQ(problems(table, ReportProblem::kNoDevice), 0u);
}

TEST(OpsReportReader, QuasarTakesTheLongerProcessor) {
  const OpsReport table = read_table(
      "OP CODE,OP TYPE,DEVICE DM FW DURATION [ns],DEVICE TRISC FW DURATION "
      "[ns]\nMatmul,tt_dnn_device,3000,1000\n");
  EXPECT_EQ(table.rows[0].kernel_duration_ns, 3000);
}

TEST(OpsReportReader, DevicesOfASecondFileFollowThoseOfTheFirst) {
  OpsReport table;
  const std::string first = OpsCsv().op("A", {{"DEVICE ID", "3"}}).text();
  const std::string second = OpsCsv().op("A", {{"DEVICE ID", "1"}}).text();
  ASSERT_TRUE(read_ops_report({"a", first, "host0"}, table));
  ASSERT_TRUE(read_ops_report({"b", second, "host1"}, table));
  EXPECT_EQ(table.rows[0].device, 3);
  EXPECT_EQ(table.rows[1].device, 5);  // unequal hosts are fine: 4 devices, then 2
  EXPECT_EQ(table.rows[1].id, 3u);
}

/// The obvious way: split at commas, convert cell by cell, compare texts.
TEST(OpsReportReader, SaysWhatASlowReaderSays) {
  OpsCsv csv;
  for (int i = 0; i < 300; ++i) {
    csv.op(i % 3 == 0   ? "A"
           : i % 3 == 1 ? "B"
                        : "C",
           {{"DEVICE KERNEL DURATION [ns]", std::to_string(i * 7919 % 100003)},
            {"ATTRIBUTES", "{'k': '" + std::to_string(i % 17) + "'}"},
            {"CORE COUNT", std::to_string(i % 5)}});
  }
  const std::string text = csv.text("\n");
  const OpsReport table = read_table(text);
  std::vector<std::vector<std::string>> lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    std::vector<std::string> cells(1);
    for (std::size_t i = at; i < end; ++i) {
      if (text[i] == ',')
        cells.emplace_back();
      else
        cells.back() += text[i];
    }
    lines.push_back(std::move(cells));
    at = end + 1;
  }
  const auto column = [&](std::string_view name) {
    return static_cast<std::size_t>(std::find(lines[0].begin(), lines[0].end(), name) - lines[0].begin());
  };
  ASSERT_EQ(table.rows.size(), lines.size() - 1);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const OpRow& row = table.rows[i];
    const OpKind& kind = table.kind_of(row);
    EXPECT_EQ(table.text(kind.op_code), lines[i + 1][column("OP CODE")]);
    EXPECT_EQ(table.text(kind.attributes), lines[i + 1][column("ATTRIBUTES")]);
    EXPECT_EQ(row.kernel_duration_ns, std::stod(lines[i + 1][column("DEVICE KERNEL DURATION [ns]")]));
    EXPECT_EQ(kind.core_count, std::stod(lines[i + 1][column("CORE COUNT")]));
  }
}

/// All that a table says of its rows, as text.
std::string description(const OpsReport& table) {
  std::string text;
  for (const OpRow& row : table.rows) {
    const OpKind& kind = table.kind_of(row);
    text += std::to_string(row.id) + ":" + std::to_string(row.line) + ":" + std::to_string(row.device) + ":" +
            std::to_string(row.kernel_duration_ns) + ":" + std::string(table.text(kind.op_code)) + ":" +
            std::string(table.text(kind.attributes)) + ":" + std::to_string(kind.input_count) + ":" +
            (kind.input_count > 0 ? std::string(table.text(table.input(kind, 0)->memory)) : "") + "\n";
  }
  for (std::size_t i = 0; i < kReportProblemCount; ++i) {
    const auto& places = table.problems.places(static_cast<ReportProblem>(i));
    text += std::to_string(table.problems.count(static_cast<ReportProblem>(i))) +
            (places.empty() ? "" : "@" + std::to_string(places[0])) + " ";
  }
  return text + std::to_string(table.kinds.size());
}

TEST(OpsReportReader, SeveralThreadsSayWhatOneSays) {
  for (const int quoted : {-1, 0, 37, 99}) {
    OpsCsv csv;
    for (int i = 0; i < 100; ++i) {
      if (i == quoted) csv.op("Q", {{"ATTRIBUTES", "\"a,\n\"\"b\"\"\""}});
      if (i % 7 == 0) csv.op("Bad", {{"DEVICE KERNEL DURATION [ns]", "x"}});
      csv.matmul(i % 3 == 0 ? "DEV_0_L1" : "DEV_0_DRAM", {{"CORE COUNT", std::to_string(i % 9)}});
    }
    const std::string text = csv.text();
    OpsReport one;
    ASSERT_TRUE(read_ops_report({"one", text, {}}, one));
    for (const std::size_t part_bytes : {1u, 300u, 2000u, 20000u}) {
      OpsReport several;
      ASSERT_TRUE(read_ops_report({"several", text, {}, 3, part_bytes}, several));
      EXPECT_EQ(description(several), description(one)) << quoted << " " << part_bytes;
    }
  }
}

TEST(CellNumber, ReadsNumbersNothingAndNonsense) {
  EXPECT_EQ(cell_number("123"), 123);
  EXPECT_EQ(cell_number(" 1.5 "), 1.5);
  EXPECT_EQ(cell_number("12482573256535"), 12482573256535.0);
  EXPECT_FALSE(has_number(*cell_number("")));
  EXPECT_FALSE(has_number(*cell_number("-")));
  EXPECT_FALSE(cell_number("1e300").has_value());
  EXPECT_FALSE(cell_number("inf").has_value());
  EXPECT_FALSE(cell_number("12abc").has_value());
  EXPECT_EQ(cell_size("32[17]").padded, 32);
  EXPECT_EQ(cell_size("32[17]").logical, 17);
  EXPECT_EQ(cell_size("32[").padded, 32);
  EXPECT_EQ(cell_size("99999999999").padded, -1);
}

}  // namespace
}  // namespace ttscope::perf
