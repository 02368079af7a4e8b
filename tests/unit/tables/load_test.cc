#include "tables/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "io/whole_text.h"
#include "support/compressed.h"
#include "support/temp_folder.h"

namespace ttscope::tables {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ttscope::testing::TempFolder;

const Table& table_of(const ProfileTables& profile, const std::string& name) {
  for (const Table& table : profile.tables) {
    if (table.name == name) return table;
  }
  throw std::out_of_range(name);
}

const Values& values_of(const Table& table, const std::string& name) {
  for (const Column& column : table.columns) {
    if (column.name == name) return column.values;
  }
  throw std::out_of_range(name);
}

std::vector<std::int64_t> numbers(const Table& table, const std::string& name) {
  return std::get<std::vector<std::int64_t>>(values_of(table, name));
}

std::vector<double> reals(const Table& table, const std::string& name) {
  return std::get<std::vector<double>>(values_of(table, name));
}

std::vector<std::string> texts(const Table& table, const std::string& name) {
  const TextColumn& column = std::get<TextColumn>(values_of(table, name));
  std::vector<std::string> all;
  for (const std::int32_t code : column.codes) {
    all.push_back(code < 0 ? "" : column.texts[static_cast<std::size_t>(code)]);
  }
  return all;
}

std::size_t rows_of(const Values& values) {
  if (const auto* text = std::get_if<TextColumn>(&values)) return text->codes.size();
  if (const auto* real = std::get_if<std::vector<double>>(&values)) return real->size();
  return std::get<std::vector<std::int64_t>>(values).size();
}

void expect_rectangular(const ProfileTables& profile) {
  for (const Table& table : profile.tables) {
    for (const Column& column : table.columns) {
      EXPECT_EQ(rows_of(column.values), rows_of(table.columns.front().values))
          << table.name << ", " << column.name;
    }
  }
}

TEST(Load, ALogWithSummaries) {
  const TempFolder folder;
  const std::string path =
      folder.file("train.log",
                  "Total parameters: 12\n=== Memory Usage Summary ===\n\n--- FORWARD ---\n"
                  "  DRAM: Segment Peak 3.00 MB, Allocations 4.00 MB, Deallocations 1.50 MB, "
                  "Segment Change +2.50 MB\n"
                  "  DRAM: Cumulative Peak 3.00 MB, Cumulative Current 2.50 MB\n"
                  "\n=== Final Totals ===\n"
                  "Overall DRAM Peak: 3.00 MB, Final DRAM Usage: 2.50 MB\n");
  const auto profile = load_profile(path);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->kind, "phase_log");
  expect_rectangular(*profile);
  const Table& phases = table_of(*profile, "phases");
  EXPECT_THAT(texts(phases, "name"), ElementsAre("FORWARD"));
  EXPECT_THAT(reals(phases, "dram_segment_change_mb"), ElementsAre(2.5));
  EXPECT_TRUE(std::isnan(reals(phases, "l1_peak_cb_mb_per_core").front()));
  EXPECT_THAT(numbers(table_of(*profile, "summaries"), "parameters"), ElementsAre(12));
}

TEST(Load, AGraphCapture) {
  const TempFolder folder;
  const std::string path = folder.file("capture.json", R"([{"name": "A", "trace": [
    {"arguments":[],"connections":[1,2,3],"counter":0,"input_tensors":[],"node_type":"capture_start","params":null,
     "stacking_level":0},
    {"arguments":[],"connections":[],"counter":1,"input_tensors":[],"node_type":"buffer",
     "params":{"buffer_type":0,"device_id":1,"layout":"INTERLEAVED","size":4096,"type":"DRAM"},"stacking_level":0},
    {"arguments":[],"connections":[1],"counter":2,"input_tensors":[],"node_type":"buffer_allocate",
     "params":{"address":32,"buffer_type":0,"device_id":1,"layout":"INTERLEAVED","max_size_per_bank":2048,
               "num_cores":0,"page_size":2048,"size":4096,"type":"DRAM"},"stacking_level":0},
    {"arguments":[],"connections":[],"counter":3,"input_tensors":[],"node_type":"capture_end","params":null,
     "stacking_level":0}]}])");
  const auto profile = load_profile(path);
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->kind, "graph_capture");
  expect_rectangular(*profile);
  EXPECT_THAT(numbers(table_of(*profile, "segments"), "dram_peak_bytes"), ElementsAre(4096));
  const Table& nodes = table_of(*profile, "nodes");
  EXPECT_THAT(texts(nodes, "node_type"),
              ElementsAre("capture_start", "buffer", "buffer_allocate", "capture_end"));
  EXPECT_THAT(numbers(nodes, "address"), ElementsAre(-1, -1, 32, -1));
  EXPECT_THAT(numbers(nodes, "max_size_per_bank_bytes"), ElementsAre(-1, -1, 2048, -1));
  const Result<io::WholeText> text = io::open_whole_text(path);
  ASSERT_TRUE(text);
  const auto packed =
      load_profile(folder.file("capture.json.gz", ::ttscope::testing::gzip(std::string(text->bytes()))));
  ASSERT_TRUE(packed) << packed.error().message;
  EXPECT_EQ(packed->kind, "graph_capture");
}

TEST(Load, ARuntimeLog) {
  const char* source = std::getenv("TTSCOPE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  const auto profile = load_profile(std::string(source) + "/examples/sample.log");
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->kind, "runtime_log");
  expect_rectangular(*profile);
  const Table& ops = table_of(*profile, "ops");
  EXPECT_GT(rows_of(values_of(ops, "line")), 50u);
  EXPECT_THAT(numbers(table_of(*profile, "memory"), "dram_allocated_bytes_per_bank"),
              ::testing::Contains(::testing::Gt(0)));
  for (const std::int64_t died : numbers(table_of(*profile, "buffers"), "died_at_op")) {
    EXPECT_LE(died, static_cast<std::int64_t>(rows_of(values_of(ops, "line"))));
  }
}

TEST(Load, WhatIsNoProfileIsTold) {
  const TempFolder folder;
  const auto message = [](const std::string& path) {
    const auto profile = load_profile(path);
    return profile ? std::string("loaded") : profile.error().message;
  };
  EXPECT_THAT(message(folder.path("none")), HasSubstr("no such file"));
  EXPECT_THAT(message(folder.path()), HasSubstr("_memory.json"));
  EXPECT_THAT(message(folder.file("text", "[2026-01-01] hello\n")), HasSubstr("not a profile"));
  EXPECT_THAT(message(folder.file("empty", "")), ::testing::Ne("loaded"));
  EXPECT_THAT(message(folder.file("cut.json", "[{\"counter\": 0,")), HasSubstr("cut.json"));
}

}  // namespace
}  // namespace ttscope::tables
