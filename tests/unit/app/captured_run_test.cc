// Running a program, keeping its log and making its report.
#include "app/captured_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "mem/load.h"
#include "support/heard_run.h"
#include "support/profile_text.h"
#include "support/temp_folder.h"

namespace ttscope::app {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A run of shell code whose report goes into a folder of the test.
class CapturedRunTest : public ::testing::Test {
 protected:
  CapturedRunTest() {
    request.name = "model";
    request.base = folder.path("runs");
    request.environment = {"PATH=/usr/bin:/bin", "TTMEM_HOME=" + folder.path("home")};
    request.read_log = [](const std::string& path) { return mem::load_logs({path}, {.live_totals = true}); };
    request.page_options = [](const std::string& name) {
      mem::MemPageOptions options;
      options.name = name;
      return options;
    };
  }

  CaptureOutcome run(const std::string& code) {
    request.command = {"sh", "-c", code};
    return capture_command(request, heard);
  }
  /// A log of two ops that a program may print.
  std::string print_log() const {
    testing::LogText log;
    log.start("main").op(testing::ones("%1", 4)).block("ttnn.ones", 4 * testing::kUnit).finish("main");
    return "cat " + folder.file("printed", log.text());
  }

  testing::TempFolder folder;
  testing::HeardRun heard;
  CaptureRequest request;
};

TEST_F(CapturedRunTest, LeavesTheLogAndAReportHereAndInTheLibrary) {
  const CaptureOutcome outcome = run(print_log());
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_TRUE(outcome.started);
  EXPECT_EQ(testing::file_content(outcome.log_path), testing::file_content(folder.path("printed")));
  EXPECT_EQ(fs::path(outcome.log_path).filename(), "model_profile.log");
  ASSERT_THAT(outcome.report_files, SizeIs(6));
  for (const std::string& file : outcome.report_files) EXPECT_TRUE(fs::is_regular_file(file)) << file;
  EXPECT_THAT(outcome.library_folder, HasSubstr(folder.path("home")));
  EXPECT_TRUE(fs::is_directory(outcome.library_folder));
  EXPECT_THAT(heard.said, HasSubstr("ttscope: running sh -c 'cat "));
  EXPECT_THAT(heard.said, HasSubstr("  set  TTMLIR_RUNTIME_LOGGER_LEVEL=DEBUG "));
  EXPECT_THAT(heard.said, HasSubstr("Report folder\n  " + outcome.folder));
  EXPECT_THAT(heard.said, HasSubstr("Also among the reports of ttmem\n  " + outcome.library_folder));
}

TEST_F(CapturedRunTest, TheProgramsCodeIsThatOfTheRun) {
  const CaptureOutcome outcome = run(print_log() + "; exit 3");
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_THAT(outcome.report_files, SizeIs(6)) << "what was captured is analysed all the same";
  EXPECT_THAT(heard.complaints, HasSubstr("sh exited with code 3"));
}

TEST_F(CapturedRunTest, TheLogAloneIsKeptWhereNoReportIsWanted) {
  request.log_only = true;
  const CaptureOutcome outcome = run(print_log());
  EXPECT_THAT(outcome.report_files, IsEmpty());
  EXPECT_EQ(outcome.library_folder, "");
  EXPECT_THAT(heard.said, HasSubstr("tt-memory-profiler --analyze " + outcome.log_path));
}

TEST_F(CapturedRunTest, NothingIsSaidOfAQuietRun) {
  request.quiet = true;
  request.keep_in_library = false;
  const CaptureOutcome outcome = run(print_log());
  EXPECT_THAT(outcome.report_files, SizeIs(6));
  EXPECT_EQ(outcome.library_folder, "");
  EXPECT_EQ(heard.said + heard.complaints, "");
}

TEST_F(CapturedRunTest, AProgramThatPrintsNothingHasNoReport) {
  const CaptureOutcome outcome = run("exit 0");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_THAT(outcome.report_files, IsEmpty());
  EXPECT_THAT(heard.complaints, HasSubstr("sh printed nothing, so there is no report"));
}

TEST_F(CapturedRunTest, ALogThatCannotBeReadIsKeptAndFailsOnlyWhereItHeldSomething) {
  request.read_log = [](const std::string&) -> Result<mem::Profile> {
    return failure(bad_input("unreadable"));
  };
  EXPECT_EQ(run("echo hello").exit_code, 0);
  EXPECT_THAT(heard.complaints, HasSubstr("unreadable\nno report; the log is kept: "));
  EXPECT_EQ(run(print_log()).exit_code, launch::kLauncherFailure);
}

TEST_F(CapturedRunTest, WhatDoesNotStartLeavesNothing) {
  request.command = {"no-such-program"};
  const CaptureOutcome outcome = capture_command(request, heard);
  EXPECT_EQ(outcome.exit_code, launch::kNotFound);
  EXPECT_FALSE(outcome.started);
  EXPECT_THAT(heard.complaints, HasSubstr("no-such-program"));
  request.command = {folder.file("no_program", "text")};
  EXPECT_EQ(capture_command(request, heard).exit_code, launch::kNotRunnable);
  EXPECT_FALSE(fs::exists(folder.path("runs")));
}

TEST_F(CapturedRunTest, ASignalThatComesBeforeTheProgramStartsReachesIt) {
  heard.early_signal = SIGTERM;
  EXPECT_EQ(run("sleep 600").exit_code, 128 + SIGTERM);
  EXPECT_THAT(heard.complaints, HasSubstr("sh was killed by signal 15 (SIGTERM)"));
}

TEST_F(CapturedRunTest, WhatWasPrintedUntilASignalIsAnalyzed) {
  heard.late_signal = SIGTERM;
  const CaptureOutcome outcome = run("trap 'exit 9' TERM; " + print_log() + "; while :; do sleep 0.05; done");
  EXPECT_EQ(outcome.exit_code, 9);
  EXPECT_THAT(outcome.report_files, SizeIs(6));
}

TEST(CapturedRunText, VariablesOfTheUserAreToldWithWhatIsWrongWithThem) {
  const launch::LogEnvironment plan = launch::plan_environment({"TTMLIR_RUNTIME_LOGGER_LEVEL=INFO\x1b"});
  const std::vector<std::string> command = {"python", "my model.py"};
  const std::string text = capture_start_text({command, plan, "logs/x.log"}, {"ttscope", {}});
  EXPECT_THAT(text, HasSubstr("ttscope: running python 'my model.py'\n"));
  EXPECT_THAT(text, HasSubstr("  kept TTMLIR_RUNTIME_LOGGER_LEVEL=INFO\\x1b (yours; "));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(text, HasSubstr("  log  logs/x.log\n"));
}

TEST(CapturedRunText, AKilledProgramMayHaveUsedUpTheHost) {
  EXPECT_THAT(program_end_text({"python"}, {137, SIGKILL, false}),
              HasSubstr("python was killed by signal 9 (SIGKILL); if nobody did that, the host ran out"));
  EXPECT_EQ(program_end_text({"python"}, {139, SIGSEGV, true}),
            "python was killed by signal 11 (SIGSEGV), core dumped");
}

TEST(CapturedRunText, NextCommandsTakeThePathAsAShellDoes) {
  launch::CaptureResult result;
  result.output_bytes = 2048;
  const std::string text = next_commands_text("my logs/x.log", result, {"ttscope", {}});
  EXPECT_THAT(text, HasSubstr("ttscope mem 'my logs/x.log'\n"));
  EXPECT_THAT(text, HasSubstr("neither op lines nor memory lines"));
  result.state.ops = 1;
  EXPECT_THAT(next_commands_text("x.log", result, {"ttscope", {}}), Not(HasSubstr("neither op lines")));
}

TEST(CapturedRunText, FewBytesOnTheDiskAreAWarning) {
  EXPECT_EQ(low_disk_text("logs", -1), "") << "not known";
  EXPECT_EQ(low_disk_text("logs", 1LL << 30), "");
  EXPECT_EQ(low_disk_text("logs", 1 << 20), "warning: only 1.00 MB are free where the log goes (logs)");
}

}  // namespace
}  // namespace ttscope::app
