#include "app/open.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "io/open_input.h"
#include "support/compressed.h"
#include "support/ops_csv.h"
#include "support/temp_folder.h"
#include "table/table.h"

namespace ttscope::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::TempFolder;

table::ColumnValues values_of(const Profile& profile, const std::string& name, const std::string& column) {
  const table::TableSet set = profile.tables();
  const table::Table* table = set.find(name);
  if (table == nullptr) throw std::out_of_range(name);
  return table::column_values(*table, table->spec().find_column(column).value());
}

/// With -1 for null, as in Python.
std::vector<std::int64_t> numbers(const Profile& profile, const std::string& name,
                                  const std::string& column) {
  const table::ColumnValues values = values_of(profile, name, column);
  std::vector<std::int64_t> all = std::get<std::vector<std::int64_t>>(values.values);
  for (std::size_t row = 0; row < values.nulls.size(); ++row) {
    if (values.nulls[row] != 0) all[row] = -1;
  }
  return all;
}

std::vector<double> reals(const Profile& profile, const std::string& name, const std::string& column) {
  return std::get<std::vector<double>>(values_of(profile, name, column).values);
}

std::vector<std::string> texts(const Profile& profile, const std::string& name, const std::string& column) {
  const table::ColumnValues values = values_of(profile, name, column);
  const auto& coded = std::get<table::TextCodes>(values.values);
  std::vector<std::string> all;
  for (const std::int32_t code : coded.codes) {
    all.push_back(code < 0 ? "" : coded.texts[static_cast<std::size_t>(code)]);
  }
  return all;
}

constexpr const char* kSummaries =
    "Total parameters: 12\n=== Memory Usage Summary ===\n\n--- FORWARD ---\n"
    "  DRAM: Segment Peak 3.00 MB, Allocations 4.00 MB, Deallocations 1.50 MB, "
    "Segment Change +2.50 MB\n"
    "  DRAM: Cumulative Peak 3.00 MB, Cumulative Current 2.50 MB\n"
    "\n=== Final Totals ===\n"
    "Overall DRAM Peak: 3.00 MB, Final DRAM Usage: 2.50 MB\n";

constexpr const char* kCapture = R"([{"name": "A", "trace": [
    {"arguments":[],"connections":[1,2,3],"counter":0,"input_tensors":[],"node_type":"capture_start","params":null,
     "stacking_level":0},
    {"arguments":[],"connections":[],"counter":1,"input_tensors":[],"node_type":"buffer",
     "params":{"buffer_type":0,"device_id":1,"layout":"INTERLEAVED","size":4096,"type":"DRAM"},"stacking_level":0},
    {"arguments":[],"connections":[1],"counter":2,"input_tensors":[],"node_type":"buffer_allocate",
     "params":{"address":32,"buffer_type":0,"device_id":1,"layout":"INTERLEAVED","max_size_per_bank":2048,
               "num_cores":0,"page_size":2048,"size":4096,"type":"DRAM"},"stacking_level":0},
    {"arguments":[],"connections":[],"counter":3,"input_tensors":[],"node_type":"capture_end","params":null,
     "stacking_level":0}]}])";

TEST(Open, ALogWithSummaries) {
  const TempFolder folder;
  const auto profile = open({folder.file("train.log", kSummaries)});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->subject(), Subject::kPhases);
  EXPECT_EQ(profile->tables().kind, "phase_log");
  EXPECT_EQ(profile->name, "train.log");
  EXPECT_THAT(texts(*profile, "phases", "name"), ElementsAre("FORWARD"));
  EXPECT_THAT(reals(*profile, "phases", "dram_segment_change_mb"), ElementsAre(2.5));
  EXPECT_TRUE(std::isnan(reals(*profile, "phases", "l1_peak_cb_mb_per_core").front()));
  EXPECT_THAT(numbers(*profile, "summaries", "parameters"), ElementsAre(12));
}

TEST(Open, ALogWithOpLinesAndLaterSummariesIsATrainingLog) {
  const TempFolder folder;
  const std::string op = "2026-01-01 | DEBUG | Executing operation: %0 = \"ttnn.add\"()\n";
  std::string filler;
  while (filler.size() < std::size_t{70} << 20) filler += std::string(1000, '.') + "\n";
  for (const std::string& between : {std::string(), filler}) {  // also further away than is looked in advance
    const auto profile = open({folder.file("mixed.log", op + between + kSummaries)});
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->subject(), Subject::kPhases);
    EXPECT_THAT(texts(*profile, "phases", "name"), ElementsAre("FORWARD"));
  }
  const auto without = open({folder.file("ops.log", op)});
  ASSERT_TRUE(without) << without.error().message;
  EXPECT_EQ(without->subject(), Subject::kMem);
}

TEST(Open, AnOpsReportWithAHeaderAloneHoldsNothing) {
  const TempFolder folder;
  const auto profile =
      open({folder.file("ops.csv", "OP CODE,OP TYPE,GLOBAL CALL COUNT,DEVICE FW DURATION [ns]\n")});
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::kNothingFound);
}

TEST(Open, ZonesOfTheHostAloneAreToldWithTheCommandThatShowsThem) {
  const TempFolder folder;
  const std::string path = folder.file(
      "tracy_ops_times.csv",
      "name,src_file,src_line,zone_name,zone_text,ns_since_start,exec_time_ns,thread,special_parent_text\n"
      "TT_DNN_DEVICE_OP,a.cpp,1,,\"id:1024\",100,50,1,\n");
  const auto profile = open({path});
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::kNothingFound);
  EXPECT_THAT(profile.error().message, HasSubstr("`ttscope timeline " + path + "` shows what its host did"));
}

