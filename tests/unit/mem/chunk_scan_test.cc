#include "mem/read/chunk_scan.h"
#include "mem/model/log_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/string_pool.h"
#include "support/log_text.h"

namespace ttscope::mem {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::LogText;
using ::testing::SizeIs;

std::vector<LineKind> kinds_of(const ChunkScan& scan) {
  std::vector<LineKind> kinds;
  for (const LineRecord& record : scan.records) kinds.push_back(record.kind);
  return kinds;
}

LineRecord only_record(std::string_view line) {
  const ChunkScan scan = scan_chunk(line);
  EXPECT_THAT(scan.records, SizeIs(1)) << line;
  return scan.records.empty() ? LineRecord{} : scan.records[0];
}

const std::string kPrefix = "            RuntimeTTNN |    DEBUG | ";
const std::string kColored =
    "\x1b[32m            RuntimeTTNN\x1b[0m | \x1b[1m\x1b[38;5;240m   DEBUG\x1b[0m | ";
const std::string kOp = R"(%0 = "ttnn.neg"(%arg0) : (tensor<1xf32>) -> tensor<1xf32>)";

TEST(ChunkScan, FindsEveryKindOfLine) {
  LogText log;
  log.start("main").op(kOp, "\"neg.1\"").block("EltwiseUnaryOp", 0).retained().cache_hit("f").cache_miss("f");
  log.cache_hash("f", "abc").finish("main").line("Got output shape: torch.Size([1, 2])");
  log.module("ttnn", "module {}");
  const ChunkScan scan = scan_chunk(log.text());
  EXPECT_THAT(
      kinds_of(scan),
      ElementsAre(LineKind::kProgramStart, LineKind::kOp, LineKind::kBlock, LineKind::kRetained,
                  LineKind::kCacheHit, LineKind::kCacheMiss, LineKind::kCacheHash, LineKind::kProgramEnd,
                  LineKind::kOutputMarker, LineKind::kModuleHeader, LineKind::kModuleEnd));
  EXPECT_EQ(scan.records[0].text, "main");
  EXPECT_EQ(scan.records[6].text, "abc");
  EXPECT_EQ(scan.records[9].stage, Stage::kTtnn);
  EXPECT_EQ(scan.lines, log.lines());
}

TEST(ChunkScan, SplitsAnOpLineIntoTextAndLocation) {
  const std::string line = kPrefix + "Executing operation: " + kOp + R"( loc("dot.7"("inner")))";
  const LineRecord record = only_record(line);
  EXPECT_EQ(record.text, kOp);
  EXPECT_EQ(record.loc, R"("dot.7"("inner"))");
  EXPECT_TRUE(record.has_loc);
  EXPECT_EQ(record.text_hash, hash_text(kOp));
}

TEST(ChunkScan, LocationsOfEveryFormAreWhole) {
  for (const std::string loc :
       {R"(unknown)", R"("/home/u/model.py":25:10 to :33)", R"(fused["a.1", "b.2"])",
        R"(callsite("callee.1" at "caller.2"))", "\"a loc(b)\"", "\"x) loc(\" ", R"("weird\22name")"}) {
    const std::string line = kPrefix + "Executing operation: " + kOp + " loc(" + loc + ")";
    const LineRecord record = only_record(line);
    EXPECT_EQ(record.text, kOp) << loc;
    EXPECT_EQ(record.loc, loc);
  }
}

TEST(ChunkScan, ACutOpLineHasNoLocation) {
  const std::string line = kPrefix + "Executing operation: " + kOp + R"( loc("dot)";
  EXPECT_FALSE(only_record(line).has_loc);
  EXPECT_EQ(only_record(kPrefix + "Executing operation:").text, "");
}

TEST(ChunkScan, ColorsAndLineEndsAreNotPartOfTexts) {
  const std::string line = kColored + "Executing operation: " + kOp + " loc(unknown)\x1b[0m\r\n";
  const LineRecord record = only_record(line);
  EXPECT_EQ(record.text, kOp);
  EXPECT_EQ(record.loc, "unknown");
  const std::string start = kColored + "Starting execution of program: main\x1b[0m\r\n";
  EXPECT_EQ(only_record(start).text, "main");
}

