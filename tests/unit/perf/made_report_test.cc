// A capture becomes rows directly; these are the rows that its written report would be read as.
#include "perf/analyze/report_builder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <random>

#include "perf/analyze/window.h"
#include "perf/load.h"
#include "perf/write/capture_sections.h"
#include "perf/write_files.h"
#include "support/perf_texts.h"
#include "support/temp_folder.h"

namespace ttscope::testing {
namespace {

using namespace perf;

std::string csv_of(const std::vector<Capture>& captures) {
  StringWriter out;
  write_ops_csv(rows_of(captures), form_of(captures), out);
  static_cast<void>(out.finish());
  return out.text();
}

/// A written report has hosts in a column that its reader leaves aside.
void forget_hosts(OpsReport& report) {
  report.files.resize(1);
  report.hosts = {""};
  for (OpRow& row : report.rows) row.file = 0;
}

std::string difference_of(const std::vector<std::string>& paths, const CaptureOptions& options) {
  Result<FoundFiles> files = find_files(paths);
  if (!files) return files.error().message;
  const Result<Profile> profile = read_files(*files, options);
  if (!profile) return profile.error().message;
  const std::vector<Capture>& captures = profile->captures;
  Result<OpsReport> made = make_ops_report(rows_of(captures), form_of(captures), "made");
  if (made) forget_hosts(*made);
  return difference_from_csv(made, csv_of(captures));
}

/// A capture with all that rows can have: programs that run again, odd names, signposts, replays, devices.
class RandomCapture {
 public:
  explicit RandomCapture(unsigned seed) : random_(seed) {}

  PerfTexts texts(bool with_host) {
    PerfTexts texts;
    texts.log = kLogHead;
    texts.messages = kMessagesHead;
    texts.times = kTimesHead;
    std::uint64_t cycle = 1000;
    for (std::uint64_t op = 1; op <= 40; ++op) {
      const std::uint64_t id = op * 1024;
      const auto device = static_cast<int>(pick(2));
      if (pick(8) > 0) add_execution(texts.log, id, device, cycle);
      if (pick(3) == 0)
        texts.messages += "MLIR_OP_LOCATION;loc(\"model.layers." + std::to_string(pick(2)) + ".mlp, x\");7\n";
      if (pick(8) > 0) texts.messages += message(id, device);
      if (pick(8) > 0) texts.times += op_zone(id, id, 100 + pick(50));
      if (pick(5) == 0)
        texts.messages +=
            "`TT_SIGNPOST: =part, " + std::to_string(op) + "\nmore`;" + std::to_string(id + 1) + "\n";
    }
    if (!with_host) texts.messages = texts.times = "";
    return texts;
  }

 private:
  std::uint64_t pick(std::uint64_t below) { return random_() % below; }

  void add_execution(std::string& log, std::uint64_t id, int device, std::uint64_t& cycle) {
    const std::uint64_t length = 300 + pick(1000);
    const std::string op = std::to_string(id) + (pick(6) == 0 ? ",3,1" : ",,");
    for (std::uint64_t core = 1; core <= 1 + pick(3); ++core) {
      const std::string place = std::to_string(device) + "," + std::to_string(core) + ",1";
      log += risc_lines(place, "BRISC", op, cycle, cycle + length);
      if (pick(3) > 0) log += risc_lines(place, "TRISC_1", op, cycle + 10, cycle + length - 20);
    }
    cycle += length + pick(500);
  }

  std::string message(std::uint64_t id, int device) {
    static constexpr std::array<const char*, 6> kNames = {"Matmul", "=1+1", "a, b", "-5", "+x", "Soft max"};
    const std::uint64_t program = pick(kNames.size());
    return op_message(id, kNames[program], device, 7000 + program, id);
  }

  std::mt19937 random_;
};

TEST(MadeReport, GeneratedCapturesAgreeWithTheirWrittenReports) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    for (const bool with_host : {true, false}) {
      const MadeReport made = make_report(RandomCapture(seed).texts(with_host));
      EXPECT_EQ(made.difference, "") << "seed " << seed;
      EXPECT_GT(made.report.rows.size(), 10u);
    }
  }
}