TEST(Open, AGraphCapturePlainAndPacked) {
  const TempFolder folder;
  for (const std::string& path :
       {folder.file("capture.json", kCapture), folder.file("capture.json.gz", testing::gzip(kCapture))}) {
    const auto profile = open({path});
    ASSERT_TRUE(profile) << profile.error().message;
    EXPECT_EQ(profile->subject(), Subject::kGraph);
    EXPECT_EQ(profile->tables().kind, "graph_capture");
    EXPECT_THAT(numbers(*profile, "segments", "dram_peak_bytes"), ElementsAre(4096));
    EXPECT_THAT(texts(*profile, "nodes", "node_type"),
                ElementsAre("capture_start", "buffer", "buffer_allocate", "capture_end"));
    EXPECT_THAT(numbers(*profile, "nodes", "address"), ElementsAre(-1, -1, 32, -1));
    EXPECT_THAT(numbers(*profile, "nodes", "max_size_per_bank_bytes"), ElementsAre(-1, -1, 2048, -1));
  }
}

TEST(Open, AnOpsReport) {
  const TempFolder folder;
  const std::string csv = testing::OpsCsv().op("Add").op("Softmax").text();
  const auto profile = open({folder.file("ops.csv", csv)});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->subject(), Subject::kPerf);
  EXPECT_EQ(profile->tables().find("ops")->rows(), 2u);
}

TEST(Open, ARuntimeLog) {
  const char* source = std::getenv("TTSCOPE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  const auto profile = open({std::string(source) + "/examples/sample.log"});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->tables().kind, "runtime_log");
  const std::size_t ops = profile->tables().find("ops")->rows();
  EXPECT_GT(ops, 50u);
  EXPECT_THAT(numbers(*profile, "memory", "dram_allocated_bytes_per_bank"),
              ::testing::Contains(::testing::Gt(0)));
  for (const std::int64_t died : numbers(*profile, "buffers", "died_at_op")) {
    EXPECT_LE(died, static_cast<std::int64_t>(ops));
  }
}

TEST(Open, WhatIsNoProfileIsTold) {
  const TempFolder folder;
  const auto message = [](const std::string& path) {
    const auto profile = open({path});
    return profile ? std::string("opened") : profile.error().message;
  };
  EXPECT_THAT(message(folder.path("none")), HasSubstr("No such file"));
  EXPECT_THAT(message(folder.path()), HasSubstr("_memory.json"));
  EXPECT_THAT(message(folder.file("text", "[2026-01-01] hello\n")), HasSubstr("not a profile"));
  EXPECT_THAT(message(folder.file("empty", "")), HasSubstr("an empty file"));
  EXPECT_THAT(message(folder.file("cut.json", "[{\"counter\": 0, \"node_type\":")), HasSubstr("cut.json"));
  EXPECT_THAT(message(folder.file("a.html", "<!doctype html>ttscope")), HasSubstr("open it in a browser"));
}

TEST(Open, APartOfAReportIsToldAsThat) {
  const TempFolder folder;
  const auto profile = open({folder.file("ops.json", R"([{"result": "%0", "mlir_op": "ttnn.add"}])")});
  ASSERT_FALSE(profile);
  EXPECT_EQ(profile.error().code, ErrorCode::kBadInput);
  EXPECT_THAT(profile.error().message, HasSubstr("reads the folder of the report that it is part of"));
}

TEST(Open, ANocTraceOfAnyName) {
  const TempFolder folder;
  const auto profile = open({folder.file("workload.json", R"([
      {"proc": "BRISC", "zone": "BRISC-KERNEL", "zone_phase": "begin", "sx": 1, "sy": 1, "timestamp": 4},
      {"proc": "BRISC", "noc": "NOC_0", "vc": 1, "sx": 1, "sy": 1, "dx": 2, "dy": 1, "num_bytes": 64,
       "type": "WRITE_", "timestamp": 6}])")});
  ASSERT_TRUE(profile) << profile.error().message;
  EXPECT_EQ(profile->subject(), Subject::kPerf);
}

TEST(Open, FilesOfTwoSubjectsAreNotOneProfile) {
  const TempFolder folder;
  const auto profile = open({folder.file("a.log", kSummaries), folder.file("b.json", kCapture)});
  ASSERT_FALSE(profile);
  EXPECT_THAT(profile.error().message, HasSubstr("a training log with memory summaries (`ttscope phases`)"));
  EXPECT_THAT(profile.error().message, HasSubstr("a graph capture of ttnn (`ttscope graph`)"));
}

TEST(Open, EachGetsANameOfItsOwn) {
  const TempFolder folder;
  const std::string log = folder.file("a.log", kSummaries);
  const auto profiles = open_each({log, folder.file("b.json", kCapture)});
  ASSERT_TRUE(profiles) << profiles.error().message;
  EXPECT_EQ(profiles->at(0).name, "a.log");
  EXPECT_EQ(profiles->at(1).name, "b.json");
  EXPECT_THAT(profile_names({"x/run.log", "y/run.log", "z/other.log"}),
              ElementsAre("x/run.log", "y/run.log", "other.log"));
  EXPECT_THAT(profile_names({"generated/profiler/", "-", "."}), ElementsAre("profiler", "-", "."));
}

}  // namespace
}  // namespace ttscope::app
