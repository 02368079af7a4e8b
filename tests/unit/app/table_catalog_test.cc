#include "app/sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/writer.h"
#include "support/ops_csv.h"
#include "support/temp_folder.h"
#include "table/table.h"
#include "table/write.h"

/// Every declared column of every table of every subject is in every output form.
namespace ttscope::app {
namespace {

using ::testing::HasSubstr;
using testing::TempFolder;

std::string written(table::RowSource& rows, Result<void> (*write)(table::RowSource&, Writer&)) {
  StringWriter out;
  const Result<void> done = write(rows, out);
  if (!done) return "error: " + done.error().message;
  if (!out.finish()) return "error: not finished";
  return out.text();
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string names_joined(const table::TableSpec& spec) {
  std::string names;
  for (const table::ColumnSpec& column : spec.columns) {
    if (!names.empty()) names += ',';
    names += column.name;
  }
  return names;
}

std::string described(const table::TableSpec& spec) {
  return std::string(spec.name) + ": " + names_joined(spec);
}

std::size_t size_of(const table::ColumnValues& column) {
  return std::visit(
      [](const auto& values) {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, table::TextCodes>) {
          return values.codes.size();
        } else {
          return values.size();
        }
      },
      column.values);
}

/// The rows of the table and the rows of a query over it are written alike.
void expect_same_in_sql(table::Database& database, const table::Table& table) {
  const std::string name(table.spec().name);
  const auto rows = database.run("select " + names_joined(table.spec()) + " from " + name);
  ASSERT_TRUE(rows) << name << ": " << rows.error().message;
  table::TableRows own(table);
  EXPECT_EQ(written(**rows, table::write_csv), written(own, table::write_csv)) << name;
}

void expect_all_forms(const Profile& profile) {
  Result<table::Database> database = open_database({profile}, {});
  ASSERT_TRUE(database) << database.error().message;
  for (const table::Table& table : profile.tables().tables) {
    table::TableRows for_csv(table);
    EXPECT_EQ(first_line(written(for_csv, table::write_csv)), names_joined(table.spec()));
    table::TableRows for_json(table);
    const std::string json = written(for_json, table::write_json);
    for (std::size_t column = 0; column < table.spec().columns.size(); ++column) {
      const std::string name(table.spec().columns[column].name);
      if (table.rows() > 0) {
        EXPECT_THAT(json, HasSubstr("\"" + name + "\":")) << table.spec().name;
      }
      EXPECT_EQ(size_of(table::column_values(table, column)), table.rows())
          << table.spec().name << '.' << name;
    }
    expect_same_in_sql(*database, table);
  }
}

class TableCatalog : public ::testing::Test {
 protected:
  /// A sample of each subject, in the order of Subject.
  std::vector<std::string> samples() {
    const std::string source = std::getenv("TTSCOPE_SOURCE_DIR");
    const std::string csv = testing::OpsCsv().op("Add").matmul("DRAM").signpost("start").op("Softmax").text();
    return {source + "/examples/sample.log", source + "/examples/training/phases.log",
            source + "/examples/sample_graph.json", folder_.file("ops.csv", csv)};
  }
  TempFolder folder_;
};

TEST_F(TableCatalog, EveryColumnIsInEveryForm) {
  if (std::getenv("TTSCOPE_SOURCE_DIR") == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  for (const std::string& path : samples()) {
    const auto profile = open({path});
    ASSERT_TRUE(profile) << profile.error().message;
    expect_all_forms(*profile);
  }
}

TEST_F(TableCatalog, AProfileHasTheTablesThatItsSubjectDeclares) {
  if (std::getenv("TTSCOPE_SOURCE_DIR") == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  for (const std::string& path : samples()) {
    const auto profile = open({path});
    ASSERT_TRUE(profile) << profile.error().message;
    std::vector<std::string> found;
    for (const table::Table& table : profile->tables().tables) found.push_back(described(table.spec()));
    std::vector<std::string> declared;
    for (const table::TableSpec* spec : table_specs(profile->subject())) declared.push_back(described(*spec));
    EXPECT_EQ(found, declared) << path;
  }
}

TEST_F(TableCatalog, EveryViewAnswersOnItsSubject) {
  if (std::getenv("TTSCOPE_SOURCE_DIR") == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  for (const std::string& path : samples()) {
    const auto profile = open({path});
    ASSERT_TRUE(profile) << profile.error().message;
    Result<table::Database> database = open_database({*profile}, {});
    ASSERT_TRUE(database) << database.error().message;
    for (const table::View& view : views(profile->subject())) {
      auto rows = database->run("select * from " + std::string(view.name));
      ASSERT_TRUE(rows) << view.name << ": " << rows.error().message;
      EXPECT_THAT(written(**rows, table::write_csv), ::testing::Not(HasSubstr("error"))) << view.name;
    }
  }
}

TEST(TableCatalogText, EveryColumnIsDocumented) {
  for (const Subject subject : kSubjects) {
    std::set<std::string_view> tables;
    for (const table::TableSpec* spec : table_specs(subject)) {
      EXPECT_TRUE(tables.insert(spec->name).second) << spec->name;
      EXPECT_FALSE(spec->doc.empty()) << spec->name;
      std::set<std::string_view> columns;
      for (const table::ColumnSpec& column : spec->columns) {
        EXPECT_TRUE(columns.insert(column.name).second) << spec->name << '.' << column.name;
        EXPECT_GE(column.doc.size(), 10u) << spec->name << '.' << column.name;
        EXPECT_NE(column.doc.back(), '.') << spec->name << '.' << column.name;
        EXPECT_THAT(catalog_markdown(), HasSubstr("`" + std::string(column.name) + "`"));
      }
    }
  }
}

TEST(TableCatalogText, TheDocumentIsCurrent) {
  const char* source = std::getenv("TTSCOPE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  EXPECT_EQ(testing::file_content(std::string(source) + "/docs/tables.md"), catalog_markdown())
      << "write it anew: ttscope sql --schema --markdown > docs/tables.md";
}

}  // namespace
}  // namespace ttscope::app