TEST(MadeReport, SeveralHostsHaveDevicesOfTheirOwn) {
  TempFolder folder;
  for (const char* rank : {"rank0", "rank1"}) {
    std::filesystem::create_directories(folder.path(rank));
    const PerfTexts texts = RandomCapture(rank[4]).texts(true);
    folder.file(std::string(rank) + "/profile_log_device.csv", texts.log);
    folder.file(std::string(rank) + "/tracy_ops_data.csv", texts.messages);
    folder.file(std::string(rank) + "/tracy_ops_times.csv", texts.times);
  }
  EXPECT_EQ(difference_of({folder.path("rank0"), folder.path("rank1")}, {}), "");
  const Result<Profile> profile = load({folder.path("rank0"), folder.path("rank1")}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->captures[1].host_name, "rank1");
  EXPECT_EQ(profile->captures[1].device_offset, 2);
  EXPECT_THAT(profile->report.hosts, ::testing::ElementsAre("rank0", "rank1"));
  EXPECT_THAT(profile->report.files, ::testing::ElementsAre(folder.path("rank0"), folder.path("rank1")))
      << "all had been credited to the first";
  EXPECT_EQ(profile->report.rows.front().file, 0);
  EXPECT_EQ(profile->report.rows.back().file, 1);
}

/// A run of raw programs: no op of the host says what lies before a signpost and what behind it.
TEST(MadeReport, SignpostsOfProgramsWithoutOpsWereLeftOut) {
  TempFolder folder;
  const std::string sync_head =
      "device id,device,host_tracy,host_start,frequency,tracy_ratio,tracy_base_time,device_frequency_ratio,"
      "device_shift\n";
  folder.file("profile_log_device.csv", kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                                            risc_lines("0,1,1", "BRISC", "2048,,", 5000, 6000) +
                                            risc_lines("1,1,1", "BRISC", "3072,,", 9000, 9500));
  folder.file("tracy_ops_data.csv", kMessagesHead + "`TT_SIGNPOST: middle\nof it`;503000\n");
  folder.file("tracy_ops_times.csv", kTimesHead);
  // Cycle 0 of the first device is at 500 us, of the second at 495 us.
  const std::string first = "0,0,490000,50000,1.0,1,40000,1,0\n0,10000,500000,50000,1.0,1,40000,1,0\n";
  folder.file("sync_device_info.csv",
              sync_head + first + "1,0,485000,50000,1.0,1,40000,1,0\n1,9000,494000,50000,1.0,1,40000,1,0\n");
  EXPECT_EQ(difference_of({folder.path("")}, {}), "");
  const auto rows = [&] {
    std::vector<std::string> texts;
    const Result<Profile> profile = load({folder.path("")}, {});
    if (!profile) return texts;
    for (const OpRow& row : profile->report.rows)
      texts.push_back(row.type == OpRowType::kSignpost
                          ? std::string(profile->report.text(profile->report.kinds[row.kind].op_code))
                          : std::to_string(static_cast<int>(row.call_count)));
    return texts;
  };
  const auto summary = [&] {
    const Result<Profile> profile = load({folder.path("")}, {});
    return profile ? capture_summary(profile->captures, {}, {}) : profile.error().message;
  };
  EXPECT_THAT(rows(), ::testing::ElementsAre("1024", "middle", "3072", "2048"));
  EXPECT_THAT(summary(), ::testing::HasSubstr("  3 rows of the device alone, 1 signpost\n"));
  EXPECT_THAT(summary(), ::testing::Not(::testing::HasSubstr("Trust")));
  folder.file("sync_device_info.csv", sync_head + first);
  EXPECT_THAT(rows(), ::testing::ElementsAre("1024", "2048", "3072")) << "nobody knows when device 1 ran";
  EXPECT_THAT(summary(), ::testing::HasSubstr("  3 rows of the device alone\n"));
  EXPECT_THAT(summary(), ::testing::HasSubstr("1 x signposts are in no row of the report"));
  EXPECT_THAT(summary(), ::testing::HasSubstr("      TT_SIGNPOST: middle\n"));
}

