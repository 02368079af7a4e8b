// Lines that tell of a failure.
#include "launch/live_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::launch {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Trouble> find(const std::vector<std::string>& lines) {
  TroubleFinder finder;
  for (std::size_t i = 0; i < lines.size(); ++i) finder.add_line(lines[i], i + 1);
  return finder.troubles();
}

TEST(Trouble, EachKindIsFound) {
  const std::vector<std::pair<std::string, TroubleKind>> cases = {
      {"2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: Out of Memory: Not enough space",
       TroubleKind::kOutOfMemory},
      {"terminate called after throwing an instance of 'std::runtime_error'", TroubleKind::kCrash},
      {"Segmentation fault (core dumped)", TroubleKind::kCrash},
      {"Fatal Python error: Segmentation fault", TroubleKind::kCrash},
      {"==12==ERROR: AddressSanitizer: heap-use-after-free", TroubleKind::kCrash},
      {"Bus error", TroubleKind::kCrash},
      {"bash: line 1:  4711 Killed                  python model.py", TroubleKind::kCrash},
      {"  what():  std::bad_alloc", TroubleKind::kCrash},
      {"TIMEOUT: device timeout, potential hang detected", TroubleKind::kCrash},
      {"DEBUG_ASSERT @ /a/types.cpp:128: tensor.is_allocated()", TroubleKind::kFatal},
      {"TT_THROW @ /a/b.cpp:3: tt::exception", TroubleKind::kFatal},
      {"            RuntimeTTNN |    FATAL | shapes differ", TroubleKind::kFatal},
      {"\x1b[32m            RuntimeTTNN\x1b[0m | \x1b[1m\x1b[31m   FATAL\x1b[0m | shapes differ",
       TroubleKind::kFatal},
      {"                 Always | FATAL    | old form", TroubleKind::kFatal},
  };
  for (const auto& [line, kind] : cases) {
    const auto found = find({"before", line});
    ASSERT_THAT(found, SizeIs(1)) << line;
    EXPECT_EQ(found[0].kind, kind) << line;
    EXPECT_EQ(found[0].line, 2u) << line;
  }
}

TEST(Trouble, AFailureThatLoggerAndExceptionPrintIsOne) {
  const std::string sentence =
      "Out of Memory: Not enough space to allocate 788004864 B DRAM buffer across 12 banks, where each bank "
      "needs to "
      "store 65667072 B, but bank size is 100089120 B (allocated: 82577472 B, free: 17511648 B, largest free "
      "block: "
      "15969504 B)";
  const auto found = find(
      {"2026-03-13 22:29:18.130 | critical |          Always | TT_FATAL: " + sentence + " (assert.hpp:104)",
       "info:", sentence});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].times, 2u);
}

TEST(Trouble, OrdinaryLinesAreNone) {
  EXPECT_THAT(
      find({"", "x", "            RuntimeTTNN |    DEBUG | Executing operation: Segmentation fault",
            "    %0 = \"ttnn.add\"() {msg = \"TT_FATAL\"}", "\x1b[32m", "Error: none",
            "\x1b[32m            RuntimeTTNN\x1b[0m | \x1b[1m\x1b[38;5;240m   DEBUG\x1b[0m | TT_FATAL",
            "                       | a table | of something"}),
      IsEmpty());
}

TEST(Trouble, ATracebackIsToldByItsException) {
  const auto found = find({"Traceback (most recent call last):", "  File \"a.py\", line 1, in <module>",
                           "    f()", "", "RuntimeError: Bad StatusOr access", "next"});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].kind, TroubleKind::kException);
  EXPECT_EQ(found[0].line, 1u);
  EXPECT_EQ(found[0].text, "RuntimeError: Bad StatusOr access");
}

TEST(Trouble, TracebacksOfRanksAreToldApart) {
  const auto found =
      find({"[1,0]<stderr>: Traceback (most recent call last):",
            "[1,1]<stderr>: Traceback (most recent call last):", "[1,0]<stderr>:   File a",
            "[1,1]<stderr>:   File b", "[1,1]<stderr>: KeyError: b", "[1,0]<stderr>: ValueError: a"});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].text, "KeyError: b");
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_EQ(found[1].line, 1u);
}

TEST(Trouble, PrintsOfOneFailureCountOnce) {
  const std::string sentence = "Out of Memory: Not enough space to allocate 8 B DRAM buffer (allocated: 1 B)";
  const auto found =
      find({"2026-05-14 01:00:31.755 | critical | Always | TT_FATAL: " + sentence + " (assert.hpp:104)",
            "TT_FATAL @ /a/bank_manager.cpp:462: false", "info:", sentence});
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].text, sentence);
  EXPECT_EQ(found[0].times, 2u);
}

TEST(Trouble, MemoryIsBounded) {
  TroubleFinder finder;
  for (std::uint64_t i = 1; i <= 5000; ++i) {
    finder.add_line("TT_FATAL @ " + std::to_string(i) + std::string(10000, 'x'), i);
    finder.add_line("[1," + std::to_string(i) + "]<stderr>: Traceback (most recent call last):", i);
  }
  EXPECT_EQ(finder.count(), 5000u);
  EXPECT_LE(finder.troubles().size(), 100u);
  EXPECT_LE(finder.troubles()[0].text.size(), kTroubleTextBytes);
}

}  // namespace
}  // namespace ttscope::launch
