#include "perf/write/terminal_tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "perf/write/stack_files.h"
#include "support/ops_csv.h"
#include "ui/plot.h"

namespace ttscope::perf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::OpsCsv;

TEST(GroupedNumber, RoundsToEvenAndSeparatesThousands) {
  EXPECT_EQ(grouped_number(0, 0), "0");
  EXPECT_EQ(grouped_number(999.5, 0), "1,000");
  EXPECT_EQ(grouped_number(2.5, 0), "2");
  EXPECT_EQ(grouped_number(1234567.25, 1, "%"), "1,234,567.2 %");
  EXPECT_EQ(grouped_number(-1234.5, 2), "-1,234.50");
  EXPECT_EQ(grouped_number(123, 0), "123");
  EXPECT_EQ(grouped_number(kNoNumber, 1, "μs"), "");
  EXPECT_EQ(grouped_number(1e300, 0).size(), 301u + 100u);
}

std::string table_text(const OpsReport& table, unsigned threads) {
  ShownOptions options;
  options.ignore_signposts = true;
  const Result<ShownOps> ops = find_shown_ops(table, options);
  StringWriter out;
  PerfTableOptions form;
  form.threads = threads;
  PerfTableText(table, *ops, form).write_table(out);
  EXPECT_TRUE(out.finish());
  return out.text();
}

/// Widths are found from the extremes of a column; the slow way is to look at every line.
TEST(PerfTableText, LinesAreAsLongAsTheRuleWhateverTheRowsHold) {
  OpsCsv csv;
  csv.signpost("a signpost that is longer than any op in this report");
  csv.op("A", {{"OP TO OP LATENCY [ns]", "-123456789"}})
      .op("B", {{"DEVICE KERNEL DURATION [ns]", "98765432100"}});
  csv.matmul("DEV_0_DRAM", {{"DEVICE KERNEL DURATION [ns]", "3"}}).op("C", {{"CORE COUNT", ""}});
  const std::string text = table_text(csv.table(), 1);
  std::size_t rule = 0;
  std::vector<std::size_t> widths;
  std::size_t at = text.find("ID ");
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at);
    const std::string line = text.substr(at, end - at);
    std::size_t columns = 0;
    for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
    if (line.find("---") == 0) rule = std::max(rule, columns);
    if (line.find("🪧") != std::string::npos || line.find("Of the gaps") == 0) columns = 0;
    if (columns > 0) widths.push_back(columns);
    at = end + 1;
  }
  ASSERT_GT(rule, 0u);
  for (const std::size_t width : widths) EXPECT_EQ(width, rule);
}

TEST(PerfTableText, ALongNameIsShortenedAndDoesNotWidenTheTable) {
  OpsCsv csv;
  csv.op("A" + std::string(100'000, 'x') + "Z").op("B", {{"MATH FIDELITY", std::string(5000, 'f')}});
  csv.signpost(std::string(100'000, '\x1b'));
  const OpsReport table = csv.table();
  const std::string text = table_text(table, 1);
  EXPECT_LT(text.size(), 6000u);
  EXPECT_THAT(text, HasSubstr("Axxx"));
  EXPECT_THAT(text, HasSubstr("…"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(PerfTableText, ThreadsChangeNothing) {
  OpsCsv csv;
  for (int i = 0; i < 9000; ++i)
    csv.op("Op" + std::to_string(i % 50), {{"DEVICE KERNEL DURATION [ns]", std::to_string(i)}});
  const OpsReport table = csv.table();
  EXPECT_EQ(table_text(table, 3), table_text(table, 1));
}

TEST(StackPlot, NamesPartsOfTwoPercentAndEscapesThem) {
  OpsCsv csv;
  csv.op("<b>Matmul&", {{"DEVICE KERNEL DURATION [ns]", "97000"}})
      .op("Tilize", {{"DEVICE KERNEL DURATION [ns]", "2900"}});
  csv.op("Copy", {{"DEVICE KERNEL DURATION [ns]", "100"}});
  const OpsReport table = csv.table();
  ShownOptions options;
  options.ignore_signposts = true;
  const Result<ShownOps> ops = find_shown_ops(table, options);
  const ui::PlotScene scene = stack_scene(stack_ops(table, *ops, {}), {});
  StringWriter svg;
  ui::write_svg(scene, svg);
  ASSERT_TRUE(svg.finish());
  EXPECT_THAT(svg.text(), HasSubstr("&lt;b&gt;Matmul&amp;"));
  EXPECT_THAT(svg.text(), HasSubstr("(2.9 %) Tilize"));
  EXPECT_THAT(svg.text(), Not(HasSubstr("Copy")));
  StringWriter png;
  ASSERT_TRUE(ui::write_png(scene, png));
  ASSERT_TRUE(png.finish());
  EXPECT_EQ(png.text().substr(1, 3), "PNG");
}

}  // namespace
}  // namespace ttscope::perf
