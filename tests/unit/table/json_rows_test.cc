// Rows of declared tables inside of larger documents.
#include "table/write.h"

#include <gtest/gtest.h>

#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

std::string written(JsonRows rows, int count) {
  StringWriter out;
  JsonWriter json(out);
  json.begin_array();
  for (int i = 0; i < count; ++i) {
    json.begin_object();
    rows.write_next(json);
    json.end_object();
  }
  json.end_array();
  EXPECT_TRUE(out.finish().has_value());
  return out.text();
}

TEST(JsonRows, WritesRowAfterRowUnderTheKeysOfTheDocument) {
  const Table table = sample_table({{.line = 3, .name = "add", .time_us = 1.5, .is_cached = true},
                                    {.line = 4, .name = "matmul", .size_bytes = 2048}});
  EXPECT_EQ(
      written(JsonRows(table, {{"name", "op"}, {"line"}, {"time_us"}, {"is_cached"}, {"size", "size_bytes"}}),
              2),
      R"([{"name":"add","line":3,"time_us":1.5,"is_cached":true,"size":null},)"
      R"({"name":"matmul","line":4,"time_us":null,"is_cached":false,"size":2048}])");
}

TEST(JsonRows, ADocumentMayHaveZeroAnEmptyTextOrAQuestionMarkForNone) {
  const Table table = sample_table({{.line = 3, .name = "add"}});
  EXPECT_EQ(written(JsonRows(table, {{"loc", {}, WhereNull::kEmptyText},
                                     {"where", "loc", WhereNull::kQuestionMark},
                                     {"size_bytes", {}, WhereNull::kZero}}),
                    1),
            R"([{"loc":"","where":"?","size_bytes":0}])");
}

TEST(JsonRows, ARowMayBeWrittenOutOfOrder) {
  JsonRows rows(sample_table({{.line = 3}, {.line = 4}, {.line = 5}}), {{"line"}});
  StringWriter out;
  JsonWriter json(out);
  json.begin_array();
  for (const std::size_t row : {2, 0}) {
    json.begin_object();
    rows.write_row(json, row);
    json.end_object();
  }
  json.begin_object();
  rows.write_next(json);
  json.end_object();
  json.end_array();
  EXPECT_TRUE(out.finish().has_value());
  EXPECT_EQ(out.text(), R"([{"line":5},{"line":3},{"line":3}])");
}

TEST(JsonRows, AllColumnsButSomeHaveTheirOwnNames) {
  const Table table = sample_table({{.line = 3, .name = "add"}});
  std::vector<std::string_view> others;
  for (const ColumnSpec& column : table.spec().columns)
    if (column.name != "line") others.push_back(column.name);
  EXPECT_EQ(written(JsonRows(table, AllExcept{others}), 1), R"([{"line":3}])");
  const std::string all = written(JsonRows(table, AllExcept{}), 1);
  for (const ColumnSpec& column : table.spec().columns)
    EXPECT_NE(all.find("\"" + std::string(column.name) + "\":"), std::string::npos) << column.name;
}

TEST(JsonRows, AnArrayEndsWithTheTable) {
  const Table table = sample_table({{.line = 3}, {.line = 4}, {.line = 5}});
  JsonRows rows(table, {{"line"}});
  StringWriter out;
  JsonWriter json(out);
  json.begin_object();
  rows.write_array(json, "first", 1);
  rows.write_array(json, "others");
  rows.write_array(json, "none");
  rows.write_next(json);
  json.end_object();
  EXPECT_TRUE(out.finish().has_value());
  EXPECT_EQ(out.text(), R"({"first":[{"line":3}],"others":[{"line":4},{"line":5}],"none":[]})");
}

TEST(JsonRows, AColumnThatIsNotDeclaredIsABug) {
  EXPECT_ANY_THROW(JsonRows(sample_table({}), {{"nonsense"}}));
}

}  // namespace
}  // namespace ttscope::table