TEST(ChunkScan, MarkersAreFoundBehindAnyText) {
  for (const std::string before :
       {"tests/test_a.py::test_b[x] ", "E       ", "ERROR 10-23 04:15:50 [engine.py:187] ", "[SERVER] ",
        "   0.26 Mbps / 19.1% =   1.38 Mbps | Tx: 12 MB | 18.97 s",
        "2026-03-13 22:29:07.451 | INFO     | a:b:42 - ", "2026-03-13 22:29:07.451 | INFO     | ",
        "2025-10-14T04:33:23.9048735Z ", "\x1b[90m12:00\x1b[0m ", "caf\xe9 "}) {
    for (const std::string& prefix : {kPrefix, kColored}) {
      const std::string line = before + prefix + "Executing operation: " + kOp + " loc(unknown)";
      EXPECT_EQ(only_record(line).text, kOp) << before;
      EXPECT_EQ(only_record(before + prefix + "Finished execution of program: f").kind, LineKind::kProgramEnd)
          << before;
      EXPECT_EQ(only_record(before + prefix + "Cache hit for function: f").text, "f") << before;
    }
  }
}

TEST(ChunkScan, LinesOfOtherProgramsAreNotOurs) {
  for (const std::string line :
       {"", "short", "Executing command: Submit and more text",
        "            RuntimeTTNN |    DEBUG | Executing command: x",
        "                 Always |    DEBUG | Device grid size = { 8, 8 }",
        "                 Always |    DEBUG | Tensor is retained, will not be deallocated",
        "[LayoutConvMem] Device memory | 12 MB",
        "say: Starting soon, Module:", "  func.func @main(%arg0: tensor<2xf32>) {",
        "||||||||||||||||||||||||||||||||||||||||||||||||||||||||||||"}) {
    EXPECT_THAT(scan_chunk(line).records, IsEmpty()) << line;
  }
}

