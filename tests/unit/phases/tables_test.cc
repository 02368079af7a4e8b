// The declared tables say what the JSON document says.
#include "phases/tables/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <array>

#include "base/json_reader.h"
#include "base/writer.h"
#include "phases/write/outputs.h"
#include "support/phase_text.h"
#include "support/table_facts.h"

namespace ttscope::phases {
namespace {

using testing::column_sum;
using testing::column_texts;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::json_sum;
using testing::json_texts;
using ::testing::Not;
using testing::usual_summary;

/// Two runs that fit or not, one that is cut, and a damaged line.
struct Sample {
  std::shared_ptr<const Profile> profile;
  table::TableSet tables;
  JsonTree document;
};

Sample sample() {
  const std::string head = "Total parameters: 503316480\nAvailable Device Memory: 12288 MB\n";
  std::string cut = usual_summary(4000);
  cut.resize(cut.find("Overall DRAM Peak"));
  const std::string text = head + usual_summary(9000) + "  DRAM: Segment Peak 1.00 MB\n" + head +
                           usual_summary(3000) + "[Rank 3] nothing\n" + cut;
  Sample made;
  made.profile = std::make_shared<const Profile>(profile_of(testing::read_phases(text)));
  made.tables = tables_of(made.profile);
  StringWriter out;
  write_phases_json(*made.profile, out, {});
  EXPECT_TRUE(out.finish());
  made.document = *parse_json_tree(out.text(), "document");
  return made;
}

TEST(PhasesTables, SumsAreThoseOfTheDocument) {
  const Sample made = sample();
  ASSERT_EQ(made.profile->log.summaries.size(), 3u);
  const std::vector<std::array<std::string_view, 3>> figures = {
      {"configurations", "peak_bytes", "configurations[].peak.bytes"},
      {"configurations", "final_bytes", "configurations[].final_bytes"},
      {"configurations", "device_bytes", "configurations[].device.bytes"},
      {"configurations", "share_of_device", "configurations[].peak.share_of_device"},
      {"configurations", "left_bytes", "configurations[].peak.left_bytes"},
      {"configurations", "parameters", "configurations[].parameters"},
      {"configurations", "model_actual_bytes", "configurations[].sizes.model.actual_bytes"},
      {"configurations", "optimizer_expected_bytes", "configurations[].sizes.optimizer.expected_bytes"},
      {"configurations", "gradients_actual_bytes", "configurations[].sizes.gradients.actual_bytes"},
      {"configurations", "activations_bytes", "configurations[].sizes.activations_bytes"},
      {"phases", "line", "configurations[].phases[].line"},
      {"phases", "start_bytes", "configurations[].phases[].start_bytes"},
      {"phases", "segment_peak_bytes", "configurations[].phases[].segment_peak_bytes"},
      {"phases", "reached_bytes", "configurations[].phases[].reached_bytes"},
      {"phases", "allocations_bytes", "configurations[].phases[].allocations_bytes"},
      {"phases", "deallocations_bytes", "configurations[].phases[].deallocations_bytes"},
      {"phases", "change_bytes", "configurations[].phases[].change_bytes"},
      {"phases", "cumulative_peak_bytes", "configurations[].phases[].cumulative_peak_bytes"},
      {"phases", "current_bytes", "configurations[].phases[].current_bytes"},
      {"phases", "l1_peak_total_mb_per_core", "configurations[].phases[].l1.peak_total_mb"},
      {"components", "bytes", "configurations[].components[].bytes"},
      {"components", "measured_bytes", "configurations[].components[].measured_bytes"},
      {"steps", "activations_bytes", "configurations[].steps[].activations_bytes"},
      {"steps", "net_bytes", "configurations[].steps[].net_bytes"},
      {"steps", "peak_bytes", "configurations[].steps[].peak_bytes"},
      {"advice", "bytes", "configurations[].advice[].bytes"},
      {"advice", "peak_after_bytes", "configurations[].advice[].peak_after_bytes"},
      {"problems", "count", "trust.problems[].count"},
  };
  for (const auto& [table, column, path] : figures) {
    EXPECT_DOUBLE_EQ(column_sum(made.tables, table, column), json_sum(made.document, path))
        << table << "." << column;
  }
  EXPECT_GT(column_sum(made.tables, "problems", "count"), 0);
  EXPECT_GT(column_sum(made.tables, "steps", "net_bytes"), 0);
}

TEST(PhasesTables, TextsAreThoseOfTheDocument) {
  const Sample made = sample();
  const std::vector<std::array<std::string_view, 3>> texts = {
      {"configurations", "name", "configurations[].name"},
      {"configurations", "severity", "configurations[].severity"},
      {"phases", "name", "configurations[].phases[].name"},
      {"phases", "role", "configurations[].phases[].role"},
      {"components", "kind", "configurations[].components[].kind"},
      {"components", "confidence", "configurations[].components[].confidence"},
      {"advice", "kind", "configurations[].advice[].kind"},
      {"advice", "confidence", "configurations[].advice[].confidence"},
      {"problems", "problem", "trust.problems[].problem"},
  };
  for (const auto& [table, column, path] : texts) {
    EXPECT_EQ(column_texts(made.tables, table, column), json_texts(made.document, path))
        << table << "." << column;
    EXPECT_THAT(column_texts(made.tables, table, column), Not(IsEmpty())) << table << "." << column;
  }
  EXPECT_EQ(made.tables.find("notes")->rows(),
            testing::json_values(made.document, "configurations[].notes[]").size());
}

TEST(PhasesTables, PartsAddUpToThePeaks) {
  const Sample made = sample();
  EXPECT_EQ(column_sum(made.tables, "components", "bytes"),
            column_sum(made.tables, "configurations", "peak_bytes"));
  EXPECT_EQ(column_sum(made.tables, "phases", "makes_peak"), 3);
}

TEST(PhasesTables, SummariesAreAsPrinted) {
  const Sample made = sample();
  const table::Table& summaries = *made.tables.find("summaries");
  EXPECT_EQ(summaries.rows(), 3u);
  double printed = 0;
  for (const PhaseSummary& summary : made.profile->log.summaries)
    printed += summary.overall_peak_mb.value_or(0);
  EXPECT_DOUBLE_EQ(column_sum(made.tables, "summaries", "overall_peak_mb"), printed);
  EXPECT_EQ(column_sum(made.tables, "summaries", "is_cut"), 1);
  std::string scratch;
  EXPECT_TRUE(summaries.cell(2, *summaries.spec().find_column("overall_peak_mb"), scratch).is_null());
  EXPECT_THAT(column_texts(made.tables, "summaries", "heading"), ElementsAre("-", "-", "-"));
}

TEST(PhasesTables, DeclarationsAreComplete) {
  EXPECT_EQ(testing::declaration_problem(table_specs()), "");
  const Sample made = sample();
  EXPECT_EQ(testing::order_problem(made.tables), "");
  ASSERT_EQ(made.tables.tables.size(), table_specs().size());
  for (std::size_t i = 0; i < table_specs().size(); ++i) {
    EXPECT_EQ(&made.tables.tables[i].spec(), table_specs()[i]);
  }
  EXPECT_EQ(made.tables.kind, "phase_log");
}

/// The views are checked by SQLite over empty tables of these columns.
TEST(PhasesTables, ViewsAreQueriesOverTheTables) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(":memory:", &database), SQLITE_OK);
  for (const table::TableSpec* spec : table_specs()) {
    std::string sql = "create table " + std::string(spec->name) + " (profile";
    for (const table::ColumnSpec& column : spec->columns) sql += ", " + std::string(column.name);
    ASSERT_EQ(sqlite3_exec(database, (sql + ")").c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
  }
  for (const table::View& view : views()) {
    EXPECT_EQ(sqlite3_exec(database, std::string(view.sql).c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << view.name << ": " << sqlite3_errmsg(database);
    EXPECT_FALSE(view.doc.empty());
  }
  sqlite3_close(database);
}

}  // namespace
}  // namespace ttscope::phases
