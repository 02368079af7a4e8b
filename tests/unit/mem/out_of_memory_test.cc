#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "mem/read/failures.h"
#include "support/log_text.h"
#include "support/read_text.h"
#include "support/trace_text.h"

namespace ttscope::mem {
namespace {

OutOfMemory parsed(std::string_view text) {
  OutOfMemory failure;
  EXPECT_TRUE(parse_failure(text, failure)) << text;
  return failure;
}

const std::string kFirst =
    "Not enough space to allocate 226492416 B DRAM buffer across 12 banks, where each bank needs to store "
    "18874368 B";

TEST(OutOfMemory, TheFirstSentenceHasNoBankSize) {
  const OutOfMemory failure = parsed(kFirst);
  EXPECT_EQ(failure.memory, Memory::kDram);
  EXPECT_EQ(failure.requested_bytes, 226492416);
  EXPECT_EQ(failure.banks, 12);
  EXPECT_EQ(failure.per_bank_bytes, 18874368);
  EXPECT_EQ(failure.bank_size_bytes, -1);
  EXPECT_EQ(failure.free_bytes, -1);
}

TEST(OutOfMemory, ThenTheBankSizeCame) {
  EXPECT_EQ(parsed(kFirst + ", but bank size is only 1071821792 B").bank_size_bytes, 1071821792);
}

TEST(OutOfMemory, ThenTheStateOfTheBank) {
  const OutOfMemory failure =
      parsed(kFirst +
             ", but bank size is 1071821792 B (allocated: 1046245472 B, free: 25576320 B, "
             "largest free block: 17575008 B)");
  EXPECT_EQ(failure.bank_size_bytes, 1071821792);
  EXPECT_EQ(failure.allocated_bytes, 1046245472);
  EXPECT_EQ(failure.free_bytes, 25576320);
  EXPECT_EQ(failure.largest_free_bytes, 17575008);
}

TEST(OutOfMemory, TheSentenceOfAllocatorDependencies) {
  const OutOfMemory failure = parsed(
      "Not enough space after considering dependencies to allocate 4096 B L1_SMALL across 64 banks "
      "(64 B per bank), bank size is 0 B (allocated: 0 B, free: 0 B, largest free block: 0 B)");
  EXPECT_EQ(failure.memory, Memory::kL1Small);
  EXPECT_EQ(failure.requested_bytes, 4096);
  EXPECT_EQ(failure.per_bank_bytes, 64);
  EXPECT_EQ(failure.bank_size_bytes, 0);
}

TEST(OutOfMemory, ReflowedTextWithSeparatorsIsRead) {
  const OutOfMemory failure = parsed(
      "Not enough space to\n  allocate 226,492,416 B\r\n L1 buffer across 64 banks, where each bank "
      "needs to\nstore 3,538,944 B");
  EXPECT_EQ(failure.memory, Memory::kL1);
  EXPECT_EQ(failure.requested_bytes, 226492416);
  EXPECT_EQ(failure.per_bank_bytes, 3538944);
}

/// `grep -n -A5`, ts and GitLab: the words of a message do not begin like lines of a log.
TEST(OutOfMemory, AReflowedMessageIsReadBehindWhatToolsWriteBeforeEveryLine) {
  const std::vector<std::string> lines = {
      "TT_FATAL: Out of Memory: Not enough space to allocate 226,492,416 B",
      "DRAM buffer across 12 banks, where each bank needs to store",
      "18,874,368 B, but bank size is 1,071,821,792 B", "(allocated: 1,046,245,472 B, free: 25,576,320 B,",
      " largest free block: 17,575,008 B)"};
  for (const std::string before :
       {"", "7:", "7-", "logs/run-1.log:12:", "run.log-12-", "2026-11-18 00:06:49 ",
        "2026-11-18 00:06:49,123 ", "\x1b[0K", "2025-10-14T04:33:23Z 00O \x1b[0K", "> 7:"}) {
    std::string text;
    for (const std::string& line : lines) text.append(before).append(line).append("\n");
    const RuntimeLog log = testing::read_text(text);
    ASSERT_EQ(log.ranks.size(), 1U) << before;
    ASSERT_EQ(log.ranks[0].failures.size(), 1U) << before;
    const OutOfMemory& failure = log.ranks[0].failures[0];
    EXPECT_EQ(failure.banks, 12) << before;
    EXPECT_EQ(failure.per_bank_bytes, 18874368) << before;
    EXPECT_EQ(failure.bank_size_bytes, 1071821792) << before;
    EXPECT_EQ(failure.free_bytes, 25576320) << before;
    EXPECT_EQ(failure.largest_free_bytes, 17575008) << before;
  }
}

TEST(OutOfMemory, CoresAreNoNumbersOfLines) {
  const OutOfMemory failure = parsed(
      "Statically allocated circular buffers on core range [\n0-0 - 7-7] grow to 1741152 B which is beyond "
      "max "
      "L1 size of 1499136 B");
  EXPECT_THAT(failure.core_range, ::testing::EndsWith("0-0 - 7-7"));
}

TEST(OutOfMemory, ACutMessageHasNoInventedFigures) {
  const OutOfMemory failure =
      parsed("Not enough space to allocate 96 B DRAM buffer across 12 banks (allocated: 7 B, free: 8 B)");
  EXPECT_EQ(failure.per_bank_bytes, -1);
  EXPECT_EQ(failure.bank_size_bytes, -1);
  EXPECT_EQ(failure.allocated_bytes, 7);
  EXPECT_EQ(failure.free_bytes, 8);
  EXPECT_EQ(failure.largest_free_bytes, -1);
}

TEST(OutOfMemory, CircularBuffersProgramsTracesAndTheHostAreFailuresToo) {
  const OutOfMemory beyond = parsed(
      "Statically allocated circular buffers on core range [0-0 - 7-7] grow to 20 B which is beyond max "
      "L1 size of 10 B");
  EXPECT_EQ(beyond.kind, FailureKind::kBuffersBeyondL1);
  EXPECT_EQ(beyond.reached_bytes, 20);
  EXPECT_EQ(beyond.limit_bytes, 10);
  EXPECT_EQ(beyond.core_range, "0-0 - 7-7");
  const OutOfMemory clash = parsed(
      "Statically allocated circular buffers in program 77 clash with L1 buffers on core range [(x=0,y=0) "
      "- (x=7,y=7)]. L1 buffer allocated at 8 and static circular buffer region ends at 9");
  EXPECT_EQ(clash.kind, FailureKind::kBuffersClash);
  EXPECT_EQ(clash.limit_bytes, 8);
  EXPECT_EQ(clash.reached_bytes, 9);
  EXPECT_EQ(parsed("Program size (7) too large for kernel config buffer (6) on TENSIX").kind,
            FailureKind::kProgramSize);
  EXPECT_EQ(parsed("Creating trace buffers of size 5B on MeshDevice 1, but only 0B is allocated").kind,
            FailureKind::kTraceRegion);
  EXPECT_EQ(parsed("bad_alloc'").kind, FailureKind::kHostMemory);
}

TEST(OutOfMemory, AClashIsOneWithoutItsAddresses) {
  const OutOfMemory failure = parsed(
      "Statically allocated circular buffers in program 7 clash with L1 buffers on core range [0-0 - 0-0]");
  EXPECT_EQ(failure.kind, FailureKind::kBuffersClash);
  EXPECT_EQ(failure.limit_bytes, -1);
  EXPECT_EQ(failure.reached_bytes, -1);
}

TEST(OutOfMemory, WordsAboutClashesAreNone) {
  for (const std::string text :
       {"Statically allocated circular buffers in program N clash with L1 buffers on core range [0-0 - 0-0]",
        "Statically allocated circular buffers ... clash with L1 buffers`, and 5 B grow to 7 B",
        "statically allocated circular buffers clash with L1 buffers",
        "Statically allocated circular buffers are what CBs are called"}) {
    OutOfMemory none;
    EXPECT_FALSE(parse_failure(text, none)) << text;
  }
}

TEST(OutOfMemory, AMessageGoesOnBehindTheBarOfAColumn) {
  const OutOfMemory failure =
      parsed("Not enough space to allocate 96 B\n       | DRAM buffer across 12 banks (free: 8 B)");
  EXPECT_EQ(failure.banks, 12);
  EXPECT_EQ(failure.free_bytes, 8);
}

TEST(OutOfMemory, ACoreRangeThatIsNoneIsNotKept) {
  const OutOfMemory failure = parsed(
      "Statically allocated circular buffers on core range [\x1b]0;x] grow to 20 B which is beyond max L1 "
      "size of 10 B");
  EXPECT_EQ(failure.core_range, "");
}

TEST(OutOfMemory, AMessageBetweenProgramsBlamesNoOp) {
  testing::LogText log;
  const std::string type = testing::dram_tensor(64, 64);
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", type)).finish("main");
  log.line("Out of Memory: " + kFirst);
  const RuntimeLog parsed = testing::read_text(log.text());
  ASSERT_EQ(parsed.ranks[0].failures.size(), 1u);
  EXPECT_EQ(parsed.ranks[0].failures[0].last_op, kNone);
  EXPECT_EQ(parsed.ranks[0].failures[0].before_op, 1u);
}

TEST(OutOfMemory, TheLoggerAtAnotherOpTellsOfAnotherFailure) {
  testing::LogText log;
  const std::string type = testing::dram_tensor(64, 64);
  const std::string logged =
      "2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: Out of Memory: " + kFirst;
  log.start("main")
      .op(testing::op_text("%0", "ttnn.ones", "", "", type))
      .line(logged)
      .line("Out of Memory: " + kFirst);
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", type)).line(logged);
  const RuntimeLog parsed = testing::read_text(log.text());
  EXPECT_EQ(parsed.ranks[0].failures.size(), 2u);
  ASSERT_EQ(parsed.ranks[0].failure_messages.size(), 3u);
  EXPECT_EQ(parsed.ranks[0].failure_messages[1].failure, 0u);
  EXPECT_EQ(parsed.ranks[0].failure_messages[2].failure, 1u);
}

TEST(OutOfMemory, NumbersThatOverflowSaturate) {
  const OutOfMemory failure = parsed(
      "Not enough space to allocate 99999999999999999999999999 B DRAM buffer across 99999999999999999999999 "
      "banks");
  EXPECT_GT(failure.requested_bytes, 0);
  EXPECT_GT(failure.banks, 0);
}

TEST(OutOfMemory, OtherSentencesAreNot) {
  OutOfMemory failure;
  for (const std::string text :
       {"", "Not enough space", "Not enough space to allocate x B DRAM buffer",
        "Cannot allocate at an address", "Not enough space to allocate 12 B XRAM buffer across 12 banks"}) {
    EXPECT_FALSE(parse_failure(text, failure)) << text;
  }
}

TEST(OutOfMemory, OneFailureIsPrintedSeveralTimes) {
  testing::LogText log;
  const std::string type = testing::dram_tensor(64, 64);
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", type)).block("NamedFullOp", 1024);
  log.line("2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: Out of Memory: " + kFirst +
           " (assert.hpp:104)");
  log.line("info:").line("Out of Memory: " + kFirst +
                         ", but bank size is 7 B (allocated: 5 B, free: 2 B, largest free block: 1 B)");
  const std::uint32_t last_line = log.lines();
  const RuntimeLog parsed = testing::read_text(log.text());
  ASSERT_EQ(parsed.ranks.size(), 1u);
  ASSERT_EQ(parsed.ranks[0].failures.size(), 1u);
  EXPECT_EQ(parsed.ranks[0].failures[0].line, last_line - 2);
  EXPECT_EQ(parsed.ranks[0].failures[0].last_op, 0u);
  EXPECT_EQ(parsed.ranks[0].failures[0].free_bytes, 2);
}

TEST(OutOfMemory, AReflowedFailureDoesNotDependOnChunks) {
  testing::LogText log;
  log.start("main").op(testing::op_text("%0", "ttnn.ones", "", "", testing::dram_tensor(64, 64)));
  log.line("TT_FATAL: Out of Memory: Not enough space to")
      .line("allocate 226492416 B DRAM buffer across 12 banks,");
  log.line("where each bank needs to store 18874368 B");
  log.op(testing::op_text("%1", "ttnn.ones", "", "", testing::dram_tensor(64, 64)));
  log.line("Out of Memory: " + kFirst).finish("main");
  const std::string expected = testing::runtime_log_text(testing::read_text(log.text()));
  EXPECT_THAT(expected, ::testing::HasSubstr("failure 3 0 DRAM 226492416 12 18874368"));
  for (std::size_t chunk_bytes = 1; chunk_bytes < log.text().size(); chunk_bytes += 7) {
    ASSERT_EQ(testing::runtime_log_text(testing::read_text(log.text(), {.chunk_bytes = chunk_bytes})),
              expected);
  }
}

TEST(OutOfMemory, AFailureBeforeAnyOpIsKept) {
  testing::LogText log;
  log.line("2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: Out of Memory: " + kFirst);
  const RuntimeLog parsed = testing::read_text(log.text());
  ASSERT_EQ(parsed.ranks.size(), 1u);
  ASSERT_EQ(parsed.ranks[0].failures.size(), 1u);
  EXPECT_EQ(parsed.ranks[0].failures[0].last_op, kNone);
}

TEST(OutOfMemory, AFigureThatTheTextEndsInIsNotBelieved) {
  const std::string whole =
      kFirst +
      ", but bank size is 1071821792 B (allocated: 1046245472 B, free: 25576320 B, largest "
      "free block: 17575008 B)";
  const OutOfMemory all = parsed(whole);
  EXPECT_FALSE(all.is_cut);
  for (std::size_t cut = whole.find("226492416 B") + 20; cut < whole.size(); ++cut) {
    const OutOfMemory failure = parsed(whole.substr(0, cut));
    for (const auto figure :
         {&OutOfMemory::requested_bytes, &OutOfMemory::banks, &OutOfMemory::per_bank_bytes,
          &OutOfMemory::bank_size_bytes, &OutOfMemory::allocated_bytes, &OutOfMemory::free_bytes,
          &OutOfMemory::largest_free_bytes}) {
      EXPECT_TRUE(failure.*figure == -1 || failure.*figure == all.*figure) << whole.substr(0, cut);
    }
    const bool inside = whole[cut - 1] >= '0' && whole[cut - 1] <= '9';
    EXPECT_TRUE(failure.is_cut || !inside) << whole.substr(0, cut);
  }
  const OutOfMemory clash = parsed(
      "Statically allocated circular buffers in program 77 clash with L1 buffers on core range [0-0 - 7-7]. "
      "L1 "
      "buffer allocated at 974336 and static circular buffer region ends at 1089");
  EXPECT_EQ(clash.reached_bytes, -1) << "it would end below the buffer that it clashes with";
}

TEST(OutOfMemory, ANumberThatStandsInTwoLinesIsOne) {
  const OutOfMemory failure = parsed(
      "Not enough space to allocate 2264\n92416 B DRAM buffer across 1\n2 banks, where each bank needs to "
      "store "
      "18874368 B");
  EXPECT_EQ(failure.requested_bytes, 226492416);
  EXPECT_EQ(failure.banks, 12);
}

TEST(OutOfMemory, ALineTellsOfTheHostsMemoryOnce) {
  testing::LogText log;
  log.line(
      "RuntimeError: DefaultCPUAllocator: can't allocate memory: you tried to allocate 4096 bytes. Error "
      "code 12 "
      "(Cannot allocate memory)");
  const RuntimeLog parsed = testing::read_text(log.text());
  ASSERT_EQ(parsed.ranks.size(), 1u);
  ASSERT_EQ(parsed.ranks[0].failures.size(), 1u);
  EXPECT_EQ(parsed.ranks[0].failures[0].requested_bytes, 4096);
}

}  // namespace
}  // namespace ttscope::mem