TEST(ChunkScan, RanksAreToldByTheirTags) {
  const std::string text = "[1,0]<stdout>: " + kPrefix + "Starting execution of program: a\n" +   //
                           "[1,1]<stderr>: " + kColored + "Starting execution of program: b\n" +  //
                           "2025-10-14T04:33:23.9048735Z [1,0]<stdout>: " + kPrefix +
                           "Finished execution of program: a\n" + "[2026-05-29 17:55:46.647] [host=bh-1] " +
                           kColored + "Starting execution of program: c\n" +  //
                           kPrefix + "Starting execution of program: d\n";
  const ChunkScan scan = scan_chunk(text);
  ASSERT_THAT(scan.records, SizeIs(5));
  EXPECT_THAT(scan.tags, ElementsAre("", "1,0", "1,1", "bh-1"));
  const std::vector<std::uint16_t> expected = {1, 2, 1, 3, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(scan.records[i].tag, expected[i]) << i;
  EXPECT_EQ(scan.records[3].text, "c");
}

TEST(ChunkScan, ABlockIsAHeaderAndItsViews) {
  LogText log;
  log.block("MatmulOp", 1048576, 524288).submit_block(true, 0).submit_block(false, 0);
  const ChunkScan scan = scan_chunk(log.text());
  ASSERT_THAT(scan.blocks, SizeIs(3));
  EXPECT_EQ(scan.blocks[0].op_type, "MatmulOp");
  EXPECT_EQ(scan.blocks[0].present, 0xf);
  EXPECT_EQ(scan.blocks[0].allocated[0], 1000u);
  EXPECT_EQ(scan.blocks[0].allocated[1], 500u);
  EXPECT_EQ(scan.blocks[0].banks[0], 12u);
  EXPECT_EQ(scan.blocks[0].total[0], 1021169u);
  EXPECT_EQ(scan.blocks[0].view_line[3], 4u);
  EXPECT_EQ(scan.blocks[1].moment, MemoryBlock::Moment::kBeforeSubmit);
  EXPECT_EQ(scan.blocks[2].moment, MemoryBlock::Moment::kAfterSubmit);
}

TEST(ChunkScan, ViewsWithoutPrefixOrHeaderAreABlock) {
  LogText log;
  for (const char* memory : {"DRAM", "L1", "L1_SMALL", "TRACE", "DRAM"}) log.view(memory, 0);
  std::string text = log.text();
  for (std::size_t at = text.find("                 Always |     INFO | "); at != std::string::npos;
       at = text.find("                 Always |     INFO | ")) {
    text.erase(at, 37);
  }
  const ChunkScan scan = scan_chunk(text);
  ASSERT_THAT(scan.blocks, SizeIs(2));
  EXPECT_FALSE(scan.blocks[0].has_header);
  EXPECT_EQ(scan.blocks[0].present, 0xf);
  EXPECT_EQ(scan.blocks[1].present, 0x1);
}

TEST(ChunkScan, TheOldSpellingOfL1SmallIsKnown) {
  LogText log;
  std::string text = log.view("L1_SMALL", 0).text();
  text.replace(text.find("L1_SMALL"), 8, "L1 SMALL");
  EXPECT_EQ(scan_chunk(text).blocks.at(0).present, 0x4);
}

TEST(ChunkScan, UnreadableViewsAreReported) {
  LogText log;
  log.header("AddOp").view("DRAM", 0);
  std::string text = log.text();
  text.resize(text.size() - 20);
  EXPECT_THAT(kinds_of(scan_chunk(text)), ElementsAre(LineKind::kBlock, LineKind::kBadView));
}

TEST(ChunkScan, ModuleHeadersOfEveryEra) {
  const std::vector<std::pair<std::string, Stage>> headers = {
      {"VHLO Module:", Stage::kVhlo},
      {"SHLO Module:", Stage::kShlo},
      {"SHLO StableHLO Pipeline Module:", Stage::kShloCompiler},
      {"SHLO Module after frontend StableHLO pipeline:", Stage::kShloFrontend},
      {"SHLO Module after compiler StableHLO pipeline:", Stage::kShloCompiler},
      {"TTIR Module:", Stage::kTtir},
      {"TTNN Module:", Stage::kTtnn},
      {"MLIR Module vhlo:", Stage::kVhlo},
      {"MLIR Module shlo_frontend:", Stage::kShloFrontend},
      {"MLIR Module shlo_set_mesh_attr:", Stage::kShloSetMeshAttr},
      {"MLIR Module shlo_compiler_cleaned:", Stage::kShloCompilerCleaned},
      {"MLIR Module ttir:", Stage::kTtir},
      {"MLIR Module ttnn:", Stage::kTtnn},
      {"MLIR Module ttnn_runtime:", Stage::kTtnnRuntime},
  };
  for (const auto& [header, stage] : headers) {
    const std::string line =
        "2026-04-23 17:58:35.093 (  13.930s) [        D17FA6C0]      module_builder.cc:1278     1| " + header;
    const LineRecord record = only_record(line);
    EXPECT_EQ(record.kind, LineKind::kModuleHeader) << header;
    EXPECT_EQ(record.stage, stage) << header;
  }
  EXPECT_THAT(scan_chunk("2026-04-23 17:58:35.093 | MLIR Module something_new:").records, IsEmpty());
}

TEST(ChunkScan, OutOfMemoryIsFoundInEveryKindOfLine) {
  const std::string sentence =
      "Out of Memory: Not enough space to allocate 100 B DRAM buffer across 12 banks";
  for (const std::string before : {"2026-05-14 01:00:31.755 | critical |          Always | TT_FATAL: ", "",
                                   "                 Always |    FATAL | ", "E       ", "[SERVER] "}) {
    const std::string line = before + sentence;
    const LineRecord record = only_record(line);
    EXPECT_EQ(record.kind, LineKind::kFailure) << before;
    EXPECT_EQ(record.text, sentence);
    EXPECT_EQ(record.from_logger, before.find("critical") != std::string::npos) << before;
  }
}

TEST(ChunkScan, LinesOfLowLevelTellOfNoFailure) {
  for (const std::string line : {
           "2025-09-15 15:40:51.673 (   0.000s) [        F073E000]      platform.cc:47       1| "
           "std::bad_alloc no",
           "2025-10-20 19:58:07.146 | debug    |           Metal | TT_FATAL is defined (mesh_device.cpp:593)",
       }) {
    EXPECT_THAT(scan_chunk(line).records, IsEmpty()) << line;
  }
  EXPECT_EQ(only_record("2025-10-20 19:58:07.146 | critical |  Always | TT_FATAL: no (assert.hpp:1)").kind,
            LineKind::kCrash);
}

TEST(ChunkScan, AVeryLongOpLineIsCutAndSaysSo) {
  const std::string line = kPrefix + "Executing operation: " + std::string(2 << 20, 'x') + " loc(unknown)";
  const LineRecord record = only_record(line);
  EXPECT_TRUE(record.over_limit);
  EXPECT_FALSE(record.has_loc);
  EXPECT_EQ(record.text.size(), std::size_t{1} << 20);
}

TEST(ChunkScan, NulBytesDoNotEndALine) {
  const std::string line = kPrefix + "Executing operation: a" + std::string(1, '\0') + "b" + " loc(unknown)";
  EXPECT_EQ(only_record(line).text, std::string_view("a\0b", 3));
}

TEST(LinePrefix, LoggersAreTold) {
  EXPECT_TRUE(has_logger_prefix("2026-04-23 17:58:35.093 (  13.930s) [ D17] utils.h:62 ERR| Exception:"));
  EXPECT_TRUE(has_logger_prefix(kPrefix + "x"));
  EXPECT_TRUE(has_logger_prefix(kColored + "x"));
  for (const std::string line :
       {"module {", "  func.func @main() {", "#loc = loc(unknown)", "", "a | b", "2026-04-23"}) {
    EXPECT_FALSE(has_logger_prefix(line)) << line;
  }
}

TEST(LinePrefix, ColorsAreRemovedAndNothingElse) {
  EXPECT_EQ(without_colors("\x1b[32mgreen\x1b[0m and \x1b[38;5;240mgrey"), "green and grey");
  EXPECT_EQ(without_colors("\x1b]0;title\x07"), "\x1b]0;title\x07");
  EXPECT_EQ(without_colors("plain"), "plain");
  EXPECT_EQ(without_colors("\x1b["), "");
  EXPECT_EQ(without_colors("\x1b[0Ktext"), "text");
}

TEST(RecentTexts, ATextMetAgainKeepsItsNumberAndIsNotTakenApart) {
  const std::string log =
      "Executing operation: %1 = \"ttnn.add\"(%0) : (tensor<1xf32>) -> tensor<1xf32> loc(\"a\")\n";
  const std::string text =
      log + log + "Executing operation: %2 = \"ttnn.abs\"(%1) : (tensor<1xf32>) -> tensor<1xf32>\n";
  RecentTexts recent(3);
  const ChunkScan scan = scan_chunk(text, {&recent, true});
  ASSERT_EQ(scan.records.size(), 3u);
  EXPECT_EQ(scan.thread, 3u);
  EXPECT_EQ(scan.records[0].number, 0u);
  EXPECT_EQ(scan.records[0].parts, 0u);
  EXPECT_EQ(scan.records[1].number, 0u);
  EXPECT_EQ(scan.records[1].parts, kNone);
  EXPECT_EQ(scan.records[2].number, 1u);
  EXPECT_EQ(scan.op_parts.ops.size(), 2u);
  EXPECT_EQ(scan.op_parts.ops[1].name.text, "ttnn.abs");
}

TEST(RecentTexts, TextsOfTheSameHashAreToldApartByTheirBytes) {
  RecentTexts recent;
  const std::string first = "one";
  const std::string second = "two";
  EXPECT_EQ(recent.look_up(first, 7, true).number, 0u);
  EXPECT_EQ(recent.look_up(second, 7, true).number, 1u);
  EXPECT_EQ(recent.look_up(first, 7, true).number, 0u);
  EXPECT_TRUE(recent.look_up(second, 7, true).before);
}

TEST(RecentTexts, TextsThatDoNotStayGetNoNumber) {
  RecentTexts recent;
  EXPECT_FALSE(recent.look_up("one", 7, false).before);
  EXPECT_TRUE(recent.look_up("one", 7, false).before);
  EXPECT_EQ(recent.look_up("one", 7, false).number, kNone);
  EXPECT_EQ(recent.look_up("one", 7, true).number, 0u) << "a stable text after a passing one of the same hash";
}

TEST(ChunkScan, LinesOfAnotherKindOfLogAreNoticed) {
  const ScanContext context{nullptr, false,
                            [](std::string_view line) { return line.find("=== Other") != line.npos; }};
  EXPECT_TRUE(scan_chunk("something\n=== Other kind ===\n", context).has_other);
  EXPECT_TRUE(scan_chunk("[1,0]<stdout>:=== Other kind ===\n", context).has_other);
  EXPECT_FALSE(scan_chunk("something else that is long\n", context).has_other);
  EXPECT_FALSE(scan_chunk("=== Other kind ===\n").has_other);
}

}  // namespace
}  // namespace ttscope::mem