TEST(MadeReport, AWindowOfSignpostsHadNoRowsOfTheDeviceAlone) {
  // Signposts have a time of the host and these rows have none: sorted by it, all lay behind the last one.
  TempFolder folder;
  folder.file("profile_log_device.csv", kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                                            risc_lines("0,1,1", "BRISC", "2048,,", 5000, 6000) +
                                            risc_lines("0,1,1", "BRISC", "3072,,", 8000, 9000));
  folder.file("tracy_ops_data.csv", kMessagesHead + "`TT_SIGNPOST: A`;502500\n`TT_SIGNPOST: B`;507000\n");
  folder.file("tracy_ops_times.csv", kTimesHead);
  folder.file("sync_device_info.csv",
              "device id,device,host_tracy,host_start,frequency,tracy_ratio,tracy_base_time,"
              "device_frequency_ratio,device_shift\n0,0,490000,50000,1.0,1,40000,1,0\n"
              "0,10000,500000,50000,1.0,1,40000,1,0\n");
  const Result<Profile> profile = load({folder.path("")}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  const std::string written = folder.file("ops_perf_results.csv", csv_of(profile->captures));
  const Result<Profile> again = load({written}, {});
  ASSERT_TRUE(again.has_value()) << again.error().message;
  for (const OpsReport* table : {&profile->report, &again->report}) {
    ShownOptions options;
    std::vector<OpNote> notes;
    options.start_signpost = "A";
    options.end_signpost = "B";
    std::vector<std::uint32_t> rows = order_rows(*table, options, notes);
    const Result<void> applied = apply_window(*table, options, rows, notes);
    ASSERT_TRUE(applied.has_value()) << applied.error().message;
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(table->rows[rows[0]].call_count, 2048);
    rows = order_rows(*table, {}, notes);
    ASSERT_TRUE(apply_window(*table, {}, rows, notes).has_value());
    ASSERT_EQ(rows.size(), 1u) << "what is behind the last signpost";
    EXPECT_EQ(table->rows[rows[0]].call_count, 3072);
  }
}

TEST(MadeReport, SignpostsThatNothingPlacesWentWithoutAWord) {
  TempFolder folder;
  folder.file("profile_log_device.csv", kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000));
  folder.file("tracy_ops_data.csv", kMessagesHead + "`TT_SIGNPOST: one`;503000\n`TT_SIGNPOST: two`;504000\n");
  folder.file("tracy_ops_times.csv", kTimesHead);
  const Result<Profile> profile = load({folder.path("")}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  EXPECT_EQ(profile->report.capture_problems.count(PerfProblem::kSignpostUnplaced), 2u);
  EXPECT_FALSE(profile->has_harmful_capture_problems());
  CaptureOptions compat;
  compat.compat = true;
  Result<FoundFiles> files = find_files({folder.path("")});
  ASSERT_TRUE(files.has_value());
  const Result<Profile> reference = read_files(*files, compat);
  ASSERT_TRUE(reference.has_value()) << reference.error().message;
  EXPECT_FALSE(reference->captures[0].problems.any());
}

TEST(MadeReport, AWordOfSimulatedChipsThatAnEarlierRunLeftIsNotBelieved) {
  TempFolder folder;
  folder.file("profile_log_device.csv", kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000));
  const auto notes = [&] {
    const Result<Profile> profile = load({folder.path("")}, {});
    return profile ? profile->report.capture_problems.count(PerfProblem::kSimulatedChips) : 99;
  };
  EXPECT_EQ(notes(), 0u);
  folder.file("simulated_chips.txt", "\n");
  EXPECT_EQ(notes(), 1u);
  const std::string head = "device id,device,host_tracy,host_start,frequency,tracy_ratio,tracy_base_time\n";
  folder.file("sync_device_info.csv", head + "0,0,490,500,1.0,1,400\n0,10,500,500,1.0,1,400\n");
  EXPECT_EQ(notes(), 0u) << "they exchanged with the real host";
  folder.file("sync_device_info.csv", head + "0,0,490,500,1.0,1,0\n0,10,500,500,1.0,1,0\n");
  EXPECT_EQ(notes(), 1u) << "with a simulated one";
}

