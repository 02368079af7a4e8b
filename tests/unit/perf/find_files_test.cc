#include "perf/formats.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "perf/load.h"
#include "perf/write_files.h"
#include "support/compressed.h"
#include "support/ops_csv.h"
#include "support/perf_lines.h"
#include "support/temp_folder.h"

namespace ttscope::perf {
namespace {

namespace fs = std::filesystem;
using testing::TempFolder;

const std::string kLog = testing::kLogHead + testing::risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000);

void make_folder(const TempFolder& folder, const std::string& name) {
  fs::create_directories(folder.path(name));
}

TEST(FindFiles, AFolderIsACaptureOfItsLogs) {
  TempFolder folder;
  make_folder(folder, ".logs");
  folder.file(".logs/profile_log_device.csv", kLog);
  folder.file(".logs/tracy_ops_data.csv", testing::kMessagesHead);
  folder.file("profile_log_device.csv", "of an older run");
  const Result<FoundFiles> found = find_files({folder.path()});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->captures.size(), 1u);
  EXPECT_EQ(found->captures[0].device_log, folder.path(".logs/profile_log_device.csv"));
  EXPECT_EQ(found->captures[0].host_messages, folder.path(".logs/tracy_ops_data.csv"));
  EXPECT_EQ(found->captures[0].host_times, "");
  EXPECT_EQ(found->all().size(), 2u);
}

TEST(FindFiles, APlainFileCountsBeforeItsCompressedOne) {
  TempFolder folder;
  folder.file("profile_log_device.csv.gz", "packed");
  folder.file("profile_log_device.csv", kLog);
  folder.file("noc_trace_dev0_Op_ID1.json", "[]");
  folder.file("noc_trace_dev0_Op_ID1.json.gz", "packed");
  const Result<FoundFiles> found = find_files({folder.path()});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->captures[0].device_log, folder.path("profile_log_device.csv"));
  EXPECT_EQ(found->captures[0].noc_traces, std::vector{folder.path("noc_trace_dev0_Op_ID1.json")});
}

TEST(FindFiles, RenamedFilesAreKnownByWhatTheySay) {
  TempFolder folder;
  const std::string log = folder.file("a.txt", kLog);
  const std::string times = folder.file("b.txt", testing::kTimesHead);
  const std::string messages = folder.file("c.txt", testing::kMessagesHead);
  const Result<FoundFiles> found = find_files({log, times, messages});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->captures.size(), 1u);
  EXPECT_EQ(found->captures[0].name, log);
  EXPECT_EQ(found->captures[0].device_log, log);
  EXPECT_EQ(found->captures[0].host_times, times);
  EXPECT_EQ(found->captures[0].host_messages, messages);
  const std::string trace = R"([{"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1, "timestamp": 4}])";
  const Result<FoundFiles> traced = find_files({folder.file("workload.json", trace)});
  ASSERT_TRUE(traced.has_value()) << traced.error().message;
  EXPECT_EQ(traced->captures[0].noc_traces, std::vector{folder.path("workload.json")});
}

TEST(FindFiles, NocTracesOfAFolderAreTakenUnderAnyName) {
  TempFolder folder;
  const std::string trace = R"([{"proc": "BRISC", "noc": "NOC_0", "sx": 1, "sy": 1, "timestamp": 4}])";
  folder.file("reshard.json", trace);
  folder.file("dram.json", trace);
  folder.file("topology.json", R"({"devices": []})");
  const Result<FoundFiles> found = find_files({folder.path()});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->captures.size(), 1u);
  EXPECT_EQ(found->captures[0].noc_traces,
            (std::vector{folder.path("dram.json"), folder.path("reshard.json")}));
}

TEST(FindFiles, TheLatestFinishedReportOfAFolderIsRead) {
  TempFolder folder;
  folder.file("ops_perf_results_2025.csv", "x");
  folder.file("ops_perf_results_2026.csv", "x");
  const Result<FoundFiles> found = find_files({folder.path()});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  EXPECT_EQ(found->reports, std::vector{folder.path("ops_perf_results_2026.csv")});
}

