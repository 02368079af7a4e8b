#include "perf/tables/tables.h"

#include <gtest/gtest.h>

#include <set>

#include "perf/load.h"
#include "support/ops_csv.h"
#include "support/perf_lines.h"
#include "support/temp_folder.h"
#include "table/write.h"

namespace ttscope::perf {
namespace {

using testing::OpsCsv;
using testing::TempFolder;

table::TableSet tables_of_text(const std::string& text) {
  TempFolder folder;
  Result<Profile> profile = load({folder.file("ops.csv", text)}, {});
  if (!profile) {
    ADD_FAILURE() << profile.error().message;
    return {};
  }
  return tables_of(std::make_shared<const Profile>(std::move(*profile)));
}

/// Cells by name.
class Rows {
 public:
  Rows(const table::TableSet& set, std::string_view name) : table_(set.find(name)) {}
  std::size_t size() const { return table_->rows(); }
  table::Cell at(std::size_t row, std::string_view column) {
    return table_->cell(row, table_->spec().find_column(column).value(), scratch_);
  }
  std::string text(std::size_t row, std::string_view column) {
    const table::Cell cell = at(row, column);
    return cell.is_null() ? "(null)" : std::string(cell.as_text());
  }

 private:
  const table::Table* table_;
  std::string scratch_;
};

TEST(PerfTables, EveryCauseOfAGapHasItsSentence) {
  const table::TableSet set = tables_of_text(OpsCsv().op("Add").text());
  Rows gaps(set, "gaps");
  ASSERT_EQ(gaps.size(), kGapCauseCount);
  std::set<std::string> sentences;
  for (std::size_t i = 0; i < kGapCauseCount; ++i) {
    EXPECT_EQ(gaps.text(i, "what"), sentence_of(static_cast<GapCause>(i)));
    sentences.insert(gaps.text(i, "what"));
  }
  EXPECT_EQ(sentences.size(), kGapCauseCount) << "no two causes read alike";
}

TEST(PerfTables, OpsAreTheRowsOfTheReportWithoutItsSignposts) {
  const table::TableSet set = tables_of_text(OpsCsv()
                                                 .op("Before", {{"DEVICE KERNEL DURATION [ns]", "5000"}})
                                                 .signpost("start")
                                                 .matmul("DEV_1_DRAM_INTERLEAVED")
                                                 .op("Add", {{"DEVICE KERNEL DURATION [ns]", ""}})
                                                 .text());
  EXPECT_EQ(set.kind, "ops_report");
  Rows ops(set, "ops");
  ASSERT_EQ(ops.size(), 3u);
  EXPECT_EQ(ops.text(0, "name"), "Before");
  EXPECT_EQ(ops.at(0, "id").as_integer(), 2);
  EXPECT_EQ(ops.at(0, "kernel_duration_ns").as_real(), 5000);
  EXPECT_EQ(ops.text(0, "signpost"), "(null)");
  EXPECT_FALSE(ops.at(0, "is_shown").as_truth());  // the window begins at the last signpost
  EXPECT_TRUE(ops.at(0, "bound").is_null());
  EXPECT_TRUE(ops.at(0, "device_us").is_null());
  EXPECT_EQ(ops.at(1, "id").as_integer(), 4);
  EXPECT_EQ(ops.text(1, "signpost"), "start");
  EXPECT_EQ(ops.text(1, "category"), "Compute");
  EXPECT_EQ(ops.text(1, "input0_shape"), "1x1x32x1024");
  EXPECT_EQ(ops.text(1, "input1_dtype"), "BFLOAT16");
  EXPECT_EQ(ops.text(1, "output0_memory"), "DEV_1_DRAM_INTERLEAVED");
  EXPECT_TRUE(ops.at(1, "is_shown").as_truth());
  EXPECT_GT(ops.at(1, "device_us").as_real(), 0);
  EXPECT_TRUE(ops.at(2, "kernel_duration_ns").is_null());
  Rows signposts(set, "signposts");
  ASSERT_EQ(signposts.size(), 1u);
  EXPECT_EQ(signposts.text(0, "name"), "start");
  Rows problems(set, "problems");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems.text(0, "problem"), "no_duration");
  EXPECT_EQ(problems.text(0, "first_places"), "row 5");
}

TEST(PerfTables, AMergedOpIsShownByOneDevice) {
  OpsCsv csv;
  for (const char* device : {"0", "1"}) {
    csv.op("Add",
           {{"DEVICE ID", device}, {"DEVICE KERNEL DURATION [ns]", device[0] == '0' ? "1000" : "3000"}});
  }
  const table::TableSet set = tables_of_text(csv.text());
  Rows ops(set, "ops");
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_FALSE(ops.at(0, "is_shown").as_truth());
  EXPECT_TRUE(ops.at(1, "is_shown").as_truth());
  EXPECT_FALSE(ops.at(0, "bound").is_null());  // the bound is that of the op, on every device
  EXPECT_TRUE(ops.at(0, "device_us").is_null());
  Rows devices(set, "devices");
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_EQ(devices.at(1, "kernel_duration_ns").as_real(), 3000);
  EXPECT_EQ(Rows(set, "shown_ops").size(), 1u);
  EXPECT_EQ(Rows(set, "skewed_ops").size(), 1u);
}

TEST(PerfTables, ACaptureHasZonesCoresAndItsProblems) {
  TempFolder folder;
  folder.file("profile_log_device.csv",
              testing::kLogHead + testing::risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000));
  folder.file("tracy_ops_data.csv", testing::kMessagesHead + testing::op_message(1024, "Op"));
  LoadOptions options;
  options.capture.zones = true;
  Result<Profile> profile = load({folder.path()}, options);
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const table::TableSet set = tables_of(std::make_shared<const Profile>(std::move(*profile)));
  EXPECT_EQ(set.kind, "device_profile");
  Rows zones(set, "zones");
  ASSERT_EQ(zones.size(), 2u);
  EXPECT_EQ(zones.text(0, "zone"), "BRISC-KERNEL");
  EXPECT_EQ(zones.at(0, "self_us").as_real(), 0.85);
  Rows cores(set, "cores");
  ASSERT_EQ(cores.size(), 1u);
  EXPECT_EQ(cores.at(0, "busy_cycles").as_integer(), 850);
  Rows problems(set, "problems");
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems.text(0, "source"), "capture");
  EXPECT_EQ(problems.text(0, "problem"), "op_without_zone");
  EXPECT_EQ(problems.text(1, "problem"), "file_missing");
  EXPECT_EQ(problems.text(1, "first_places"), "tracy_ops_times.csv: ops have no host times");
}

