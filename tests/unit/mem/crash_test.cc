#include "mem/read/crashes.h"

#include <gtest/gtest.h>

#include "support/log_text.h"
#include "support/read_text.h"

namespace ttscope::mem {
namespace {

TEST(Crash, IsToldByEachOfItsLines) {
  const std::vector<std::pair<std::string_view, CrashKind>> lines = {
      {"2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: bad shape (assert.hpp:104)",
       CrashKind::kFatal},
      {"TT_THROW @ /src/program.cpp:12: tt::exception", CrashKind::kThrow},
      {"\x1b[1mDEBUG_ASSERT @ /src/types.cpp:128: ttnnTensor.is_allocated()", CrashKind::kAssert},
      {"            RuntimeTTNN |    FATAL | no such op", CrashKind::kFatal},
      {"\x1b[32m            RuntimeTTNN\x1b[0m | \x1b[1m\x1b[31m   FATAL\x1b[0m | no such op",
       CrashKind::kFatal},
      {"                 Always | FATAL    | no such op", CrashKind::kFatal},
      {"FATAL | Layout mismatch, expected TILE, got ROW_MAJOR", CrashKind::kFatal},
      {"Segmentation fault (core dumped)", CrashKind::kSegmentationFault},
      {"Fatal Python error: Aborted", CrashKind::kAborted},
      {"terminate called after throwing an instance of 'std::runtime_error'", CrashKind::kAborted},
      {"terminate called after throwing an instance of 'std::bad_alloc'", CrashKind::kHostMemory},
      {"bash: line 1:  4711 Killed                  python model.py", CrashKind::kKilled},
      {"Out of memory: Killed process 4711 (python)", CrashKind::kKilled},
      {"TIMEOUT: device timeout in fetch queue wait, potential hang detected", CrashKind::kTimeout},
      {"Bus error (core dumped)", CrashKind::kBusError},
      {"[1.2] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null)", CrashKind::kKilled},
      {"ERROR: Job failed: exit code 137", CrashKind::kKilled},
      {"##[error]Process completed with exit code 139.", CrashKind::kSegmentationFault},
      {"##[error]Process completed with exit code 1.", CrashKind::kReportedFailure},
      {"Received SIGTERM, shutting down", CrashKind::kTerminated},
      {"bash: line 1: 4711 Terminated              python model.py", CrashKind::kTerminated},
      {"FAILED tests/a.py::test_b - RuntimeError: x", CrashKind::kReportedFailure},
      {"tests/a.py::test_b FAILED                       [100%]", CrashKind::kReportedFailure},
      {"=================== 1 failed, 2 passed in 62.31s ===================", CrashKind::kReportedFailure},
      {"Bus error", CrashKind::kBusError},
      {"double free or corruption (!prev)", CrashKind::kAborted},
      {"free(): invalid pointer", CrashKind::kAborted},
      {"python: malloc.c:2379: sysmalloc: Assertion `(old_top == initial_top (av))' failed.",
       CrashKind::kAborted},
      {"pure virtual method called", CrashKind::kAborted},
      {"slurmstepd: error: Detected 1 oom_kill event in StepId=1.0.", CrashKind::kKilled},
      {"slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-05-14T01:00:31 DUE TO TIME LIMIT ***",
       CrashKind::kTerminated},
      {"##[error]The job running on runner r1 has exceeded the maximum execution time of 60 minutes.",
       CrashKind::kTerminated},
      {"ERROR: Job failed: execution took longer than 1h0m0s seconds", CrashKind::kTerminated},
      {"E       Failed: Timeout (>60.0s) from pytest-timeout.", CrashKind::kTerminated},
      {"KeyboardInterrupt", CrashKind::kTerminated},
      {"srun: error: n1: task 0: Exited with exit code 1", CrashKind::kReportedFailure},
      {"ERROR: script returned exit code 1", CrashKind::kReportedFailure},
      {"mpirun detected that one or more processes exited with non-zero status, thus causing",
       CrashKind::kReportedFailure},
      {"Finished: FAILURE", CrashKind::kReportedFailure},
      {"mpirun noticed that process rank 0 with PID 7 on node n1 exited on signal 11.",
       CrashKind::kSegmentationFault},
      {"Worker 3 died with signal 9", CrashKind::kKilled},
      {"zsh: segmentation fault  python model.py", CrashKind::kSegmentationFault},
      {"[1.2] python3[71]: segfault at 0 ip 00007f", CrashKind::kSegmentationFault},
      {"Timeout (0:10:00)!", CrashKind::kTerminated},
      {"libc++abi: terminating due to uncaught exception", CrashKind::kAborted},
      {"tests/a.py::test_b ERROR                        [ 50%]", CrashKind::kReportedFailure},
      {"==================== 1 error in 2.31s ====================", CrashKind::kReportedFailure},
      {"AssertionError", CrashKind::kPythonError},
      {"Traceback (most recent call last):", CrashKind::kPythonError},
      {"RuntimeError: Bad StatusOr access: INTERNAL: Error code: 13", CrashKind::kPythonError},
      {"E       jaxlib.xla_extension.XlaRuntimeError: INTERNAL", CrashKind::kPythonError},
  };
  for (const auto& [line, kind] : lines) {
    ASSERT_TRUE(parse_crash_line(line).has_value()) << line;
    EXPECT_EQ(name_of(*parse_crash_line(line)), name_of(kind)) << line;
  }
}

TEST(Crash, IsNotToldByOrdinaryLines) {
  for (const std::string_view line :
       {"            RuntimeTTNN |    DEBUG | Device grid size = { 8, 8 }", "Epoch 1: loss 0.5, no error",
        "  %12 = \"ttnn.add\"(%1) {note = \"TT_FATAL\"} : ...", "WARNING: 3 workers killed earlier", "",
        "2026-05-14 01:00:31.755 | info     |           Metal | closing", "Note: Error: none",
        "loading KilledModel  weights", "Process completed with exit code 0.",
        "the tool gave exit code 1 before", "=========== 3 passed in 1.2s ===========",
        "========= short test summary info =========", "tests/a.py::test_b PASSED   [100%]",
        "std::FAILED states are none", "#loc137 = loc(\"SIGTERM\")"}) {
    EXPECT_FALSE(parse_crash_line(line).has_value()) << line;
  }
}

TEST(Crash, LinesShorterThanAnyOtherOfInterestCountToo) {
  for (const std::string_view line : {"Bus error", "Killed", "Terminated", "OSError: x"}) {
    testing::LogText log;
    log.start("main").finish("main");
    log.line(std::string(line));
    const RuntimeLog parsed = testing::read_text(log.text());
    ASSERT_EQ(parsed.ranks.size(), 1U);
    EXPECT_EQ(parsed.ranks[0].crashes.size(), 1U) << line;
  }
}

TEST(Crash, TextIsTheMessageWithoutPrefixesAndColors) {
  EXPECT_EQ(crash_text("2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: bad (a.hpp:1)"),
            "TT_FATAL: bad (a.hpp:1)");
  EXPECT_EQ(crash_text("\x1b[31mE       RuntimeError: x\x1b[0m"), "RuntimeError: x");
  EXPECT_EQ(crash_text(std::string(100000, 'x')).size(), kCrashTextBytes);
}

TEST(Crash, TheReasonBelowAnExceptionIsItsText) {
  for (const std::string before : {"", "E       ", "[rank1]: ", "2025-10-14T04:33:23.9048735Z "}) {
    const RuntimeLog log = testing::read_text(
        before + "RuntimeError: TT_FATAL @ /tt-metal/functions.cpp:25: buffers.size() == 1\n" + before +
        "info:\n" + before + "Can't get a single buffer from host storage\n" + before + "backtrace:\n");
    ASSERT_EQ(log.ranks.size(), 1U) << before;
    ASSERT_EQ(log.ranks[0].crashes.size(), 1U) << before;
    EXPECT_EQ(log.ranks[0].crashes[0].text,
              "Can't get a single buffer from host storage (RuntimeError: TT_FATAL @ "
              "/tt-metal/functions.cpp:25: buffers.size() == 1)");
  }
  const std::string text = "TT_FATAL @ a.cpp:1: x\r\ninfo:\r\nno room\r\nbacktrace:";
  const auto shown = [&text](std::size_t length) {
    const std::string_view all = std::string_view(text).substr(0, length);
    return crash_text(with_reason(all.substr(0, 21), all.substr(21)).value_or("not told"));
  };
  EXPECT_EQ(shown(text.size()), "no room (TT_FATAL @ a.cpp:1: x)");
  EXPECT_EQ(shown(30), "not told");
  EXPECT_EQ(shown(25), "TT_FATAL @ a.cpp:1: x");
  EXPECT_EQ(shown(21), "TT_FATAL @ a.cpp:1: x");
}

TEST(Crash, TheReasonIsFoundWhereverChunksEnd) {
  const std::string text =
      "some line before\n[rank1]: RuntimeError: TT_FATAL @ /m/a.cpp:25: x == 1\x1b[0m\n[rank1]: info:\n"
      "[rank1]: no single buffer\n[rank1]: backtrace:\n";
  for (std::size_t chunk_bytes = 1; chunk_bytes <= text.size(); ++chunk_bytes) {
    const RuntimeLog log = testing::read_text(text, {.chunk_bytes = chunk_bytes});
    ASSERT_EQ(log.ranks.size(), 1U) << chunk_bytes;
    ASSERT_EQ(log.ranks[0].crashes.size(), 1U) << chunk_bytes;
    EXPECT_EQ(log.ranks[0].crashes[0].text, "no single buffer (RuntimeError: TT_FATAL @ /m/a.cpp:25: x == 1)")
        << chunk_bytes;
  }
}

TEST(Crash, LinesAreKeptWithTheOpBeforeThem) {
  testing::LogText log;
  log.start("main")
      .op(R"(%0 = "ttnn.neg"(%arg0) : (tensor<1xf32>) -> tensor<1xf32>)")
      .block("EltwiseUnaryOp", 0);
  log.line("Killed");
  const RuntimeLog parsed = testing::read_text(log.text());
  ASSERT_EQ(parsed.ranks.size(), 1U);
  ASSERT_EQ(parsed.ranks[0].crashes.size(), 1U);
  EXPECT_EQ(parsed.ranks[0].crashes[0].kind, CrashKind::kKilled);
  EXPECT_EQ(parsed.ranks[0].crashes[0].line, log.lines());
  EXPECT_EQ(parsed.ranks[0].crashes[0].last_op, 0U);
}

TEST(Crash, UntaggedLinesBelongToTheRanksOfTheirFile) {
  testing::LogText tagged({.before = "[1,0]<stdout>: "});
  tagged.start("main")
      .op(R"(%0 = "ttnn.neg"(%arg0) : (tensor<1xf32>) -> tensor<1xf32>)")
      .block("EltwiseUnaryOp", 0);
  const RuntimeLog log = testing::read_text(tagged.text() + "Segmentation fault (core dumped)\n");
  ASSERT_EQ(log.ranks.size(), 1U);
  ASSERT_EQ(log.ranks[0].crashes.size(), 1U);
  EXPECT_EQ(log.ranks[0].crashes[0].kind, CrashKind::kSegmentationFault);
}

}  // namespace
}  // namespace ttscope::mem
