// What `ttscope graph` loads: several files, every kind of them, compressed and cut ones, errors.
#include "graph/load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "graph/write/outputs.h"
#include "support/compressed.h"
#include "support/temp_folder.h"

namespace ttscope::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::TempFolder;

/// One call that allocates a DRAM buffer of `bytes`.
std::string nodes(int bytes) {
  const std::string size = std::to_string(bytes);
  return R"([{"counter":0,"node_type":"capture_start","connections":[1,5],"params":{}},
{"counter":1,"node_type":"function_start","connections":[2],"params":{"inputs":"0","name":"ttnn::add"}},
{"counter":2,"node_type":"buffer","connections":[],"params":{"size":")" +
         size + R"(","type":"DRAM","layout":"INTERLEAVED","device_id":"1"}},
{"counter":3,"node_type":"buffer_allocate","connections":[2],"params":{"address":"64","size":")" +
         size +
         R"(","type":"DRAM","layout":"INTERLEAVED","page_size":"32","num_cores":"0","device_id":"1","max_size_per_bank":"32"}},
{"counter":4,"node_type":"function_end","connections":[5],"params":{"name":"ttnn::add"}},
{"counter":5,"node_type":"capture_end","connections":[],"params":{}}])";
}

std::string make_database(const TempFolder& folder, const std::string& rows) {
  const std::string path = folder.path("db.sqlite");
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  const std::string sql =
      "CREATE TABLE captured_graph (operation_id int, captured_graph text, rank int);"
      "CREATE TABLE operations (operation_id int, name text, duration float, rank int);" +
      rows;
  EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  return path;
}

TEST(GraphLoad, SegmentsOfSeveralFilesFollowEachOther) {
  const TempFolder folder;
  const std::string segments =
      folder.file("segments.json", R"([{"name":"FIRST","trace":)" + nodes(100) +
                                       R"(},{"name":"SECOND","trace":)" + nodes(300) + "}]");
  const std::string report =
      folder.file("report.json", R"({"graph":)" + nodes(500) + R"(,"devices":[{"device_id":3}]})");
  const Result<Profile> profile = load({segments, report});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_THAT(profile->files, ElementsAre(segments, report));
  ASSERT_EQ(profile->segments.size(), 3u);
  EXPECT_EQ(profile->segments[1].name, "SECOND");
  EXPECT_EQ(profile->segments[1].file, 0u);
  EXPECT_EQ(profile->segments[2].file, 1u);
  EXPECT_EQ(profile->segments[2].profile.dram.peak, 500);
  EXPECT_EQ(profile->captures.at(0)->format, GraphCapture::Format::kSegments);
  EXPECT_EQ(profile->captures.at(1)->devices.at(0).device_id, 3);
  EXPECT_EQ(profile->node_count(), 18u);
  EXPECT_EQ(profile->figures().at(0).dram.total_allocations, 100);
}

TEST(GraphLoad, TheSummaryNeedsNoCallsAndBuffers) {
  const TempFolder folder;
  const std::string path = folder.file("a.json", nodes(100));
  const Result<Profile> figures = load({path}, {kCorrectedRules, Depth::kFigures});
  const Result<Profile> everything = load({path});
  ASSERT_TRUE(figures && everything);
  EXPECT_EQ(figures->segments.at(0).profile.dram, everything->segments.at(0).profile.dram);
  EXPECT_THAT(figures->segments.at(0).profile.calls, IsEmpty());
  EXPECT_EQ(everything->segments.at(0).profile.calls.size(), 1u);
}

TEST(GraphLoad, CompressedCapturesGiveTheSameAndCutOnesAreErrors) {
  const TempFolder folder;
  const std::string text = nodes(12345);
  for (const std::string& packed : {testing::gzip(text), testing::zstd(text)}) {
    const Result<Profile> profile = load({folder.file("packed", packed)});
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    EXPECT_EQ(profile->segments.at(0).profile.dram.peak, 12345);
    const Result<Profile> cut = load({folder.file("cut", packed.substr(0, packed.size() / 2))});
    ASSERT_FALSE(cut.has_value());
    EXPECT_THAT(cut.error().message, HasSubstr("data end too early")) << "not only that the JSON is damaged";
  }
  const Result<Profile> cut = load({folder.file("cut.json", text.substr(0, text.size() / 2))});
  ASSERT_FALSE(cut.has_value());
  EXPECT_THAT(cut.error().message, HasSubstr("cut.json"));
}

TEST(GraphLoad, ADatabaseGivesASegmentForEachOperation) {
  const TempFolder folder;
  const Result<Profile> profile = load({make_database(folder,
                                                      "INSERT INTO operations VALUES (7, 'ttnn.add', 1.0, 0);"
                                                      "INSERT INTO captured_graph VALUES (7, '" +
                                                          nodes(640) + "', 0);")});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  ASSERT_EQ(profile->segments.size(), 1u);
  EXPECT_EQ(profile->segments[0].name, "7 ttnn.add");
  EXPECT_EQ(profile->segments[0].profile.dram.peak, 640);
}

