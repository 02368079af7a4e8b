#include <gtest/gtest.h>

#include "perf/write/raw_run.h"

namespace ttscope::perf {
namespace {

TEST(RawFilesText, FilesOfARunWithoutAClockSayWhatTheirTimesRestOn) {
  RawRun run;
  EXPECT_EQ(raw_files_text(run, {}, "out"), "") << "nothing was written";
  EXPECT_EQ(raw_files_text(run, {"out/a.csv"}, "out"),
            "\nWritten\n  out/a.csv\n"
            "The document names no clock: the log says 1000 MHz, and times in μs are as right as that.\n"
            "Read them with: ttscope perf out\n");
  run.clock_mhz = 1350;
  EXPECT_EQ(raw_files_text(run, {"a", "b"}, "o\x1b"),
            "\nWritten\n  a\n  b\nRead them with: ttscope perf o\\x1b\n");
}

}  // namespace
}  // namespace ttscope::perf
