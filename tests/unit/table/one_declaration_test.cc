#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/writer.h"
#include "table/column_values.h"
#include "table/declare.h"
#include "table/document.h"
#include "table/table_rows.h"
#include "table/write_json.h"
#include "unit/table/query.h"

/// One column that is added to a declaration, in one place, is in every output form.
namespace ttscope::table {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct Executed {
  std::vector<std::int64_t> lines;
};

/// The declaration; `added` is the line that someone adds.
TableOf<Executed> run_spec(const std::vector<ColumnOf<Executed>>& added) {
  std::vector<ColumnOf<Executed>> columns = {column<Executed>(
      "line", "", "Line of the log", [](const Executed& run, std::size_t row) { return run.lines[row]; })};
  columns.insert(columns.end(), added.begin(), added.end());
  return table_of<Executed>("ops", "An executed op", columns);
}

const TableOf<Executed>& longer_spec() {
  static const TableOf<Executed> spec =
      run_spec({column<Executed>("twice_bytes", "bytes", "Twice the line",
                                 [](const Executed& run, std::size_t row) { return 2 * run.lines[row]; })});
  return spec;
}

class OneDeclaration : public ::testing::Test {
 protected:
  Table table_ = make_table(longer_spec(), std::make_shared<Executed>(Executed{{3, 4}}), 2);
};

TEST_F(OneDeclaration, IsInCsv) {
  TableRows rows(table_);
  StringWriter out;
  ASSERT_TRUE(write_csv(rows, out) && out.finish());
  EXPECT_EQ(out.text(), "line,twice_bytes\n3,6\n4,8\n");
}

TEST_F(OneDeclaration, IsInJsonRows) {
  TableRows rows(table_);
  StringWriter out;
  ASSERT_TRUE(write_json(rows, out) && out.finish());
  EXPECT_THAT(out.text(), HasSubstr("\"twice_bytes\":6"));
  EXPECT_THAT(out.text(), HasSubstr("\"twice_bytes\":8"));
}

TEST_F(OneDeclaration, IsInTheValuesForNumpy) {
  const ColumnValues values = column_values(table_, *longer_spec().find_column("twice_bytes"));
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(values.values), ElementsAre(6, 8));
}

TEST_F(OneDeclaration, IsInSql) {
  TableSet set;
  set.tables.push_back(table_);
  Result<Database> database = Database::open({{"run", set}});
  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(values(*database, "select sum(twice_bytes) from ops"), "14\n");
}

TEST_F(OneDeclaration, IsInTheDocuments) {
  EXPECT_THAT(markdown_of(longer_spec(), 3),
              HasSubstr("| `twice_bytes` | integer | bytes | Twice the line |"));
  EXPECT_THAT(schema_text({longer_spec()}, {}), HasSubstr("twice_bytes"));
  EXPECT_EQ(run_spec({}).columns.size() + 1, longer_spec().columns.size());
}

}  // namespace
}  // namespace ttscope::table
