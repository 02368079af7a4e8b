#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "table/table.h"
#include "table/write.h"
#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// Cells that are given, and an error behind them if there is a message.
class GivenRows final : public RowSource {
 public:
  GivenRows(std::vector<std::string> names, std::vector<std::vector<Cell>> rows, std::string problem = "")
      : names_(std::move(names)), rows_(std::move(rows)), problem_(std::move(problem)) {}
  const std::vector<std::string>& column_names() const override { return names_; }
  [[nodiscard]] Result<bool> next() override {
    if (next_ == rows_.size() && !problem_.empty()) return failure(bad_input(problem_));
    return ++next_ <= rows_.size();
  }
  Cell cell(std::size_t column) override { return rows_[next_ - 1][column]; }

 private:
  std::vector<std::string> names_;
  std::vector<std::vector<Cell>> rows_;
  std::string problem_;
  std::size_t next_ = 0;
};

template <typename Write>
std::string written(RowSource& rows, Write write) {
  StringWriter out;
  const Result<void> outcome = write(rows, out);
  EXPECT_TRUE(outcome.has_value());
  EXPECT_TRUE(out.finish().has_value());
  return out.text();
}
std::string csv_of(RowSource&& rows) { return written(rows, write_csv); }
std::string json_of(RowSource&& rows) { return written(rows, write_json); }
std::string text_of(RowSource&& rows, TableTextOptions options = {}) {
  return written(rows, [&](RowSource& source, Writer& out) { return write_text(source, out, options); });
}

Table two_ops() {
  return sample_table(
      {{.line = 4, .name = "add", .time_us = 0.1, .is_cached = true, .loc = "a.py:1", .size_bytes = 64},
       {.line = 1000, .name = "reshape", .time_us = std::nullopt}});
}

TEST(WriteCsv, EveryTypeHasItsForm) {
  EXPECT_EQ(csv_of(TableRows(two_ops())),
            "line,op,time_us,is_cached,loc,size_bytes\n"
            "4,add,0.1,true,a.py:1,64\n"
            "1000,reshape,,false,,\n");
}

TEST(WriteCsv, ColumnsCanBeChosen) {
  EXPECT_EQ(csv_of(TableRows(two_ops(), {1, 0})), "op,line\nadd,4\nreshape,1000\n");
}

TEST(WriteCsv, HostileTextStaysOneCell) {
  EXPECT_EQ(csv_of(GivenRows({"a,b", "c"},
                             {{Cell::text("x\"y\nz"), Cell::text("")}, {Cell::text("\xff"), Cell::null()}})),
            "\"a,b\",c\n\"x\"\"y\nz\",\"\"\n\xEF\xBF\xBD,\n");
}

TEST(WriteCsv, FormulasAreDefusedAndNumbersAreNot) {
  EXPECT_EQ(csv_of(GivenRows({"=n", "x"}, {{Cell::text("=cmd|' /C calc'!A1"), Cell::real(-1.5)},
                                           {Cell::text("@SUM(A1,B1)"), Cell::text("-3")},
                                           {Cell::text("+\xff"), Cell::text("a=b")}})),
            "'=n,x\n'=cmd|' /C calc'!A1,-1.5\n\"'@SUM(A1,B1)\",-3\n'+\xEF\xBF\xBD,a=b\n");
}

TEST(WriteCsv, NumbersReadBackAsTheyAre) {
  EXPECT_EQ(csv_of(GivenRows({"n"}, {{Cell::real(0.1 + 0.2)},
                                     {Cell::integer(std::numeric_limits<std::int64_t>::min())},
                                     {Cell::real(-std::numeric_limits<double>::infinity())},
                                     {Cell::real(std::numeric_limits<double>::quiet_NaN())}})),
            "n\n0.30000000000000004\n-9223372036854775808\n-inf\n\n");
}

TEST(WriteJson, ARowIsAnObject) {
  EXPECT_EQ(json_of(TableRows(two_ops())),
            "[\n"
            R"({"line":4,"op":"add","time_us":0.1,"is_cached":true,"loc":"a.py:1","size_bytes":64},)"
            "\n"
            R"({"line":1000,"op":"reshape","time_us":null,"is_cached":false,"loc":null,"size_bytes":null})"
            "\n]\n");
}

TEST(WriteJson, NoRowsAreAnEmptyArray) { EXPECT_EQ(json_of(TableRows(sample_table({}))), "[]\n"); }

