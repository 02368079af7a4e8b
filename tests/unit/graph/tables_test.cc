// The declared tables say what the JSON document says.
#include "graph/tables/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <array>
#include <cstdlib>

#include "base/json_reader.h"
#include "base/writer.h"
#include "graph/load.h"
#include "graph/read/capture_reader.h"
#include "graph/write/outputs.h"
#include "support/graph_text.h"
#include "support/table_facts.h"

namespace ttscope::graph {
namespace {

using testing::column_sum;
using testing::column_texts;
using testing::json_sum;
using testing::json_texts;
using testing::json_values;

struct Sample {
  std::shared_ptr<const Profile> profile;
  table::TableSet tables;
  JsonTree document;
};

Sample sample_of(Profile profile) {
  Sample made;
  made.profile = std::make_shared<const Profile>(std::move(profile));
  made.tables = tables_of(made.profile);
  StringWriter out;
  write_graph_json(*made.profile, "0", out);
  EXPECT_TRUE(out.finish());
  Result<JsonTree> document = parse_json_tree(out.text(), "document");
  EXPECT_TRUE(document.has_value());
  if (document) made.document = std::move(*document);
  return made;
}

/// The example with calls, tensors, L1, circular buffers and outputs.
Sample example() {
  const char* const source = std::getenv("TTSCOPE_SOURCE_DIR");
  const std::string path = (source == nullptr ? std::string(".") : source) + "/examples/sample_graph.json";
  Result<Profile> profile = load({path, path});
  EXPECT_TRUE(profile.has_value()) << path;
  return sample_of(profile ? std::move(*profile) : Profile());
}

/// Segments of any nodes in any order.
Sample random_sample() {
  Profile profile;
  for (std::uint64_t seed = 1; seed < 40 && profile.segments.size() < 12; ++seed) {
    Result<GraphCapture> capture = parse_graph_capture(testing::random_capture(seed, 300), "random");
    if (!capture) continue;
    if (!profile_segment(capture->segments.at(0).trace, kCorrectedRules)) continue;
    EXPECT_TRUE(add_capture(profile, std::to_string(seed), std::move(*capture)));
  }
  EXPECT_GT(profile.segments.size(), 3u);
  finish_profile(profile);
  return sample_of(std::move(profile));
}

void expect_the_sums_of_the_document(const Sample& made) {
  const std::vector<std::array<std::string_view, 3>> figures = {
      {"segments", "nodes", "segments[].nodes"},
      {"segments", "dram_peak_bytes", "segments[].dram.peak"},
      {"segments", "dram_allocations_bytes", "segments[].dram.total_allocations"},
      {"segments", "dram_deallocations_bytes", "segments[].dram.total_deallocations"},
      {"segments", "l1_peak_cb_bytes_per_core", "segments[].l1.peak_cb"},
      {"segments", "l1_peak_buffer_bytes_per_core", "segments[].l1.peak_l1"},
      {"segments", "l1_peak_dataflow_buffer_bytes_per_core", "segments[].l1.peak_dataflow_buffer"},
      {"segments", "l1_peak_scratchpad_bytes_per_core", "segments[].l1.peak_scratchpad"},
      {"segments", "l1_peak_total_bytes_per_core", "segments[].l1.peak_total"},
      {"segments", "busiest_core_peak_bytes", "segments[].busiest_core.peak_total"},
      {"segments", "busiest_core_cb_bytes", "segments[].busiest_core.peak_cb"},
      {"ops", "level", "segments[].calls[].level"},
      {"ops", "start_node", "segments[].calls[].start"},
      {"ops", "end_node", "segments[].calls[].end"},
      {"ops", "duration_ns", "segments[].calls[].duration_ns"},
      {"ops", "dram_allocated_bytes", "segments[].calls[].dram_allocated"},
      {"ops", "dram_freed_bytes", "segments[].calls[].dram_freed"},
      {"ops", "dram_peak_bytes", "segments[].calls[].dram_peak"},
      {"ops", "l1_allocated_bytes_per_core", "segments[].calls[].l1_allocated_per_core"},
      {"ops", "l1_freed_bytes_per_core", "segments[].calls[].l1_freed_per_core"},
      {"ops", "l1_peak_bytes_per_core", "segments[].calls[].l1_peak_per_core"},
      {"ops", "cb_peak_bytes_per_core", "segments[].calls[].cb_peak_per_core"},
      {"live_at_peak", "size_bytes", "segments[].live_at_peak[].size"},
      {"live_at_peak", "bytes_per_bank", "segments[].live_at_peak[].per_bank"},
      {"live_at_peak", "allocated_at_node", "segments[].live_at_peak[].allocated_at"},
      {"devices", "device_id", "segments[].devices[].device_id"},
      {"devices", "dram_peak_bytes", "segments[].devices[].dram_peak"},
      {"devices", "dram_allocations_bytes", "segments[].devices[].dram_total_allocations"},
      {"devices", "dram_deallocations_bytes", "segments[].devices[].dram_total_deallocations"},
      {"devices", "l1_peak_bytes_per_core", "segments[].devices[].l1_peak_per_core"},
      {"devices", "cb_peak_bytes_per_core", "segments[].devices[].cb_peak_per_core"},
      {"described_devices", "l1_bank_size_bytes", "described_devices[].l1_bank_size_bytes"},
      {"output_tensors", "node", "segments[].output_tensors[].node"},
      {"output_tensors", "size_bytes", "segments[].output_tensors[].size"},
      {"output_tensors", "address", "segments[].output_tensors[].address"},
  };
  for (const auto& [table, column, path] : figures) {
    EXPECT_DOUBLE_EQ(column_sum(made.tables, table, column), json_sum(made.document, path))
        << table << "." << column;
  }
  EXPECT_DOUBLE_EQ(column_sum(made.tables, "peaks", "bytes"),
                   json_sum(made.document, "segments[].peaks.dram.bytes") +
                       json_sum(made.document, "segments[].peaks.l1_per_core.bytes"));
  EXPECT_EQ(made.tables.find("peaks")->rows(), 2 * made.profile->segments.size());
}

void expect_the_texts_of_the_document(const Sample& made) {
  const std::vector<std::array<std::string_view, 3>> texts = {
      {"segments", "run_mode", "segments[].run_mode"},
      {"ops", "name", "segments[].calls[].name"},
      {"live_at_peak", "name", "segments[].live_at_peak[].title"},
  };
  for (const auto& [table, column, path] : texts) {
    EXPECT_EQ(column_texts(made.tables, table, column), json_texts(made.document, path))
        << table << "." << column;
  }
  EXPECT_EQ(made.tables.find("differences")->rows(), json_values(made.document, "segments[].notes[]").size());
  EXPECT_EQ(made.tables.find("nodes")->rows(), made.profile->node_count());
}

TEST(GraphTables, SayWhatTheDocumentSays) {
  const Sample made = example();
  ASSERT_GT(made.tables.find("ops")->rows(), 0u);
  ASSERT_GT(made.tables.find("circular_buffers")->rows(), 0u);
  ASSERT_GT(made.tables.find("live_at_peak")->rows(), 0u);
  expect_the_sums_of_the_document(made);
  expect_the_texts_of_the_document(made);
}

TEST(GraphTables, SayItOfAnyNodesToo) {
  const Sample made = random_sample();
  expect_the_sums_of_the_document(made);
  expect_the_texts_of_the_document(made);
  EXPECT_EQ(testing::order_problem(made.tables), "");
}

/// What is live at a peak, with programs and less what is older, is the peak.
TEST(GraphTables, WhatIsLiveAddsUpToThePeaks) {
  const Sample made = example();
  EXPECT_GT(column_sum(made.tables, "peaks", "programs_bytes"), 0);
  EXPECT_DOUBLE_EQ(column_sum(made.tables, "live_at_peak", "bytes_of_peak") +
                       column_sum(made.tables, "peaks", "programs_bytes") -
                       column_sum(made.tables, "peaks", "older_freed_bytes"),
                   column_sum(made.tables, "peaks", "bytes"));
}

TEST(GraphTables, NumbersOfOpsAndBuffersPointIntoTheirTables) {
  const Sample made = example();
  const table::Table& buffers = *made.tables.find("buffers");
  const table::Table& live = *made.tables.find("live_at_peak");
  const auto cell = [](const table::Table& table, std::size_t row, std::string_view column) {
    static std::string scratch;
    return table.cell(row, *table.spec().find_column(column), scratch);
  };
  for (std::size_t row = 0; row < live.rows(); ++row) {
    const auto buffer = static_cast<std::size_t>(cell(live, row, "buffer").as_integer());
    EXPECT_EQ(cell(buffers, buffer, "size_bytes").as_integer(), cell(live, row, "size_bytes").as_integer());
    EXPECT_EQ(cell(buffers, buffer, "segment").as_integer(), cell(live, row, "segment").as_integer());
  }
  const table::Table& ops = *made.tables.find("ops");
  for (std::size_t row = 0; row < ops.rows(); ++row) {
    const table::Cell parent = cell(ops, row, "parent_op");
    if (parent.is_null()) continue;
    const auto above = static_cast<std::size_t>(parent.as_integer());
    EXPECT_LT(above, row);
    EXPECT_EQ(cell(ops, above, "segment").as_integer(), cell(ops, row, "segment").as_integer());
    const std::string around(cell(ops, above, "name").as_text());
    EXPECT_NE(std::string(cell(ops, row, "path").as_text()).find(around + " > "), std::string::npos);
  }
}

TEST(GraphTables, DeclarationsAreComplete) {
  EXPECT_EQ(testing::declaration_problem(table_specs()), "");
  const Sample made = example();
  EXPECT_EQ(testing::order_problem(made.tables), "");
  ASSERT_EQ(made.tables.tables.size(), table_specs().size());
  for (std::size_t i = 0; i < table_specs().size(); ++i) {
    EXPECT_EQ(&made.tables.tables[i].spec(), table_specs()[i]);
  }
}

TEST(GraphTables, AnEmptyProfileHasEmptyTables) {
  const table::TableSet set = tables_of(std::make_shared<const Profile>());
  for (const table::Table& table : set.tables) EXPECT_EQ(table.rows(), 0u) << table.spec().name;
}

/// The views are checked by SQLite over empty tables of these columns.
TEST(GraphTables, ViewsAreQueriesOverTheTables) {
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
  }
  sqlite3_close(database);
}

}  // namespace
}  // namespace ttscope::graph
