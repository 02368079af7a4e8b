#include "serve/folder_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace ttscope::serve {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr std::string_view kMemoryFile = R"({"metadata": {"memory_config": {"DRAM": {"num_banks": 12,
  "total_bytes_per_bank_MB": 2.0}}, "total_operations": 2}, "operations": [
  {"op_type": "A\"B", "memory": {"DRAM": {"totalBytesAllocatedPerBank_MB": 0.5}, "L1": {"totalBytesAllocatedPerBank_MB": 0.25}}},
  {"op_type": null, "memory": {"DRAM": {"totalBytesAllocatedPerBank_MB": 1.5}}, "is_weight_op": true}]})";

class FolderScanTest : public ::testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) {
    const fs::path path = fs::path(root()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string root() const { return (fs::path(folder_.path()) / "served").string(); }
  std::string outside() const { return (fs::path(folder_.path()) / "outside").string(); }
  void SetUp() override {
    fs::create_directories(root());
    fs::create_directories(outside());
  }
  FolderScan scanner(std::string only = {}, IsProfile is_profile = {}) {
    std::vector<ServedPlace> places;
    places.push_back({root(), std::move(*SafeFolder::open(root())), std::move(only)});
    return FolderScan(std::move(places), std::move(is_profile));
  }
  std::vector<std::string> ids() {
    std::vector<std::string> found;
    for (const Report& report : scanner().scan(true).reports) found.push_back(report.id);
    std::sort(found.begin(), found.end());
    return found;
  }

  ttscope::testing::TempFolder folder_;
};

TEST_F(FolderScanTest, AReportFolderIsAReport) {
  write("bert/bert_memory.json", kMemoryFile);
  write("bert/bert_report.md", "x");
  write("bert/notes.txt", "not of a report");
  write("empty/notes.txt", "x");
  const ScanResult found = scanner().scan(true);
  ASSERT_THAT(found.reports, SizeIs(1));
  const Report& report = found.reports[0];
  EXPECT_EQ(report.id, "bert");
  EXPECT_EQ(report.page, "");
  EXPECT_THAT(report.files, SizeIs(2));
  EXPECT_EQ(report.size_bytes, kMemoryFile.size() + 1);
  EXPECT_TRUE(report.summary.known);
  EXPECT_EQ(report.summary.ops, 2);
  EXPECT_EQ(report.summary.dram.peak_bytes_per_bank, 3 << 19);
  EXPECT_EQ(report.summary.dram.capacity_bytes_per_bank, 2 << 20);
  EXPECT_EQ(report.summary.dram.banks, 12);
  EXPECT_EQ(report.summary.l1.peak_bytes_per_bank, 1 << 18);
  EXPECT_THAT(report.summary.curve, ElementsAre(1 << 19, 3 << 19));
}

TEST_F(FolderScanTest, TheServedFolderItselfMayHoldReports) {
  write("a_report.html", "<html>");
  write("b_memory.json", "[]");
  write("page.html", "some other page");
  EXPECT_THAT(ids(), ElementsAre("a", "b"));
}

TEST_F(FolderScanTest, OnePageAlone) {
  write("a_report.html", "<html>");
  write("b_report.html", "<html>");
  write("sub/c_report.html", "<html>");
  write("x.log", "x");
  FolderScan scan = scanner("b_report.html");
  const ScanResult found = scan.scan(true);
  ASSERT_THAT(found.reports, SizeIs(1));
  EXPECT_EQ(found.reports[0].id, "b");
  EXPECT_THAT(found.logs, IsEmpty());
}

TEST_F(FolderScanTest, IdsAreSafeAndUnique) {
  write("two words/a_memory.json", "[]");
  write("caf\xC3\xA9/a_memory.json", "[]");
  write("pair/a_memory.json", "[]");
  write("pair/b_memory.json", "[]");
  const std::vector<std::string> found = ids();
  ASSERT_THAT(found, SizeIs(4));
  for (const std::string& id : found) {
    EXPECT_EQ(id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-._~"), std::string::npos) << id;
  }
}

TEST_F(FolderScanTest, LinksArePassedOver) {
  std::ofstream(outside() + "/secret_memory.json") << "[]";
  write("in/own_memory.json", "[]");
  fs::create_directory_symlink(outside(), root() + "/linked");
  fs::create_symlink(outside() + "/secret_memory.json", root() + "/in/secret_memory.json");
  fs::create_hard_link(outside() + "/secret_memory.json", root() + "/in/hard_memory.json");
  EXPECT_THAT(ids(), ElementsAre("in~hard", "in~own"));
}

TEST_F(FolderScanTest, PipesAndHiddenFilesArePassedOver) {
  write("in/own_memory.json", "[]");
  ASSERT_EQ(mkfifo((root() + "/in/pipe_memory.json").c_str(), 0600), 0);
  write(".hidden/x_memory.json", "[]");
  EXPECT_THAT(ids(), ElementsAre("in"));
}

TEST_F(FolderScanTest, BrokenFilesAreListedWithoutFigures) {
  write("cut/cut_memory.json", std::string(kMemoryFile.substr(0, 200)));
  write("deep/deep_memory.json", std::string(100000, '['));
  write("odd/odd_memory.json", "}]\x00\xFF{");
  for (const Report& report : scanner().scan(true).reports) EXPECT_FALSE(report.summary.known) << report.id;
  EXPECT_THAT(ids(), SizeIs(3));
}

TEST_F(FolderScanTest, ChangesAreSeen) {
  write("a/a_memory.json", "[]");
  FolderScan scan = scanner();
  EXPECT_THAT(scan.scan(true).reports, SizeIs(1));
  write("b/b_memory.json", "[]");
  EXPECT_THAT(scan.scan(false).reports, SizeIs(2));
  write("a/a_report.md", "12345");
  EXPECT_THAT(scan.scan(false).reports, SizeIs(2));
  fs::remove_all(root() + "/a");
  EXPECT_THAT(scan.scan(false).reports, SizeIs(1));
}

TEST_F(FolderScanTest, ALogHasAReportWhenTheReportSaysSo) {
  write("run.log", "x");
  write("other_profile.log.gz", "x");
  write("note.txt", "x");
  FolderScan scan = scanner();
  ScanResult found = scan.scan(true);
  ASSERT_THAT(found.logs, SizeIs(2));
  EXPECT_FALSE(found.logs[0].has_report);
  EXPECT_FALSE(found.logs[1].has_report);
  write("run/run_memory.json", "[]");
  write("run/source.json", "{\"schema\": \"ttscope.report-source/1\", \"log\": \"" +
                               fs::canonical(root()).string() + "/run.log\"}");
  write("other_memory.json", "[]");
  found = scan.scan(true);
  ASSERT_THAT(found.logs, SizeIs(2));
  EXPECT_TRUE(found.logs[0].has_report) << found.logs[0].name;
  EXPECT_TRUE(found.logs[1].has_report) << found.logs[1].name;
}

TEST_F(FolderScanTest, OtherProfilesAreToldByTheirContentOnce) {
  write("capture.json", "capture");
  write("note.txt", "note");
  write("run_memory.json", kMemoryFile);
  std::vector<std::string> asked;
  FolderScan scan = scanner({}, [&](const std::string& path) {
    asked.push_back(std::string{std::istreambuf_iterator<char>(std::ifstream(path).rdbuf()), {}});
    return asked.back() == "capture";
  });
  for (int look = 0; look < 2; ++look) {
    const ScanResult found = scan.scan(true);
    ASSERT_THAT(found.logs, SizeIs(1));
    EXPECT_EQ(found.logs[0].name, "capture.json");
  }
  EXPECT_THAT(asked, UnorderedElementsAre("capture", "note"));
  write("note.txt", "longer");
  scan.scan(false);
  EXPECT_THAT(asked, SizeIs(3));
  EXPECT_EQ(asked.back(), "longer");
}

TEST_F(FolderScanTest, CapturedLogsWithoutAReportAreFound) {
  write("llama_20260122_143957/llama_profile.log", "x");
  write("bert_20260122_143957/bert_profile.log", "x");
  write("bert_20260122_143957/bert_memory.json", kMemoryFile);
  write("other/notes.log", "x");
  FolderScan scan = scanner();
  ScanResult found = scan.scan(true);
  ASSERT_THAT(found.logs, SizeIs(1));
  EXPECT_EQ(found.logs[0].path(), "llama_20260122_143957/llama_profile.log");
  EXPECT_FALSE(found.logs[0].has_report);
  write("llama_20260122_143957/llama_profile.log", "longer");  // the folder is as it was
  found = scan.scan(false);
  ASSERT_THAT(found.logs, SizeIs(1));
  EXPECT_EQ(found.logs[0].size_bytes, 6u);
  write("llama_20260122_143957/llama_memory.json", kMemoryFile);
  EXPECT_THAT(scan.scan(true).logs, IsEmpty());
}

TEST_F(FolderScanTest, OpeningFollowsNoLinkAndNoPath) {
  std::ofstream(outside() + "/secret") << "s";
  write("own", "o");
  fs::create_symlink(outside() + "/secret", root() + "/link");
  fs::create_directory_symlink(outside(), root() + "/folder");
  const SafeFolder folder = std::move(*SafeFolder::open(root()));
  EXPECT_TRUE(folder.file("own").is_open());
  for (const char* name :
       {"link", "../outside/secret", "folder/secret", "..", ".", "", "/etc/passwd", "missing"}) {
    EXPECT_FALSE(folder.file(name).is_open()) << name;
    EXPECT_FALSE(folder.folder(name).is_open()) << name;
  }
  EXPECT_FALSE(folder.folder("folder").is_open());
}

}  // namespace
}  // namespace ttscope::serve
