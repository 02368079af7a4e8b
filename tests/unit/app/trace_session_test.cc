// A traced run from its program to its files, with stand-ins for Tracy's tools.
#include "app/trace/trace_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "launch/child.h"
#include "launch/trace_folders.h"
#include "support/heard_run.h"
#include "support/temp_folder.h"
#include "support/timeline_sample.h"
#include "support/traced_logs.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

/// A request to run shell programs of the test's folder.
class TraceSessionTest : public ::testing::Test {
 protected:
  TraceSessionTest() {
    set_plan({{"--no-device", ""}});
    request.own_program = "/bin/ttscope";
  }

  void set_plan(const launch::TraceOptions& options, std::vector<std::string> environment = {}) {
    environment.emplace_back("PATH=/usr/bin:/bin");
    request.plan = launch::plan_trace(options, environment).value();
    request.folders = launch::trace_folders(folder.path("run"), environment, 1'800'000'000);
  }
  std::string program(const std::string& name, const std::string& code) const {
    fs::create_directories(fs::path(folder.path(name)).parent_path());
    const std::string path = folder.file(name, "#!/bin/sh\n" + code);
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
  TraceOutcome trace(const std::string& code) {
    request.words = {program("program", code)};
    return trace_program(request, heard);
  }
  /// Tracy's capture tool as this code; it gets `-o FILE -f -p PORT`. csvexport prints its first word.
  void stand_in_for_tools(const std::string& capture_code) {
    request.tools_folder = folder.path("tools");
    program("tools/tracy-capture", capture_code);
    program("tools/tracy-csvexport", "echo \"$1\"\n");
  }
  std::string logs(const std::string& name) const { return request.folders.logs + "/" + name; }

  testing::TempFolder folder;
  testing::HeardRun heard;
  TraceRequest request;
};

TEST_F(TraceSessionTest, TheProgramGetsTheProfilersVariablesAndItsCodeIsReturned) {
  const TraceOutcome outcome = trace(
      "echo \"$TT_METAL_PROFILER_DIR $TTSCOPE_RECORD $TTSCOPE_PROGRAM\"; "
      "test \"$TRACY_PORT\" -ge 8086 && exit 3");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_FALSE(outcome.error.has_value());
  EXPECT_EQ(testing::file_content(logs("program_output.log")),
            folder.path("run") + " " + folder.path("run/.logs/recording") + " /bin/ttscope\n");
  EXPECT_THAT(heard.said, HasSubstr("Tracing with our recorder, without devices; logs go to "));
  EXPECT_THAT(heard.said, HasSubstr("Nothing was recorded"));
  EXPECT_THAT(heard.complaints, HasSubstr("program exited with code 3"));
}

TEST_F(TraceSessionTest, NothingIsSaidOfAQuietRun) {
  request.is_quiet = true;
  EXPECT_EQ(trace("true").exit_code, 0);
  EXPECT_EQ(heard.said + heard.complaints, "");
}

TEST_F(TraceSessionTest, TransfersOverTheNocAreWrittenAmongTheLogs) {
  set_plan({{"--collect-noc-traces", ""}});
  trace("echo \"$TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH\"");
  EXPECT_EQ(testing::file_content(logs("program_output.log")), request.folders.logs + "\n");
  set_plan({{"--collect-noc-traces", ""}}, {"TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH=/mine"});
  trace("echo \"$TT_METAL_DEVICE_PROFILER_NOC_EVENTS_RPT_PATH\"");
  EXPECT_EQ(testing::file_content(logs("program_output.log")), "/mine\n");
}

TEST_F(TraceSessionTest, LogsOfTheRunBeforeAreKept) {
  trace("true");
  heard.said.clear();
  trace("true");
  EXPECT_THAT(heard.said, HasSubstr("Logs of the earlier run are in " + folder.path("run/earlier_logs/")));
}

TEST_F(TraceSessionTest, TwoRunsInOneFolderReportedHalfOfEachOther) {
  trace("echo first");
  {
    const auto running = launch::RunLock::take(request.folders);
    ASSERT_TRUE(running.has_value());
    EXPECT_EQ(trace("echo second").exit_code, launch::kLauncherFailure);
    EXPECT_THAT(heard.complaints,
                HasSubstr("another run under the profiler writes here; give this one a folder"));
    EXPECT_EQ(testing::file_content(logs("program_output.log")), "first\n");
  }
  EXPECT_EQ(trace("echo third").exit_code, 0) << "when that has ended";
}

TEST_F(TraceSessionTest, LogsWereReportedWhileTheirRunWentOn) {
  trace("true");
  const auto running = launch::RunLock::take(request.folders);
  ASSERT_TRUE(running.has_value());
  EXPECT_EQ(report_trace(request, heard).exit_code, launch::kLauncherFailure);
  EXPECT_THAT(heard.complaints, HasSubstr("another run under the profiler writes here"));
}

TEST_F(TraceSessionTest, ALimitOfTheRecordingThatIsNoNumberWasIgnored) {
  for (const char* limit : {"abc", "0", "-1", "99999999999"}) {
    set_plan({{"--no-device", ""}}, {std::string("TTSCOPE_RECORD_MB=") + limit});
    const TraceOutcome outcome = trace("true");
    ASSERT_TRUE(outcome.error.has_value()) << limit;
    EXPECT_THAT(outcome.error->message, HasSubstr("expected a whole number of megabytes from 1 to "));
    EXPECT_TRUE(outcome.is_usage_problem);
  }
}

TEST_F(TraceSessionTest, AReportIsMadeOfWhatTheProgramLeft) {
  testing::write_traced_logs(folder, "left");
  request.makes_report = true;
  const TraceOutcome outcome = trace("cp " + folder.path("left") + "/* \"$TT_METAL_PROFILER_DIR/.logs/\"");
  EXPECT_EQ(outcome.exit_code, 0) << heard.complaints;
  EXPECT_THAT(heard.said, HasSubstr("2 op rows, 1 signpost\n"));
  EXPECT_THAT(heard.said, HasSubstr("Next: ttscope perf "));
}

TEST_F(TraceSessionTest, AProgramThatFailedHasNoReportWhereSuccessIsNeeded) {
  testing::write_traced_logs(folder, "left");
  request.makes_report = true;
  request.needs_success = true;
  const TraceOutcome outcome =
      trace("cp " + folder.path("left") + "/* \"$TT_METAL_PROFILER_DIR/.logs/\"; exit 5");
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_THAT(heard.complaints, HasSubstr("--check-exit-code: no report, since the program failed"));
  EXPECT_FALSE(fs::exists(request.folders.reports));
}

TEST_F(TraceSessionTest, WithoutLogsThereIsNoReportAndTheProgramsCodeStays) {
  request.makes_report = true;
  EXPECT_EQ(trace("true").exit_code, 0);
  EXPECT_THAT(heard.complaints, HasSubstr("no ops report: "));
}

TEST_F(TraceSessionTest, WarningsOfTheProgramHaveTheirRemedies) {
  trace("echo 'warning: Source location hashes are colliding'");
  EXPECT_THAT(heard.said, HasSubstr("-> rename one of the zones of your kernels"));
}

TEST_F(TraceSessionTest, ASignalThatComesBeforeTheProgramStartsReachesIt) {
  heard.early_signal = SIGTERM;
  EXPECT_EQ(trace("sleep 600").exit_code, 128 + SIGTERM);
  EXPECT_THAT(heard.complaints, HasSubstr("was killed by signal 15"));
}

TEST_F(TraceSessionTest, WhatDoesNotStartIsToldByItsCodeAndMovesNoLogs) {
  request.words = {"no-such-program"};
  const TraceOutcome outcome = trace_program(request, heard);
  EXPECT_EQ(outcome.exit_code, launch::kNotFound);
  EXPECT_THAT(heard.complaints, HasSubstr("no-such-program"));
  EXPECT_FALSE(fs::exists(folder.path("run")));
}

TEST_F(TraceSessionTest, PythonWithoutAnythingThatCouldRunItIsOurFailure) {
  const std::string python = program("bin/python3", "exit 1\n");
  set_plan({{"--no-device", ""}}, {"TTSCOPE_PYTHON=" + python});
  request.words = {folder.file("model.py", "")};
  EXPECT_EQ(trace_program(request, heard).exit_code, launch::kLauncherFailure);
  EXPECT_THAT(heard.complaints, HasSubstr("could not be asked for its modules, and our stand-ins"));
}

TEST_F(TraceSessionTest, WithoutTheSimulatorOnlyTracysToolsCanRecord) {
  request.has_recorder = false;
  EXPECT_EQ(trace("true").exit_code, launch::kLauncherFailure);
  EXPECT_THAT(heard.complaints,
              HasSubstr("our recorder takes the run, and this build of ttscope lacks the simulator"));
  EXPECT_FALSE(fs::exists(folder.path("run")));
  const std::string made = folder.file("made.tracy", timeline::tracy_bytes(timeline::sample_timeline()));
  stand_in_for_tools("cp " + made + " \"$2\"\n");
  set_plan({{"--no-device", ""}, {"--port", "9123"}});
  EXPECT_EQ(trace("true").exit_code, 0);
}

TEST_F(TraceSessionTest, OurRunnerStandsBeforeAScript) {
  const std::string python = program("bin/python3", "test \"$1\" = -c || echo \"$@\"\n");
  set_plan({{"--no-device", ""}}, {"TTSCOPE_PYTHON=" + python});
  request.standins.folder = "/standins";
  request.of_marked_parts = true;
  request.words = {folder.file("model.py", ""), "--batch", "8"};
  EXPECT_EQ(trace_program(request, heard).exit_code, 0);
  EXPECT_EQ(testing::file_content(logs("program_output.log")),
            "/standins/tracy/tracy/run_program.py -p " + folder.path("model.py") + " --batch 8\n");
}

TEST_F(TraceSessionTest, TracysToolsCaptureAndExport) {
  const std::string made = folder.file("made.tracy", timeline::tracy_bytes(timeline::sample_timeline()));
  stand_in_for_tools("echo \"$@\" >&2; cp " + made + " \"$2\"\n");
  request.is_verbose = true;
  set_plan({{"--no-device", ""}, {"--port", "9123"}});
  EXPECT_EQ(trace("echo $TRACY_PORT").exit_code, 0);
  EXPECT_EQ(testing::file_content(logs("program_output.log")), "9123\n");
  EXPECT_THAT(heard.said, HasSubstr("Tracing with Tracy's capture tool"));
  EXPECT_THAT(heard.said, HasSubstr("Waiting for the capture tool to save.\n"));
  EXPECT_THAT(heard.said, HasSubstr("Export: " + folder.path("tools/tracy-csvexport") + " -u"));
  EXPECT_EQ(testing::file_content(logs(launch::kHostCapture)), testing::file_content(made));
  EXPECT_EQ(testing::file_content(logs(launch::kOpTimes)), "-u\n");
  EXPECT_EQ(testing::file_content(logs(launch::kOpMessages)), "-m\n");
  EXPECT_THAT(testing::file_content(logs("capture_output.log")), HasSubstr(" -f -p 9123\n"));
}

TEST_F(TraceSessionTest, ATableThatIsNotExportedIsMadeByOurReader) {
  const std::string made = folder.file("made.tracy", timeline::tracy_bytes(timeline::sample_timeline()));
  stand_in_for_tools("cp " + made + " \"$2\"\n");
  program("tools/tracy-csvexport", "exit 4\n");
  trace("true");
  EXPECT_THAT(heard.complaints, HasSubstr("ended with 4; its table is made without it"));
  EXPECT_THAT(testing::file_content(logs(launch::kOpMessages)), HasSubstr("TT_SIGNPOST: Warmup"));
}

TEST_F(TraceSessionTest, AToolThatLeavesNoFileIsToldWithWhatMayBeWrong) {
  stand_in_for_tools("exit 1\n");
  EXPECT_EQ(trace("exit 0").exit_code, 0);
  EXPECT_THAT(heard.complaints,
              HasSubstr("No profiling data could be captured: tracy-capture ended with 1 and left no file"));
}

TEST_F(TraceSessionTest, ToolsThatAreNotWhereTheyShouldBeAreAnErrorOfTheInput) {
  request.tools_folder = folder.path("nowhere");
  const TraceOutcome outcome = trace("true");
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_FALSE(outcome.is_usage_problem);
  EXPECT_THAT(outcome.error->message, HasSubstr("Tracy tools were not found: " + folder.path("nowhere")));
  EXPECT_FALSE(fs::exists(folder.path("run")));
  request.uses_tools = false;
  EXPECT_FALSE(trace("true").error.has_value()) << "they are not asked for";
}

TEST_F(TraceSessionTest, ALivePageBesideTracysToolsIsRefused) {
  stand_in_for_tools("exit 0\n");
  request.live.emplace();
  const TraceOutcome outcome = trace("true");
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_TRUE(outcome.is_usage_problem);
}

TEST_F(TraceSessionTest, ALivePageIsServedAndItsLastOneStandsStill) {
  request.live.emplace();
  std::string path;
  std::uint16_t port = 0;
  request.live->settings = [](const serve::ListenSocket&, const std::string& host, const std::string& token) {
    EXPECT_EQ(host, "127.0.0.1");
    serve::ServeSettings settings;
    settings.token = token;
    return settings;
  };
  request.live->on_open = [&](const LivePageAddress& place) {
    path = place.path;
    port = place.socket.port;
    EXPECT_FALSE(place.token.empty());
  };
  EXPECT_EQ(trace("cat \"$TT_METAL_PROFILER_DIR\"/.logs/live_page/*.html").exit_code, 0);
  EXPECT_THAT(path, HasSubstr("reports/"));
  EXPECT_GE(port, 8080);
  const std::string refresh = "http-equiv=\"refresh\"";
  EXPECT_THAT(testing::file_content(logs("program_output.log")), HasSubstr(refresh));
  EXPECT_THAT(testing::file_content(logs("live_page/live_report.html")), Not(HasSubstr(refresh)));
}

TEST_F(TraceSessionTest, LogsThatAreThereAreReportedWithoutARun) {
  TraceOutcome outcome = report_trace(request, heard);
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_THAT(outcome.error->message, HasSubstr("no logs here; -o names the folder of the run"));
  fs::create_directories(request.folders.logs);
  outcome = report_trace(request, heard);
  EXPECT_TRUE(outcome.error.has_value()) << "nothing is in them";
  testing::write_traced_logs(folder, "run/.logs");
  outcome = report_trace(request, heard);
  EXPECT_FALSE(outcome.error.has_value());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(heard.said, HasSubstr("2 op rows, 1 signpost\n"));
}

}  // namespace
}  // namespace ttscope::app