TEST(GraphLoad, CapturesWithoutNodesAreNoError) {
  const TempFolder folder;
  for (const std::string& path : {folder.file("empty.json", "[]"), make_database(folder, "")}) {
    const Result<Profile> profile = load({path});
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    EXPECT_EQ(profile->node_count(), 0u) << path;
  }
}

TEST(GraphLoad, OtherFilesAreErrors) {
  const TempFolder folder;
  for (const std::string& path :
       {folder.file("a.csv", "a,b\n1,2\n"), folder.file("b.json", "{\"version\": 1}"),
        folder.path("none.json"), folder.file("empty", "")}) {
    const Result<Profile> profile = load({path});
    ASSERT_FALSE(profile.has_value()) << path;
    EXPECT_THAT(profile.error().message, HasSubstr(path));
  }
}

TEST(GraphLoad, RulesDecideWhatAGapIs) {
  const TempFolder folder;
  const std::string old = folder.file("old.json", R"([
{"counter":0,"node_type":"buffer","connections":[],"params":{"size":"100","type":"L1"}},
{"counter":1,"node_type":"buffer_allocate","connections":[0],"params":{"address":"64","size":"100","type":"L1"}}])");
  const Result<Profile> corrected = load({old});
  ASSERT_TRUE(corrected.has_value()) << corrected.error().message;
  EXPECT_THAT(corrected->segments.at(0).profile.differences,
              ElementsAre(Difference{DifferenceKind::kBankDerived, 1}));
  const Result<Profile> compat = load({old}, {kCompatRules});
  ASSERT_FALSE(compat.has_value());
  EXPECT_THAT(compat.error().message, HasSubstr("key 'max_size_per_bank' not found"));
}

/// A buffer_allocate as captures of 2025 have it, without its size in a bank.
std::string old_allocation(int counter, std::int64_t address, std::int64_t bytes) {
  return R"({"counter":)" + std::to_string(counter) +
         R"(,"node_type":"buffer_allocate","connections":[],"params":{"device_id":"1","address":")" +
         std::to_string(address) + R"(","size":")" + std::to_string(bytes) +
         R"(","page_size":"2048","num_cores":"0","type":"DRAM","layout":"INTERLEAVED"}})";
}

std::vector<std::int64_t> shares_of(const std::string& path) {
  const Result<Profile> profile = load({path});
  std::vector<std::int64_t> shares;
  for (const BufferLife& life : profile->segments.at(0).profile.buffers)
    shares.push_back(life.per_bank_bytes);
  return shares;
}

TEST(GraphLoad, TheWholeBufferWasCalledItsShareOfABankWhereTheFileDescribesTheDevice) {
  // Real addresses: each buffer lies where the one before ends in the 12 banks, the last one at their top.
  const std::string graph = "[" + old_allocation(0, 1920032, 2097152) + "," +
                            old_allocation(1, 2096160, 2097152) + "," + old_allocation(2, 2272288, 65536) +
                            "," + old_allocation(3, 2278432, 2097152) + "," +
                            old_allocation(4, 1073737728, 26624) + "]";
  const auto report = [&](const std::string& devices) {
    return R"({"version":1,"graph":)" + graph + R"(,"devices":[)" + devices + R"(],"metadata":{"rank":0}})";
  };
  const TempFolder folder;
  const std::string device = R"({"device_id":1,"num_dram_channels":12,"l1_num_banks":64})";
  const std::string other = R"({"device_id":2,"num_dram_channels":12})";
  const std::string unlike = R"({"device_id":3,"num_dram_channels":8})";
  const auto shares = ElementsAre(2096160 - 1920032, 2272288 - 2096160, 2278432 - 2272288, 176128,
                                  (std::int64_t{1} << 30) - 1073737728);
  EXPECT_THAT(shares_of(folder.file("one.json", report(device))), shares);
  EXPECT_THAT(shares_of(folder.file("own.json", report(unlike + "," + device))), shares);
  EXPECT_THAT(shares_of(folder.file("mesh.json", report(other))), shares);
  const auto whole = ElementsAre(2097152, 2097152, 65536, 2097152, 26624);
  EXPECT_THAT(shares_of(folder.file("unlike.json", report(other + "," + unlike))), whole);
  EXPECT_THAT(shares_of(folder.file("none.json", report(""))), whole);
}

TEST(GraphWords, EachDifferenceIsASentence) {
  EXPECT_THAT(difference_text({DifferenceKind::kOlderL1Freed, 2048}), HasSubstr("2048 bytes per core"));
  EXPECT_THAT(difference_text({DifferenceKind::kChipsApart, 8}), HasSubstr("8 chips"));
  EXPECT_THAT(difference_text({DifferenceKind::kBankDerived, 3}), HasSubstr("3 L1 events"));
}

}  // namespace
}  // namespace ttscope::graph
