// Whether a log is still being written.
#include "io/input_files.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "support/temp_folder.h"

namespace ttscope::io {
namespace {

using testing::TempFolder;

TEST(GrowthWatch, AFileThatGrowsIsBeingWritten) {
  const TempFolder folder;
  const std::string log = folder.file("run.log", "one line\n");
  const GrowthWatch watch({folder.file("other.log", "x"), log});
  EXPECT_FALSE(watch.is_being_written()) << "that it is new does not matter";
  std::ofstream(log, std::ios::app) << "another\n";
  EXPECT_TRUE(watch.is_being_written());
}

TEST(GrowthWatch, WhatIsNoFileDoesNotGrow) {
  const TempFolder folder;
  EXPECT_FALSE(GrowthWatch({"-", folder.path(), folder.path("none")}).is_being_written());
}

TEST(GrowthWatch, AnotherProcessThatHoldsItForWritingWritesIt) {
  const TempFolder folder;
  const std::string log = folder.file("run.log", "one line\n");
  for (const bool writes : {false, true}) {
    int ready[2] = {};
    ASSERT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      const FILE* held = fopen(log.c_str(), writes ? "a" : "r");
      const char done = held == nullptr ? 'n' : 'y';
      if (write(ready[1], &done, 1) != 1) _exit(1);
      pause();
      _exit(0);
    }
    char answer = 0;
    ASSERT_EQ(read(ready[0], &answer, 1), 1);
    EXPECT_EQ(answer, 'y');
    EXPECT_EQ(GrowthWatch({log}).is_being_written(), writes);
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    close(ready[0]);
    close(ready[1]);
  }
}

}  // namespace
}  // namespace ttscope::io