TEST(MadeReport, FilesOfSimulatedChipsThatWereOpenedAloneWereCalledMeasured) {
  TempFolder folder;
  const std::string log =
      folder.file("profile_log_device.csv", kLogHead + risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000));
  folder.file("simulated_chips.txt", "\n");
  const auto is_simulated = [](const std::string& path) {
    const Result<Profile> profile = load({path}, {});
    return profile && profile->report.has_modeled_times();
  };
  EXPECT_TRUE(is_simulated(log));
  const std::string place = folder.path("written");
  const auto write = [&](const std::string& path) {
    Result<FoundFiles> files = find_files({path});
    const Result<Profile> profile = read_files(*files, {});
    const auto written = write_files(profile->captures, {}, {place, "", true, "today"});
    return written && !written->empty() ? written->front() : std::string();
  };
  const std::string report = write(log);
  EXPECT_TRUE(is_simulated(report)) << report;
  // A report of a board beside it has no word, whatever the other has.
  std::filesystem::remove(folder.path("simulated_chips.txt"));
  const std::string of_board = write(log);
  EXPECT_NE(of_board, report);
  EXPECT_FALSE(is_simulated(of_board)) << of_board;
  EXPECT_TRUE(is_simulated(report));
  // A word says of which report it is: those of boards in the folder were called modeled, too.
  const std::string other = folder.file("written/before.csv", testing::file_content(of_board));
  EXPECT_FALSE(is_simulated(other));
  const std::string board_log = folder.file("written/profile_log_device.csv", testing::file_content(log));
  EXPECT_FALSE(is_simulated(board_log));
  std::filesystem::remove(board_log);
  Result<FoundFiles> reports = find_files({report});
  const auto copied = copy_reports(*reports, {folder.path("copied"), "", false, ""});
  ASSERT_TRUE(copied.has_value() && !copied->empty());
  EXPECT_TRUE(is_simulated(copied->front()));
  // What is left of a report that is no more, and pages beside the only one.
  std::filesystem::remove(copied->front());
  Result<FoundFiles> boards = find_files({of_board});
  const auto again = copy_reports(*boards, {folder.path("copied"), "", false, ""});
  ASSERT_TRUE(again.has_value() && !again->empty());
  EXPECT_EQ(again->front(), copied->front());
  EXPECT_FALSE(is_simulated(again->front()));
  folder.file("copied/simulated_chips.txt", "of a run\n");
  folder.file("copied/ops_perf_results.html", "<html>");
  EXPECT_TRUE(is_simulated(again->front()));
}

TEST(MadeReport, LongTextsAndNumbersBeyondAnyTimeAreCounted) {
  HostCapture host;
  host.infos.resize(1);
  host.infos[0].op_code = "Op";
  host.infos[0].op_type = "tt_dnn_device";
  host.infos[0].attributes = std::string(kMaxOpTextBytes + 5, 'x');
  host.infos[0].pm_ideal = "much";
  host.infos[0].inputs = {{"32[17]", "", "=1", "64", "TILE", "", "L1"}, {}};
  HostOp op;
  op.id = std::uint64_t{1} << 63;
  op.device = -1;
  host.ops = {op, op};
  ReportRows rows;
  rows.executions.resize(1);
  rows.executions[0].figures[Figure::kKernelNs] = -5;
  rows.executions[0].figures[Figure::kFwNs] = INT64_MAX;
  rows.rows.resize(2);
  rows.rows[0].host = 0;
  rows.rows[0].execution = 0;
  rows.rows[1].host = 1;
  for (const ColumnOptions& form :
       {ColumnOptions{false, false}, ColumnOptions{false, true}, ColumnOptions{true, false}}) {
    const std::vector<CaptureRows> parts = {{&rows, &host, nullptr, nullptr, "", 0}};
    StringWriter out;
    write_ops_csv(parts, form, out);
    static_cast<void>(out.finish());
    EXPECT_EQ(difference_from_csv(make_ops_report(parts, form, "made"), out.text()), "");
  }
  const Result<OpsReport> report = make_ops_report({{&rows, &host, nullptr, nullptr, "", 0}}, {}, "made");
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->problems.count(ReportProblem::kLongText), 2u);
  EXPECT_EQ(report->problems.count(ReportProblem::kNegativeTime), 1u);
}

TEST(MadeReport, ExecutionsWithoutAnyDurationAreNoReport) {
  ReportRows rows;
  const HostCapture host;
  const Result<OpsReport> report =
      make_ops_report({{&rows, &host, nullptr, nullptr, "", 0}}, {true, false}, "folder");
  ASSERT_FALSE(report.has_value());
  EXPECT_EQ(report.error().code, ErrorCode::kNothingFound);
}

TEST(MadeReport, RecordedCapturesAgreeWithTheirWrittenReports) {
  const char* shared = std::getenv("TTSCOPE_SHARED_DIR");
  if (shared == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no recorded captures here";
  std::size_t captures = 0;
  const std::filesystem::path golden = std::filesystem::path(shared) / "data/perf/golden";
  std::error_code none;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden, none)) {
    if (!entry.is_directory() || !find_files({entry.path().string()})) continue;
    if (find_files({entry.path().string()})->captures.size() != 1) continue;
    for (const bool device_only : {false, true}) {
      CaptureOptions options;
      options.device_only = device_only;
      options.noc_traces = true;
      EXPECT_EQ(difference_of({entry.path().string()}, options), "") << entry.path();
      ++captures;
    }
  }
  if (captures == 0) GTEST_SKIP() << "skipped: no recorded captures here";
}

}  // namespace
}  // namespace ttscope::testing
