#include "mem/tables/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "mem/load.h"
#include "mem/write/ttmem_files.h"
#include "support/log_text.h"
#include "support/temp_folder.h"
#include "table/table.h"
#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

using testing::deallocate_text;
using testing::dram_tensor;
using ::testing::ElementsAre;
using testing::LogText;
using testing::op_text;
using testing::TempFolder;

/// Two runs of a program, and an allocation that fails in the second.
std::string two_runs(const std::string& before = {}) {
  const std::string type = dram_tensor(40, 64);
  LogText log({.before = before});
  for (int run = 0; run < 2; ++run) {
    log.start("main").op(op_text("%0", "ttnn.ones", "", "", type), "\"layer.0\"").block("NamedFullOp", 0);
    log.op(op_text("%1", "ttnn.add", "%0, %0", type + ", " + type, type)).block("AddOp", 8192);
    log.op(deallocate_text("%0", type)).block("DeallocateOp", 16384).finish("main");
  }
  log.message("Always", "FATAL",
              "Out of Memory: Not enough space to allocate 1024000 B DRAM buffer across 12 banks, where each "
              "bank needs to store 85344 B");
  return log.text();
}

std::shared_ptr<const Profile> profile_of(const std::string& text) {
  const TempFolder folder;
  Result<Profile> loaded = load_logs({folder.file("run.log", text)}, {});
  EXPECT_TRUE(loaded.has_value()) << loaded.error().message;
  return loaded ? std::make_shared<const Profile>(std::move(*loaded)) : nullptr;
}

/// A column as whole numbers, null as -1.
std::vector<std::int64_t> numbers(const table::TableSet& set, std::string_view table,
                                  std::string_view column) {
  const table::Table& found = *set.find(table);
  const std::size_t index = found.spec().find_column(column).value();
  std::vector<std::int64_t> values;
  std::string scratch;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    const table::Cell cell = found.cell(row, index, scratch);
    values.push_back(cell.is_null() ? -1 : cell.as_integer());
  }
  return values;
}

std::vector<std::string> texts(const table::TableSet& set, std::string_view table, std::string_view column) {
  const table::Table& found = *set.find(table);
  const std::size_t index = found.spec().find_column(column).value();
  std::vector<std::string> values;
  std::string scratch;
  for (std::size_t row = 0; row < found.rows(); ++row) {
    const table::Cell cell = found.cell(row, index, scratch);
    values.emplace_back(cell.is_null() ? std::string_view("-") : cell.as_text());
  }
  return values;
}

std::int64_t sum(const std::vector<std::int64_t>& values) {
  std::int64_t total = 0;
  for (const std::int64_t value : values) total += value;
  return total;
}

/// Every total that the JSON document states must come out of the tables.
void expect_sums_of_the_profile(const std::shared_ptr<const Profile>& profile) {
  const table::TableSet set = tables_of(profile);
  const MemoryProfile& memory = profile->memory;
  std::int64_t executed = 0, counted = 0, weight_ops = 0, growth = 0, accounted = 0, at_peak = 0;
  for (const RankProfile& rank : memory.ranks) {
    executed += static_cast<std::int64_t>(rank.executed_ops);
    counted += static_cast<std::int64_t>(rank.counted_ops);
    weight_ops += static_cast<std::int64_t>(rank.weight_ops);
    for (const OpEffect& effect : rank.effects) growth += effect.own_growth[0];
    for (const PerTensorMemory& before : rank.accounted) accounted += before[0];
    at_peak +=
        rank.live_at_peak[0].accounted_bytes_per_bank - rank.live_at_peak[0].failing_result_bytes_per_bank;
  }
  EXPECT_EQ(static_cast<std::int64_t>(set.find("ops")->rows()), executed);
  EXPECT_EQ(sum(numbers(set, "ops", "counted")), counted);
  const auto is_counted = numbers(set, "ops", "counted");
  const auto is_weight = numbers(set, "ops", "weight_op");
  std::int64_t counted_weights = 0;
  for (std::size_t i = 0; i < is_counted.size(); ++i) counted_weights += is_counted[i] * is_weight[i];
  EXPECT_EQ(counted_weights, weight_ops);
  EXPECT_EQ(sum(numbers(set, "ops", "dram_growth_bytes_per_bank")), growth);
  EXPECT_EQ(sum(numbers(set, "ops", "dram_accounted_before_bytes_per_bank")), accounted);
  const auto bytes = numbers(set, "buffers", "bytes_per_bank");
  const auto live = numbers(set, "buffers", "live_at_peak");
  const auto where = texts(set, "buffers", "memory");
  std::int64_t live_bytes = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) live_bytes += where[i] == "DRAM" ? live[i] * bytes[i] : 0;
  EXPECT_EQ(live_bytes, at_peak);
  std::int64_t weights = 0;
  const auto weight_bytes = numbers(set, "arguments", "logical_bytes");
  const auto is_counted_weight = numbers(set, "arguments", "counted_weight");
  for (std::size_t i = 0; i < weight_bytes.size(); ++i) weights += is_counted_weight[i] * weight_bytes[i];
  EXPECT_EQ(weights, memory.weight_bytes);
  EXPECT_EQ(sum(numbers(set, "programs", "counted_ops")) <= counted, true);
}

