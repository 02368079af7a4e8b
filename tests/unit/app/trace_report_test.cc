// What is made of the logs of a traced run.
#include "app/trace/trace_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "support/temp_folder.h"
#include "support/timeline_sample.h"
#include "support/traced_logs.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

/// A folder of artifacts with empty logs.
class TraceReportTest : public ::testing::Test {
 protected:
  TraceReportTest() {
    request.folders = launch::trace_folders(folder.path(), {}, 1'800'000'000);
    fs::create_directories(request.folders.recording);
  }
  std::string logs(const std::string& name) const { return request.folders.logs + "/" + name; }

  testing::TempFolder folder;
  TraceReportRequest request;
  TraceReport report;
};

TEST_F(TraceReportTest, NothingIsMadeWhereNothingWasRecorded) {
  write_host_files(request, report);
  EXPECT_FALSE(report.has_recording);
  EXPECT_THAT(report.files, IsEmpty());
  EXPECT_THAT(report.notes, IsEmpty());
  const Result<void> written = write_trace_report(request, report);
  EXPECT_FALSE(written.has_value());
  EXPECT_EQ(report.folder, "") << "no empty folder stays";
  EXPECT_TRUE(fs::is_empty(request.folders.reports));
}

TEST_F(TraceReportTest, TablesAreMadeOfACaptureUnlessTheToolsMadeThem) {
  folder.file(".logs/" + std::string(launch::kHostCapture),
              timeline::tracy_bytes(timeline::sample_timeline()));
  folder.file(".logs/" + std::string(launch::kOpTimes), "made by csvexport\n");
  write_host_files(request, report);
  EXPECT_TRUE(report.has_recording);
  EXPECT_THAT(report.files, ElementsAre(logs(launch::kOpMessages)));
  EXPECT_THAT(testing::file_content(logs(launch::kOpMessages)), HasSubstr("TT_SIGNPOST: Warmup"));
  EXPECT_EQ(testing::file_content(logs(launch::kOpTimes)), "made by csvexport\n");
  request.renews_times = true;  // for other child functions
  write_host_files(request, report);
  EXPECT_THAT(testing::file_content(logs(launch::kOpTimes)), StartsWith("name,"));
}

TEST_F(TraceReportTest, ShortZonesWereTakenForTheCostOfTheirMarks) {
  // A zone's cost lies around its times: two million empty ones of 1 ns had cost 2 % of a run that they had
  // made 250 times as long.
  timeline::SampleMaker maker;
  const std::uint32_t place = maker.place("zone");
  maker.track("main", timeline::TrackKind::kThread, maker.group("prog")).number = 1;
  for (int i = 0; i < 100; ++i) maker.zone(1000 + 30 * i, 1001 + 30 * i, place);
  maker.made.find_span();
  folder.file(".logs/" + std::string(launch::kHostCapture), timeline::tracy_bytes(maker.made));
  write_host_files(request, report);
  EXPECT_EQ(report.host.zones, 100u);
  EXPECT_EQ(report.host.python_zones, 0u);
  EXPECT_DOUBLE_EQ(report.host.percent, 100);
  EXPECT_EQ(report.device.zones, 0u);
}

TEST_F(TraceReportTest, ZonesOfPythonCostMoreAndTracksThatAreMadeNothing) {
  testing::write_traced_logs(folder, ".logs");
  timeline::SampleMaker maker;
  const std::uint32_t native = maker.place("zone");
  const std::uint32_t python = maker.place("PY_FUNC_f");
  maker.made.locations[python].file = maker.made.texts.intern("/a/model.py");
  maker.track("main", timeline::TrackKind::kThread, maker.group("prog")).number = 1;
  maker.zone(0, 100'000, native);
  maker.zone(1000, 9000, python, 1);
  maker.made.find_span();
  folder.file(".logs/" + std::string(launch::kHostCapture), timeline::tracy_bytes(maker.made));
  write_host_files(request, report);
  EXPECT_EQ(report.host.zones, 2u);
  EXPECT_EQ(report.host.python_zones, 1u);
  EXPECT_DOUBLE_EQ(report.host.percent, (kPythonZoneCostNs + kHostZoneCostNs) / 1000);
  EXPECT_EQ(report.device.zones, 4u) << "ops and gaps of devices are made of these";
}

TEST_F(TraceReportTest, ACaptureThatCannotBeReadIsANote) {
  folder.file(".logs/" + std::string(launch::kHostCapture), "no capture");
  write_host_files(request, report);
  EXPECT_TRUE(report.has_recording);
  EXPECT_THAT(report.notes, Contains(HasSubstr("no .tracy file: ")));
  EXPECT_THAT(report.files, IsEmpty());
}

TEST_F(TraceReportTest, AReportHasItsRowsAndCopiesOfTheLogs) {
  testing::write_traced_logs(folder, ".logs");
  const Result<void> written = write_trace_report(request, report);
  ASSERT_TRUE(written.has_value()) << written.error().message;
  EXPECT_EQ(report.folder, request.folders.reports + "/" + request.folders.date);
  EXPECT_TRUE(report.is_ops_report);
  EXPECT_EQ(report.ops, 2u);
  EXPECT_EQ(report.signposts, 1u);
  const std::string csv = fmt::format("{}/ops_perf_results_{}.csv", report.folder, request.folders.date);
  EXPECT_THAT(report.files, Contains(csv));
  EXPECT_THAT(testing::file_content(csv), HasSubstr("Softmax"));
  for (const char* name : {"profile_log_device.csv", "tracy_ops_data.csv", "tracy_ops_times.csv"})
    EXPECT_EQ(testing::file_content(report.folder + "/" + name), testing::file_content(logs(name)));
}

TEST_F(TraceReportTest, ReportsOfOneSecondHaveFoldersOfTheirOwn) {
  testing::write_traced_logs(folder, ".logs");
  ASSERT_TRUE(write_trace_report(request, report).has_value());
  TraceReport second;
  ASSERT_TRUE(write_trace_report(request, second).has_value());
  EXPECT_EQ(second.folder, report.folder + "_2");
}

TEST_F(TraceReportTest, ANameIsAFolderAndInTheNameOfTheFile) {
  testing::write_traced_logs(folder, ".logs");
  request.name = "big";
  ASSERT_TRUE(write_trace_report(request, report).has_value());
  EXPECT_EQ(report.folder, request.folders.reports + "/big/" + request.folders.date);
  EXPECT_THAT(report.files, Contains(HasSubstr("/ops_perf_results_big_")));
}

}  // namespace
}  // namespace ttscope::app
