#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "table/table.h"
#include "table/write.h"
#include "unit/table/query.h"
#include "unit/table/sample_table.h"

namespace ttscope::table {
namespace {

using ::testing::HasSubstr;

/// The sample with one more column, which is declared here and nowhere else.
Table table_with_core() {
  static const TableOf<Sample> spec = [] {
    TableOf<Sample> more = sample_spec();
    more.columns.push_back(
        column<Sample>("core_count", "cores", "Cores that the op ran on", [](const Sample&, std::size_t row) {
          return row + 64;
        }).spec);
    return more;
  }();
  const auto source =
      std::make_shared<Sample>(Sample{{{.line = 1, .name = "add"}, {.line = 2, .name = "mul"}}});
  return make_table(spec, source, source->ops.size());
}

template <typename Write>
std::string written(Write write) {
  TableRows rows(table_with_core());
  StringWriter out;
  EXPECT_TRUE(write(rows, out).has_value());
  EXPECT_TRUE(out.finish().has_value());
  return out.text();
}

TEST(OneDeclaration, AColumnIsInEveryForm) {
  const Table table = table_with_core();
  const std::size_t at = table.spec().find_column("core_count").value();
  EXPECT_THAT(written(write_csv), HasSubstr(",core_count\n"));
  EXPECT_THAT(written(write_json), HasSubstr(R"("core_count":65)"));
  EXPECT_THAT(written([](RowSource& rows, Writer& out) { return write_text(rows, out); }),
              HasSubstr("core_count"));
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(column_values(table, at).values),
            (std::vector<std::int64_t>{64, 65}));
  EXPECT_THAT(markdown_of(table.spec(), 2),
              HasSubstr("| `core_count` | integer | cores | Cores that the op ran on |"));
  Result<Database> database = Database::open({{"run", {"", {table}, {}}}});
  ASSERT_TRUE(database.has_value());
  EXPECT_EQ(values(*database, "select line from ops where core_count = 65"), "2\n");
  EXPECT_THAT(schema_text(database->tables(), {}), HasSubstr("Cores that the op ran on"));
}

}  // namespace
}  // namespace ttscope::table