TEST(FindFiles, RanksBelowAFolderAreCapturesInTheirOrder) {
  TempFolder folder;
  for (const char* rank : {"rank10", "rank2", "rank1"}) {
    make_folder(folder, std::string(rank) + "/.logs");
    folder.file(std::string(rank) + "/.logs/profile_log_device.csv", kLog);
  }
  const Result<FoundFiles> found = find_files({folder.path()});
  ASSERT_TRUE(found.has_value()) << found.error().message;
  ASSERT_EQ(found->captures.size(), 3u);
  EXPECT_EQ(found->captures[0].name, folder.path("rank1"));
  EXPECT_EQ(found->captures[1].name, folder.path("rank2"));
  EXPECT_EQ(found->captures[2].name, folder.path("rank10"));
}

TEST(FindFiles, WhatIsNoneSaysWhatWouldBe) {
  TempFolder folder;
  const Result<FoundFiles> empty = find_files({folder.path()});
  ASSERT_FALSE(empty.has_value());
  EXPECT_EQ(empty.error().code, ErrorCode::kBadInput);
  EXPECT_NE(empty.error().message.find("no profiler files here; expected profile_log_device.csv"),
            std::string::npos);
  const Result<FoundFiles> other = find_files({folder.file("a.csv", "x,y\n1,2\n")});
  ASSERT_FALSE(other.has_value());
  EXPECT_NE(other.error().message.find("not a file of the profiler"), std::string::npos);
  const Result<FoundFiles> gone = find_files({folder.path("gone")});
  ASSERT_FALSE(gone.has_value());
  EXPECT_EQ(gone.error().message, folder.path("gone") + ": no such file or folder");
}

TEST(OutputFolder, NamesAndDatesStandBehindTheFile) {
  TempFolder folder;
  const Result<OutputFolder> made =
      make_output_folder({folder.path("new/out"), "mine", true, "2026_01_02_03_04_05"});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_TRUE(fs::is_directory(folder.path("new/out")));
  EXPECT_EQ(made->new_path("ops", ".csv"), folder.path("new/out/ops_mine_2026_01_02_03_04_05.csv"));
}

TEST(OutputFolder, NoFileIsOverwritten) {
  TempFolder folder;
  const Result<OutputFolder> made = make_output_folder({folder.path(), "", false, "2026"});
  ASSERT_TRUE(made.has_value()) << made.error().message;
  EXPECT_EQ(made->new_path("ops", ".csv"), folder.path("ops.csv"));
  folder.file("ops.csv", "");
  folder.file("ops_2.csv", "");
  EXPECT_EQ(made->new_path("ops", ".csv"), folder.path("ops_3.csv"));
}

TEST(OutputFolder, AFileInTheWayIsAnError) {
  TempFolder folder;
  folder.file("out", "");
  const Result<OutputFolder> made = make_output_folder({folder.path("out/below"), "", false, "2026"});
  ASSERT_FALSE(made.has_value());
  EXPECT_EQ(made.error().code, ErrorCode::kWriteFailed);
}

TEST(LoadPerf, ReadsACaptureAndWhatItsRowsMean) {
  TempFolder folder;
  folder.file("profile_log_device.csv", kLog);
  const Result<Profile> profile = load({folder.path()}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  ASSERT_EQ(profile->report.rows.size(), 1u);
  EXPECT_EQ(profile->report.rows[0].kernel_duration_ns, 850);
  ASSERT_EQ(profile->analysis.ops.rows.size(), 1u);
  EXPECT_EQ(profile->analysis.ops.peaks.arch, "wormhole");
  ASSERT_EQ(profile->cores.size(), 1u);
  EXPECT_EQ(profile->cores[0].busy_cycles, 850u);
}

TEST(LoadPerf, ReadsPackedReportsOfSeveralHosts) {
  TempFolder folder;
  const std::string text = testing::OpsCsv().op("Add").text();
  const std::string one = folder.file("one.csv", text);
  const std::string two = folder.file("two.csv.gz", testing::gzip(text));
  const Result<Profile> profile = load({one, two}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->name, one);
  EXPECT_EQ(profile->title(), "one.csv");
  EXPECT_EQ(profile->report.hosts, (std::vector<std::string>{"one", "two.csv"}));
  EXPECT_EQ(profile->report.rows[1].device, profile->report.rows[0].device + 1);
}

TEST(LoadPerf, RefusesReportsAndCapturesTogether) {
  TempFolder folder;
  const std::string log = folder.file("profile_log_device.csv", kLog);
  const std::string report = folder.file("ops.csv", testing::OpsCsv().op("Add").text());
  const Result<Profile> profile = load({log, report}, {});
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().message, "finished reports and files of the profiler cannot be given together");
}