TEST(WriteJson, HostileTextIsEscapedAndNamesDiffer) {
  EXPECT_EQ(json_of(GivenRows({"a", "a", "a_2", "a"},
                              {{Cell::text("\x1b\"\xff"), Cell::integer(1),
                                Cell::real(std::numeric_limits<double>::infinity()), Cell::truth(true)}})),
            "[\n"
            R"({"a":"\u001b\"\ufffd","a_3":1,"a_2":null,"a_4":true})"
            "\n]\n");
}

TEST(WriteText, NumbersStandRightAndTextsLeft) {
  EXPECT_EQ(text_of(TableRows(two_ops())),
            "line  op       time_us  is_cached  loc     size_bytes\n"
            "----  -------  -------  ---------  ------  ----------\n"
            "   4  add          0.1  true       a.py:1          64\n"
            "1000  reshape        -  false      -                -\n");
}

TEST(WriteText, RealsAreReadable) {
  EXPECT_EQ(text_of(GivenRows({"n"}, {{Cell::real(0.1 + 0.2)}, {Cell::real(3)}, {Cell::real(1e300)}})),
            "     n\n------\n   0.3\n   3.0\n1e+300\n");
}

TEST(WriteText, LongTextsLoseTheirMiddleWhereTheLineIsTooWide) {
  const std::string location = "/a/long/folder/of/sources/model.py:123";
  const std::string text = text_of(
      GivenRows({"number", "loc"}, {{Cell::integer(123456789), Cell::text(location)}}), {.width = 30});
  EXPECT_EQ(text,
            "   number  loc\n"
            "---------  -------------------\n"
            "123456789  /a/long/f…el.py:123\n");
  EXPECT_THAT(text_of(GivenRows({"loc"}, {{Cell::text(location)}})), HasSubstr(location));
}

TEST(WriteText, NumbersAreNeverCut) {
  EXPECT_THAT(text_of(GivenRows({"n"}, {{Cell::integer(12)}, {Cell::integer(1234567890123)}}),
                      {.width = 4, .measured_bytes = 1}),
              HasSubstr("1234567890123"));
}

TEST(WriteText, RowsBehindTheMeasuredOnesAreWritten) {
  EXPECT_EQ(text_of(GivenRows({"t"}, {{Cell::text("ab")}, {Cell::text("abcd")}, {Cell::null()}}),
                    {.width = 80, .measured_bytes = 1}),
            "t\n--\nab\nabcd\n-\n");
}

TEST(WriteText, ARowBehindTenThousandOthersKeepsTheColumnsInLine) {
  std::vector<std::vector<Cell>> rows(20000, {Cell::text("ab"), Cell::integer(7)});
  rows.push_back({Cell::text("a longer text"), Cell::integer(123456)});
  const std::string text = text_of(GivenRows({"t", "n"}, std::move(rows)));
  EXPECT_THAT(text, StartsWith("t                   n\n-------------  ------\nab                  7\n"));
  EXPECT_THAT(text, EndsWith("a longer text  123456\n"));
}

TEST(WriteText, RowsThatAreNotKeptWidenTheirColumns) {
  EXPECT_EQ(text_of(GivenRows({"t", "n"}, {{Cell::text("a"), Cell::integer(1)},
                                           {Cell::text("abc"), Cell::integer(1)},
                                           {Cell::text("a"), Cell::integer(1)}}),
                    {.measured_bytes = 1}),
            "t  n\n-  -\na  1\nabc  1\na    1\n");
}

TEST(WriteText, NothingActsOnTheTerminal) {
  EXPECT_THAT(text_of(GivenRows({"n\x1b"}, {{Cell::text("\x1b[31m\n\xff")}})), Not(HasSubstr("\x1b")));
}

TEST(Writers, AProblemOfTheRowsIsTheProblemOfTheWriter) {
  StringWriter out;
  for (const auto write : {write_csv, write_json}) {
    GivenRows rows({"n"}, {{Cell::integer(1)}}, "interrupted");
    const Result<void> outcome = write(rows, out);
    ASSERT_FALSE(outcome.has_value());
    EXPECT_EQ(outcome.error().message, "interrupted");
  }
  GivenRows rows({"n"}, {{Cell::integer(1)}}, "interrupted");
  EXPECT_FALSE(write_text(rows, out).has_value());
  GivenRows long_rows({"n"}, {{Cell::integer(1)}, {Cell::integer(1)}}, "interrupted");
  EXPECT_FALSE(write_text(long_rows, out, {.measured_bytes = 1}).has_value());
}

}  // namespace
}  // namespace ttscope::table
