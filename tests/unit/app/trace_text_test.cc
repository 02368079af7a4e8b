// What `ttscope trace` says before and after a run.
#include "app/trace/trace_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

launch::TraceFolders folders_at(const std::string& place) {
  return launch::trace_folders(place, {}, 1'800'000'000);
}

TEST(TraceText, TheStartSaysWhatRecordsAndWhere) {
  launch::TracePlan plan;
  plan.environment = {"TT_METAL_DEVICE_PROFILER=1", "PATH=/bin"};
  const launch::TraceFolders folders = folders_at("/p");
  const std::vector<std::string> command = {"python", "my model.py"};
  EXPECT_EQ(trace_start_text({plan, folders, command}), "Tracing with our recorder; logs go to /p/.logs\n");
  plan.device = false;
  plan.legacy_reasons = {"sums of zones", "dispatch cores"};
  EXPECT_EQ(trace_start_text({plan, folders, command, false, true}),
            "Tracing with Tracy's capture tool, without devices; logs go to /p/.logs\n"
            "Ops are measured by the device log, because of: sums of zones, dispatch cores\n");
  const std::string verbose = trace_start_text({plan, folders, command, true, false});
  EXPECT_THAT(verbose, HasSubstr("Program: python 'my model.py'\n"));
  EXPECT_THAT(verbose, HasSubstr("  TT_METAL_DEVICE_PROFILER=1\n"));
  EXPECT_THAT(verbose, Not(HasSubstr("PATH"))) << "variables of the profiler alone";
}

TEST(TraceText, TheEndNamesTheFilesOfTheReportAlone) {
  const launch::TraceFolders folders = folders_at("/p");
  TraceReport report;
  report.folder = "/p/reports/x";
  report.files = {"/p/.logs/tracy_ops_times.csv", "/p/reports/x/ops.csv"};
  report.is_ops_report = true;
  report.has_recording = true;
  report.ops = 1;
  report.signposts = 2;
  EXPECT_EQ(trace_end_text({folders, report}),
            "\nReport: /p/reports/x\n  ops.csv\n  1 op row, 2 signposts\n"
            "Next: ttscope perf /p; ttscope timeline /p -o run.html\n");
}

TEST(TraceText, WithoutAReportTheLogsAreNamed) {
  TraceReport report;
  report.folder = "/p/reports/x";  // a full disk left it without a file
  EXPECT_EQ(trace_end_text({folders_at("/p"), report}),
            "\nLogs: /p/.logs\nNothing was recorded: no mark and no op came from the program\n");
}

TEST(TraceText, SimulatedChipsOverheadAndRemediesAreTold) {
  TraceReport report;
  report.has_recording = true;
  report.has_simulated_chips = true;
  report.host = {3, 1, 2.5};
  report.device = {20, 0, 0.25};
  const std::string text = trace_end_text({folders_at("/p"), report, {{"markers were dropped", "add room"}}});
  EXPECT_THAT(text, HasSubstr("The chips were simulated: times of devices are modelled"));
  EXPECT_THAT(
      text,
      HasSubstr(
          "Profiling overhead (modelled)\n"
          "  host: about 2.5 % of the time in zones (1 zone of Python, about 1 us each; 2 zones of others, "
          "about 25 ns each)\n"
          "  device: about 0.2 % of the time in zones (20 zones, about 40 ns each)\n"));
  report.host = {3, 0, 2.5};
  EXPECT_THAT(trace_end_text({folders_at("/p"), report}),
              HasSubstr("in zones (3 zones, about 25 ns each)\n"));
  EXPECT_THAT(text, HasSubstr("markers were dropped\n  -> add room\n"));
  EXPECT_THAT(text, HasSubstr("Next: ttscope perf /p; "));
}

TEST(TraceText, WhatComesNextCouldNotBeTypedWhereTheFolderHasBlanks) {
  TraceReport report;
  report.has_recording = true;
  EXPECT_THAT(trace_end_text({folders_at("/p q"), report}),
              HasSubstr("Next: ttscope timeline '/p q' -o run.html\n"));
}

TEST(TraceText, NamesOfFoldersCannotActOnTheTerminal) {
  EXPECT_THAT(trace_end_text({folders_at("/p\x1b[31m"), {}}), Not(HasSubstr("\x1b")));
  EXPECT_EQ(labeled_command("Export", {"csvexport", "a b"}), "Export: csvexport 'a b'\n");
}

}  // namespace
}  // namespace ttscope::app