TEST(LoadPerf, ASignpostThatIsNotThereIsNothingFound) {
  TempFolder folder;
  const std::string report = folder.file("ops.csv", testing::OpsCsv().signpost("a").op("Add").text());
  LoadOptions options;
  options.shown.start_signpost = "b";
  const Result<Profile> profile = load({report}, options);
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().code, ErrorCode::kNothingFound);
}

TEST(LoadPerf, ADamagedLogDoesNotCostTheOtherFiles) {
  TempFolder folder;
  folder.file("profile_log_device.csv", "ARCH: nothing more");
  folder.file("tracy_ops_data.csv", testing::kMessagesHead + testing::op_message(1024));
  folder.file("tracy_ops_times.csv", testing::kTimesHead + testing::op_zone(1024, 90, 100));
  const Result<Profile> profile = load({folder.path()}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->report.rows.size(), 1u);
  EXPECT_TRUE(profile->has_harmful_capture_problems());
}

TEST(LoadPerf, ALogWithoutOpsTellsOfZonesAlone) {
  TempFolder folder;
  folder.file("profile_log_device.csv",
              testing::kLogHead + testing::zone_lines({"0,1,1,BRISC", "0,,", "MINE", 10, 20, ""}));
  const Result<Profile> profile = load({folder.path()}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_TRUE(profile->zones_only);
  ASSERT_EQ(profile->zones().size(), 1u);
  EXPECT_EQ(profile->zones()[0]->stats.zones.size(), 1u);
}

TEST(LoadPerf, ALogWithoutARowHasNothing) {
  TempFolder folder;
  folder.file("profile_log_device.csv", testing::kLogHead);
  Result<FoundFiles> files = find_files({folder.path()});
  ASSERT_TRUE(files.has_value());
  const Result<Profile> read = read_files(*files, {});
  ASSERT_TRUE(read.has_value()) << read.error().message;
  EXPECT_FALSE(read->has_content());
  const Result<Profile> profile = load({folder.path()}, {});
  ASSERT_FALSE(profile.has_value());
  EXPECT_EQ(profile.error().code, ErrorCode::kNothingFound);
}

TEST(LoadPerf, AWindowWithoutRowsShowsNothingOfAReportThatHasThem) {
  TempFolder folder;
  const std::string report = folder.file("ops.csv", testing::OpsCsv().op("Add").op("Softmax").text());
  LoadOptions options;
  for (const std::uint32_t first : {1u, 1000000u}) {
    options.shown.first_id = first;
    const Result<Profile> profile = load({report}, options);
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    EXPECT_TRUE(profile->has_content());
    EXPECT_EQ(profile->shows_content(), first == 1) << first;
  }
}

TEST(LoadPerf, ZonesAreShownWhateverTheWindowIs) {
  TempFolder folder;
  folder.file("profile_log_device.csv",
              testing::kLogHead + testing::zone_lines({"0,1,1,BRISC", "0,,", "MINE", 10, 20, ""}));
  const Result<Profile> profile = load({folder.path()}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_TRUE(profile->shows_content());
}

TEST(WriteFiles, AReportOfEachKindIsWrittenBesideTheOps) {
  TempFolder folder;
  make_folder(folder, "in");
  folder.file("in/profile_log_device.csv", kLog);
  Result<FoundFiles> files = find_files({folder.path("in")});
  ASSERT_TRUE(files.has_value());
  const Result<Profile> profile = read_files(*files, {.zones = true});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const auto written = write_files(profile->captures, {.per_core_times = true, .device_analysis = true},
                                   {folder.path("out"), "", false, "2026"});
  ASSERT_TRUE(written.has_value()) << written.error().message;
  std::vector<std::string> names;
  for (const std::string& path : *written) names.push_back(fs::path(path).filename().string());
  EXPECT_EQ(names, (std::vector<std::string>{"ops_perf_results.csv", "per_core_op_to_op_times.csv",
                                             "device_stats.txt", "device_analysis_data.json", "zones.csv"}));
}

}  // namespace
}  // namespace ttscope::perf
