// What a growing log tells while it is being written.
#include "launch/live_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ttscope::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string runtime_line(std::string_view message) {
  return "            RuntimeTTNN |    DEBUG | " + std::string(message) + "\n";
}

std::string view_line(std::string_view memory, std::string_view total, std::string_view allocated) {
  return "                 Always |     INFO | Device " + std::string(memory) +
         " memory state: MemoryView{numBanks: 12, totalBytesPerBank: " + std::string(total) +
         " MB, totalBytesAllocatedPerBank: " + std::string(allocated) +
         " MB, totalBytesFreePerBank: 1.000 MB, largestContiguousBytesFreePerBank: 1.000 MB}\n";
}

std::string block(std::string_view dram) {
  return "                 Always |     INFO | Device memory state before operation AddOp\n" +
         view_line("DRAM", "1000.000", dram) + view_line("L1", "1.250", "0.500");
}

std::string small_log() {
  return runtime_line("Starting execution of program: main") +
         runtime_line("Executing operation: %0 = \"ttnn.add\"(%arg0) : () -> () loc(\"a\")") +
         block("1.000") + runtime_line("Starting execution of program: main_const_eval_0") +
         runtime_line("Executing operation: %1 = \"ttnn.multiply\"(%0) : () -> () loc(\"b\")") +
         block("9.000") + runtime_line("Finished execution of program: main_const_eval_0") +
         runtime_line("Executing operation: \"ttnn.deallocate\"(%0) : () -> () loc(unknown)") +
         block("3.000");
}

LiveState scan(std::string_view text) {
  LiveScan live;
  live.add(text);
  live.finish();
  return live.state();
}

TEST(LiveScan, KeepsWhatTheStatusShows) {
  const LiveState state = scan(small_log());
  EXPECT_EQ(state.ops, 2u);
  EXPECT_EQ(state.blocks, 3u);
  EXPECT_EQ(state.lines, 15u);
  EXPECT_EQ(state.bytes, small_log().size());
  EXPECT_EQ(state.program, "main");
  EXPECT_EQ(state.program_runs, 1u);
  const LiveMemory& dram = state.memory[mem::index_of(mem::Memory::kDram)];
  EXPECT_TRUE(dram.is_known);
  EXPECT_EQ(dram.first, 1000u);
  EXPECT_EQ(dram.allocated, 3000u);
  EXPECT_EQ(dram.peak, 9000u);
  EXPECT_EQ(dram.total, 1000000u);
  EXPECT_EQ(state.memory[mem::index_of(mem::Memory::kL1)].allocated, 500u);
}

TEST(LiveScan, DoesNotMatterWhereAPieceEnds) {
  const std::string text =
      small_log() + "Traceback (most recent call last):\n  File x\nValueError: y\nno end";
  const LiveState whole = scan(text);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    LiveScan live;
    live.add(std::string_view(text).substr(0, cut));
    live.add(std::string_view(text).substr(cut));
    live.finish();
    const LiveState state = live.state();
    ASSERT_EQ(state.ops, whole.ops) << cut;
    ASSERT_EQ(state.lines, whole.lines) << cut;
    ASSERT_EQ(state.blocks, whole.blocks) << cut;
    ASSERT_EQ(state.memory[0].allocated, whole.memory[0].allocated) << cut;
    ASSERT_EQ(state.program, whole.program) << cut;
    ASSERT_THAT(state.troubles, SizeIs(1)) << cut;
    ASSERT_EQ(state.troubles[0].line, whole.troubles[0].line) << cut;
  }
}

TEST(LiveScan, BytesOneByOne) {
  LiveScan live;
  for (const char c : small_log()) live.add({&c, 1});
  EXPECT_EQ(live.state().ops, 2u);
  EXPECT_EQ(live.state().lines, 15u);
}

TEST(LiveScan, AByteOrderMarkHidesNoFirstLine) {
  const std::string marked = "\xEF\xBB\xBF" + runtime_line("Executing operation: %0 = \"ttnn.add\"(%arg0)");
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, marked.size()}) {
    LiveScan live;
    for (std::size_t at = 0; at < marked.size(); at += piece)
      live.add(std::string_view(marked).substr(at, piece));
    EXPECT_EQ(live.state().ops, 1u) << piece;
    EXPECT_EQ(live.state().lines, 1u);
    EXPECT_EQ(live.state().bytes, marked.size());
  }
}

TEST(LiveScan, ALineWithoutEndTakesNoMemoryWithoutBound) {
  LiveScan live;
  const std::string piece(1 << 20, 'x');
  for (int i = 0; i < 64; ++i) live.add(piece);
  live.add("\n" + small_log());
  EXPECT_EQ(live.state().lines, 16u);
  EXPECT_EQ(live.state().ops, 2u);
}

TEST(LiveScan, ShowsTheFullestRank) {
  const auto tagged = [](std::string text, char rank) {
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at) + 1;
      result += std::string("[1,") + rank + "]<stdout>: " + text.substr(at, end - at);
      at = end;
    }
    return result;
  };
  const LiveState state =
      scan(tagged(block("700.000"), '0') + tagged(block("800.000"), '1') + tagged(block("100.000"), '2'));
  EXPECT_EQ(state.ranks, 3u);
  EXPECT_EQ(state.memory[0].allocated, 800000u);
}

TEST(StatusText, SaysWhatItKnowsAndFits) {
  const LiveState state = scan(small_log());
  EXPECT_EQ(status_text(state, 200),
            "2 ops | DRAM 3.00 of 1000.00 MB/bank 0.3% ▏░░░░░░░ | +2.00 MB since start | "
            "L1 0.50 of 1.25 MB/bank 40.0% | main");
  EXPECT_EQ(status_text(state, 30), "2 ops | +2.00 MB since start");
  EXPECT_EQ(status_text(state, 5), "2 ops");
  EXPECT_EQ(status_text(scan("hello\n"), 80), "1 line, no op or memory line yet");
}

TEST(StatusText, FailuresBeforeTheFirstOpAreCounted) {
  const LiveState state =
      scan("2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: bad shape\n");
  EXPECT_EQ(status_text(state, 80), "1 line, no op or memory line yet | 1 failure");
}

TEST(StatusText, NamesOfTheLogCannotActOnTheTerminal) {
  const LiveState state = scan(runtime_line("Executing operation: %0 = \"ttnn.add\"()") +
                               runtime_line("Starting execution of program: a\x07\xff\x9b"));
  EXPECT_THAT(status_text(state, 200), Not(HasSubstr("\x07")));
  LiveState bad;
  bad.troubles.push_back({TroubleKind::kCrash, 7, "\x1b[2Jx", 3});
  bad.trouble_count = 1;
  const std::string text = troubles_text(bad, 80);
  EXPECT_THAT(text, HasSubstr("line 7: crash, 3 times"));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace ttscope::launch
