#include "cli/terminal.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/result.h"
#include "cli/command_line.h"

namespace ttscope::cli {
namespace {

TEST(ExitCode, TellsNothingFoundFromEverythingElse) {
  EXPECT_EQ(exit_code_of(nothing_found("x")), kNothingFound);
  EXPECT_EQ(exit_code_of(bad_input("x")), kFailed);
  EXPECT_EQ(exit_code_of(write_failed("x")), kFailed);
  EXPECT_EQ(exit_code_of({ErrorCode::kOtherKind, "x"}), kFailed);
  EXPECT_EQ(fail(nothing_found("what fail() says goes to standard error")), kNothingFound);
}

TEST(ExitCode, NumbersAreThoseThatScriptsKnow) {
  EXPECT_EQ(kOk, 0);
  EXPECT_EQ(kFailed, 1);
  EXPECT_EQ(kUsage, 2);
  EXPECT_EQ(kLimitExceeded, 3);
  EXPECT_EQ(kNothingFound, 4);
}

TEST(Color, AChoiceCountsWhateverTheStreamIs) {
  EXPECT_TRUE(use_color("always", Stream::kOut));
  EXPECT_FALSE(use_color("never", Stream::kOut));
}

TEST(ClosedPipe, OnlyThatOfStandardOutputIsForgiven) {
  EXPECT_TRUE(ignore_closed_pipe({}, "-"));
  EXPECT_FALSE(ignore_closed_pipe(failure(write_failed("disk full")), "out.csv"));
}

TEST(ReportWidth, IsWhatTheShellSays) {
  ASSERT_EQ(setenv("COLUMNS", "123", 1), 0);
  EXPECT_EQ(report_width(), 123);
  ASSERT_EQ(unsetenv("COLUMNS"), 0);
}

}  // namespace
}  // namespace ttscope::cli