TEST(PerfTables, NocTracesAddUpOverTheTypesOfTheirTransfers) {
  TempFolder folder;
  const auto event = [](std::string_view type, int bytes) {
    return R"({"op_name":"Matmul","proc":"NCRISC","noc":"NOC_0","sx":1,"sy":2,"timestamp":5,"type":")" +
           std::string(type) + R"(","num_bytes":)" + std::to_string(bytes) + "}";
  };
  const std::string trace =
      folder.file("noc_trace_dev2_Matmul_ID7.json",
                  "[" + event("READ", 1024) + "," + event("READ", 512) + "," + event("WRITE_", 2048) + "]");
  Result<Profile> profile = load({trace}, {});
  ASSERT_TRUE(profile) << profile.error().message;
  const table::TableSet set = tables_of(std::make_shared<const Profile>(std::move(*profile)));
  Rows traces(set, "noc_traces");
  ASSERT_EQ(traces.size(), 1u);
  EXPECT_EQ(traces.text(0, "op"), "Matmul");
  EXPECT_EQ(traces.at(0, "call_count").as_integer(), 7);
  EXPECT_EQ(traces.at(0, "device").as_integer(), 2);
  EXPECT_EQ(traces.at(0, "bytes").as_integer(), 3584);
  EXPECT_TRUE(traces.at(0, "trace_id").is_null());
  Rows types(set, "noc_transfers");
  ASSERT_EQ(types.size(), 2u);
  EXPECT_EQ(types.text(0, "type"), "READ");
  EXPECT_EQ(types.at(0, "transfers").as_integer(), 2);
  EXPECT_EQ(types.at(0, "bytes").as_integer() + types.at(1, "bytes").as_integer(), 3584);
}

TEST(PerfTables, TheGroupsOfTheDocumentAddUpToTheTable) {
  const table::TableSet set = tables_of_text(OpsCsv().op("Add").op("Mul").matmul("DEV_1_L1").text());
  Rows shown(set, "shown_ops");
  double all = 0;
  for (std::size_t i = 0; i < shown.size(); ++i) all += shown.at(i, "device_us").as_real();
  for (const char* name : {"bounds", "categories"}) {
    Rows groups(set, name);
    double sum = 0;
    for (std::size_t i = 0; i < groups.size(); ++i) sum += groups.at(i, "device_us").as_real();
    EXPECT_DOUBLE_EQ(sum, all) << name;
  }
}

TEST(PerfTables, EveryCellHasTheTypeOfItsColumn) {
  const table::TableSet set =
      tables_of_text(OpsCsv().signpost("a").matmul("DEV_1_L1").op("Add", {{"OP TYPE", "host"}}).text());
  std::string scratch;
  for (const table::Table& table : set.tables) {
    for (std::size_t row = 0; row < table.rows(); ++row) {
      for (std::size_t column = 0; column < table.spec().columns.size(); ++column) {
        const table::Cell cell = table.cell(row, column, scratch);
        if (cell.is_null()) continue;
        const auto wanted = static_cast<int>(table.spec().columns[column].type) + 1;
        EXPECT_EQ(static_cast<int>(cell.kind()), wanted)
            << table.spec().name << "." << table.spec().columns[column].name;
      }
    }
  }
}

TEST(PerfTables, AreDeclaredOnceAndDocumented) {
  const table::TableSet set = tables_of_text(OpsCsv().op("Add").text());
  const std::vector<const table::TableSpec*> specs = table_specs();
  ASSERT_EQ(specs.size(), set.tables.size());
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(specs[i], &set.tables[i].spec());
    EXPECT_TRUE(names.insert(specs[i]->name).second) << specs[i]->name;
    std::set<std::string_view> columns;
    for (const table::ColumnSpec& column : specs[i]->columns) {
      EXPECT_TRUE(columns.insert(column.name).second) << column.name;
      EXPECT_FALSE(column.doc.empty()) << column.name;
      EXPECT_NE(column.doc.back(), '.') << column.name;
      EXPECT_EQ(column.name.ends_with("_ns"), column.unit == "ns") << column.name;
      EXPECT_EQ(column.name.ends_with("_us"), column.unit == "us") << column.name;
    }
  }
  for (const table::View& view : views()) EXPECT_TRUE(names.insert(view.name).second) << view.name;
}

}  // namespace
}  // namespace ttscope::perf