TEST(MemTables, SumsOfColumnsAreTheFiguresOfTheProfile) {
  expect_sums_of_the_profile(profile_of(two_runs()));
  expect_sums_of_the_profile(profile_of(two_runs("[1,0]<stdout>: ") + two_runs("[1,1]<stdout>: ")));
}

TEST(MemTables, SumsOfTheSampleAreTheFiguresOfTheProfile) {
  const char* source = std::getenv("TTSCOPE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  for (const std::string name : {"/examples/sample.log", "/examples/sample_oom.log"}) {
    Result<Profile> loaded = load_logs({source + name}, {});
    ASSERT_TRUE(loaded.has_value()) << loaded.error().message;
    expect_sums_of_the_profile(std::make_shared<const Profile>(std::move(*loaded)));
  }
}

TEST(MemTables, OpsHaveTheirNamesPlacesAndFigures) {
  const table::TableSet set = tables_of(profile_of(two_runs()));
  EXPECT_EQ(set.kind, "runtime_log");
  EXPECT_THAT(numbers(set, "ops", "op"), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(numbers(set, "ops", "program"), ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(numbers(set, "ops", "graph"), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(numbers(set, "ops", "counted"), ElementsAre(1, 1, 0, 1, 1, 0));
  EXPECT_THAT(numbers(set, "ops", "dram_allocated_before_bytes_per_bank"),
              ElementsAre(0, bytes_of(8), bytes_of(16), 0, bytes_of(8), bytes_of(16)));
  EXPECT_EQ(texts(set, "ops", "name")[1], "ttnn.add");
  EXPECT_EQ(texts(set, "ops", "op_type")[1], "AddOp");
  EXPECT_EQ(texts(set, "ops", "program_name")[1], "main");
  EXPECT_EQ(texts(set, "ops", "loc")[0], "layer.0");
  EXPECT_EQ(texts(set, "ops", "loc")[1], "-") << "an unknown location is null";
  EXPECT_EQ(texts(set, "ops", "result_shape")[1], "40x64");
  EXPECT_EQ(texts(set, "ops", "result_dtype")[1], "bf16");
  EXPECT_EQ(texts(set, "ops", "result_shape")[2], "-") << "a deallocate has no result";
  EXPECT_EQ(numbers(set, "ops", "result_logical_bytes")[1], 40 * 64 * 2);
  EXPECT_EQ(numbers(set, "ops", "result_padded_bytes")[1], 64 * 64 * 2);
}

TEST(MemTables, ShortListsAreTheProfiles) {
  const std::shared_ptr<const Profile> profile = profile_of(two_runs());
  const table::TableSet set = tables_of(profile);
  EXPECT_THAT(texts(set, "peaks", "memory"), ElementsAre("DRAM", "L1", "L1_SMALL", "TRACE"));
  EXPECT_EQ(numbers(set, "peaks", "bytes_per_bank")[0], profile->memory.ranks[0].peaks[0].bytes_per_bank);
  EXPECT_THAT(numbers(set, "failures", "bytes_per_bank"), ElementsAre(85344));
  EXPECT_THAT(numbers(set, "failures", "message_line"), ElementsAre(profile->log.ranks[0].failures[0].line));
  EXPECT_EQ(texts(set, "findings", "cause")[0], "out_of_memory");
  EXPECT_EQ(texts(set, "verdict", "outcome")[0], "out_of_memory");
  EXPECT_EQ(texts(set, "verdict", "fit")[0], "no");
  EXPECT_EQ(numbers(set, "findings", "bytes_per_bank")[0], 85344);
  EXPECT_THAT(texts(set, "graphs", "name"), ElementsAre("main"));
  EXPECT_THAT(numbers(set, "graphs", "instances"), ElementsAre(2));
  EXPECT_THAT(numbers(set, "programs", "run"), ElementsAre(0, 1));
  EXPECT_EQ(set.find("memory")->rows(), profile->log.ranks[0].blocks.size());
  EXPECT_EQ(set.find("changes")->rows(), profile->memory.ranks[0].changes.size());
}

TEST(MemTables, ColumnsMarkedAsAscendingNeverFall) {
  for (const std::string& log : {two_runs(), two_runs("[1,0]<stdout>: ") + two_runs("[1,1]<stdout>: ")}) {
    for (const table::Table& table : tables_of(profile_of(log)).tables) {
      std::string scratch;
      for (std::size_t column = 0; column < table.spec().columns.size(); ++column) {
        if (table.spec().columns[column].order != table::Order::kAscending) continue;
        std::int64_t before = -1;
        for (std::size_t row = 0; row < table.rows(); ++row) {
          const table::Cell cell = table.cell(row, column, scratch);
          const std::int64_t value = cell.is_null() ? -1 : cell.as_integer();
          EXPECT_LE(before, value) << table.spec().name << "." << table.spec().columns[column].name;
          before = value;
        }
      }
    }
  }
}

table::Order order_of(const std::shared_ptr<const Profile>& profile, std::string_view column) {
  const table::TableSet set = tables_of(profile);
  const table::TableSpec& ops = set.find("ops")->spec();
  return ops.columns[ops.find_column(column).value()].order;
}

TEST(MemTables, OpsOfOneRankAreInOrderAndOfSeveralAreNot) {
  EXPECT_EQ(order_of(profile_of(two_runs()), "line"), table::Order::kAscending);
  EXPECT_EQ(order_of(profile_of(two_runs()), "op"), table::Order::kAscending);
  const auto ranks = profile_of(two_runs("[1,0]<stdout>: ") + two_runs("[1,1]<stdout>: "));
  EXPECT_EQ(order_of(ranks, "op"), table::Order::kNone);
  const table::TableSet set = tables_of(ranks);
  EXPECT_THAT(numbers(set, "ops", "rank"), ElementsAre(0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(numbers(set, "ops", "op"), ElementsAre(0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5));
}

TEST(MemTables, LinesThatFallAreNotMarked) {
  HandMadeLog made;
  made.add_program("main");
  made.add_op({});
  made.add_op({});
  made.rank().ops[1].line = 1;
  const auto profile =
      std::make_shared<const Profile>(Profile{std::move(made.log), std::move(made.profile), {}});
  EXPECT_EQ(order_of(profile, "line"), table::Order::kNone);
}

TEST(MemTables, AFolderOfFilesGivesTheSameTables) {
  const TempFolder folder;
  LoadOptions options;
  options.live_totals = true;
  const Result<Profile> profile = load_logs({folder.file("run.log", two_runs())}, options);
  ASSERT_TRUE(profile.has_value());
  ASSERT_TRUE(write_ttmem_files(profile->log, profile->memory, {folder.path(), "run"}).has_value());
  Result<Profile> files = load({folder.path()}, {});
  ASSERT_TRUE(files.has_value()) << files.error().message;
  const table::TableSet set = tables_of(std::make_shared<const Profile>(std::move(*files)));
  EXPECT_EQ(set.kind, "report_files");
  EXPECT_EQ(set.tables.size(), table_specs().size());
  EXPECT_EQ(set.find("ops")->rows(), 4U) << "deallocations are not recorded";
  EXPECT_EQ(set.find("buffers")->rows(), 0U);
}

TEST(MemTables, AnEmptyProfileHasEmptyTables) {
  const table::TableSet set = tables_of(std::make_shared<const Profile>());
  for (const table::Table& table : set.tables) EXPECT_EQ(table.rows(), 0U) << table.spec().name;
}

TEST(MemTables, DeclarationsAreWhole) {
  std::set<std::string_view> tables;
  for (const table::TableSpec* spec : table_specs()) {
    EXPECT_TRUE(tables.insert(spec->name).second) << spec->name;
    EXPECT_FALSE(spec->doc.empty()) << spec->name;
    std::set<std::string_view> columns;
    for (const table::ColumnSpec& column : spec->columns) {
      EXPECT_TRUE(columns.insert(column.name).second) << spec->name << "." << column.name;
      EXPECT_FALSE(column.doc.empty() || column.doc.ends_with('.')) << spec->name << "." << column.name;
      EXPECT_EQ(column.unit == "bytes", column.name.find("bytes") != std::string_view::npos) << column.name;
      EXPECT_NE(column.name, "profile");
    }
  }
  EXPECT_TRUE(tables.count("ops") == 1 && tables.count("memory") == 1 && tables.count("buffers") == 1 &&
              tables.count("programs") == 1);
  for (const table::View& view : views()) {
    EXPECT_TRUE(tables.insert(view.name).second) << view.name;
    EXPECT_TRUE(view.sql.starts_with("select ")) << view.name;
  }
}

TEST(MemTables, AFailureOfTheHostWasOneOfDram) {
  LogText log;
  log.message("Always", "FATAL",
              "DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes");
  const auto profile = profile_of(two_runs() + log.text());
  const table::TableSet tables = tables_of(profile);
  const table::Table& failures = *tables.find("failures");
  ASSERT_EQ(failures.rows(), 2u);
  std::string scratch;
  const std::size_t memory = failures.spec().find_column("memory").value();
  EXPECT_EQ(failures.cell(0, memory, scratch).as_text(), "DRAM");
  EXPECT_TRUE(failures.cell(1, memory, scratch).is_null());
}

}  // namespace
}  // namespace ttscope::mem
