#include "mem/read/log_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/compressed.h"
#include "support/log_text.h"
#include "support/read_text.h"
#include "support/temp_folder.h"
#include "support/trace_text.h"

namespace ttscope::mem {
namespace {

using testing::deallocate_text;
using testing::dram_tensor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::load_cached_text;
using testing::LogText;
using testing::op_text;
using testing::read_text;
using testing::runtime_log_text;
using ::testing::SizeIs;
using testing::TempFolder;

const std::string kType = dram_tensor(64, 64);
const std::string kOnes = op_text("%0", "ttnn.ones", "", "", kType);
const std::string kFree = deallocate_text("%0", kType);

/// A log of one program, with the names of a rank in front of its lines.
std::string small_log(const std::string& before = {}, const std::string& program = "main") {
  LogText log({.before = before});
  log.start(program).op(kOnes).block("NamedFullOp", 0).op(kFree).block("DeallocateOp", 4096).finish(program);
  return log.text();
}

std::vector<std::uint64_t> op_counts(const RuntimeLog& log) {
  std::vector<std::uint64_t> counts;
  for (const RankLog& rank : log.ranks) counts.push_back(rank.ops.size());
  return counts;
}

TEST(LogReader, AnInputWithoutAnyLineOfInterestHasNoRanks) {
  for (const std::string text :
       {"", "\n", "hello\nworld\n", "2026-04-23 17:58:35.093 | INFO     | a:b:1 - text\n"}) {
    EXPECT_THAT(read_text(text).ranks, IsEmpty());
  }
}

TEST(LogReader, AMissingFileIsAnErrorThatNamesIt) {
  const auto log = read_runtime_logs({"/nowhere/at/all.log"}, {});
  ASSERT_FALSE(log);
  EXPECT_THAT(log.error().message, HasSubstr("/nowhere/at/all.log"));
}

TEST(LogReader, CompressedLogsAreReadAsPlainOnes) {
  const TempFolder folder;
  const std::string text = small_log();
  const auto plain = read_runtime_logs({folder.file("a.log", text)}, {});
  const auto gzip = read_runtime_logs({folder.file("a.gz", testing::gzip(text))}, {});
  const auto zstd = read_runtime_logs({folder.file("a.zst", testing::zstd(text))}, {});
  ASSERT_TRUE(plain && gzip && zstd);
  EXPECT_EQ(runtime_log_text(*plain), runtime_log_text(*gzip));
  EXPECT_EQ(runtime_log_text(*plain), runtime_log_text(*zstd));
  EXPECT_EQ(plain->input_bytes, text.size());
}

TEST(LogReader, ACutCompressedLogIsReadWithAWarning) {
  const TempFolder folder;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += small_log({}, "main_" + std::to_string(i * 7919));
  std::string packed = testing::gzip(text);
  packed.resize(packed.size() / 2);
  const auto log = read_runtime_logs({folder.file("a.gz", packed)}, {});
  ASSERT_TRUE(log);
  EXPECT_THAT(log->warnings, SizeIs(1));
  EXPECT_THAT(log->ranks, SizeIs(1));
}

TEST(LogReader, InterleavedRanksAreSeparatedAndKeepTheirNumbers) {
  const std::string one = small_log("[1,3]<stdout>: ");
  const std::string two = small_log("[1,1]<stdout>: ");
  std::string mixed;
  std::size_t a = 0;
  std::size_t b = 0;
  while (a < one.size() || b < two.size()) {
    for (auto [text, at] : {std::pair{&one, &a}, std::pair{&two, &b}}) {
      if (*at >= text->size()) continue;
      const std::size_t end = text->find('\n', *at) + 1;
      mixed += text->substr(*at, end - *at);
      *at = end;
    }
  }
  const RuntimeLog log = read_text(mixed);
  ASSERT_THAT(log.ranks, SizeIs(2));
  EXPECT_EQ(log.ranks[0].number, 1);
  EXPECT_EQ(log.ranks[1].number, 3);
  EXPECT_THAT(op_counts(log), ElementsAre(2, 2));
  for (const RankLog& rank : log.ranks) {
    EXPECT_THAT(rank.programs, SizeIs(1));
    EXPECT_THAT(rank.blocks, SizeIs(2));
    EXPECT_EQ(rank.ops[1].block, 1u);
  }
  EXPECT_EQ(log.problems.count(LogProblem::kBlockDisplaced), 0u);
}

TEST(LogReader, HostsAreNumberedInOrder) {
  const RuntimeLog log = read_text(small_log("[2026-05-29 17:55:46.647] [host=zebra] ") +
                                   small_log("[2026-05-29 17:55:46.647] [host=ape] "));
  ASSERT_THAT(log.ranks, SizeIs(2));
  EXPECT_EQ(log.ranks[0].tag, "zebra");
  EXPECT_EQ(log.ranks[1].tag, "ape");
}

TEST(LogReader, SeveralFilesAreSeveralRanks) {
  const TempFolder folder;
  const auto log =
      read_runtime_logs({folder.file("a.log", small_log()), folder.file("b.log", small_log())}, {});
  ASSERT_TRUE(log);
  EXPECT_THAT(op_counts(*log), ElementsAre(2, 2));
  EXPECT_EQ(log->ranks[0].file, 0u);
  EXPECT_EQ(log->ranks[1].file, 1u);
  EXPECT_NE(log->ranks[0].number, log->ranks[1].number);
  EXPECT_EQ(log->op_texts.size(), 2u) << "equal texts of two files are one";
}

TEST(LogReader, AFileOfModuleDumpsIsNoRank) {
  const TempFolder folder;
  LogText dumps;
  dumps.module("ttnn", "func.func @main(%arg0: tensor<2xf32>) {\n  return %arg0 : tensor<2xf32>\n}");
  const auto log =
      read_runtime_logs({folder.file("a.log", small_log()), folder.file("b.log", dumps.text())}, {});
  ASSERT_TRUE(log);
  EXPECT_THAT(log->ranks, SizeIs(1));
  ASSERT_THAT(log->modules, SizeIs(1));
  EXPECT_EQ(log->modules[0].rank, kNone);
  EXPECT_EQ(log->modules[0].file, 1u);
}

TEST(LogReader, SeveralGraphsNamedMainAreSeveralPrograms) {
  LogText log;
  log.start("main")
      .op(kOnes)
      .finish("main")
      .start("main")
      .op(kOnes)
      .op(kFree)
      .finish("main")
      .start("main")
      .finish("main");
  const RuntimeLog parsed = read_text(log.text());
  ASSERT_THAT(parsed.ranks.at(0).programs, SizeIs(3));
  EXPECT_EQ(parsed.ranks[0].programs[1].first_op, 1u);
  EXPECT_EQ(parsed.ranks[0].programs[1].end_op, 3u);
  EXPECT_EQ(parsed.ranks[0].programs[2].first_op, 3u);
  EXPECT_EQ(parsed.ranks[0].programs[2].end_op, 3u);
}

TEST(LogReader, ALogOfMemoryLinesOnlyHasOpsKnownByType) {
  LogText log;
  log.block("GetDeviceOp", 0).block("MatmulOp", 0).block("DeallocateOp", 4096).retained();
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  ASSERT_THAT(rank.ops, SizeIs(3));
  EXPECT_EQ(parsed.name_of(rank.ops[1]), "MatmulOp");
  EXPECT_EQ(rank.ops[2].block, 2u);
  EXPECT_TRUE(rank.ops[2].retained);
  EXPECT_TRUE(is_counted(parsed, rank.ops[1]));
  EXPECT_FALSE(is_counted(parsed, rank.ops[0]));
  EXPECT_EQ(parsed.problems.count(LogProblem::kBlockWithoutOp), 3u);
}

TEST(LogReader, ViewsOfASnapshotFileAreBlocksWithoutOps) {
  LogText log;
  for (int i = 0; i < 2; ++i) log.view("DRAM", 4096 << i).view("L1", 0).view("L1_SMALL", 0).view("TRACE", 0);
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_THAT(parsed.ranks.at(0).ops, IsEmpty());
  EXPECT_THAT(parsed.ranks[0].blocks, SizeIs(2));
}

TEST(LogReader, ALogOfOpLinesOnlyHasNoBlocks) {
  LogText log;
  log.start("main").op(kOnes).op(kFree).retained().finish("main");
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_THAT(parsed.ranks.at(0).blocks, IsEmpty());
  EXPECT_TRUE(parsed.ranks[0].ops[1].retained);
  EXPECT_EQ(parsed.problems.count(LogProblem::kBlockMissing), 0u)
      << "no block is missing where none are printed";
}

TEST(LogReader, LinesAndBytesAreCounted) {
  const RuntimeLog log = read_text("one\r\ntwo\n\nfour");
  EXPECT_THAT(log.file_lines, ElementsAre(4));
  EXPECT_EQ(log.input_bytes, 14u);
}

TEST(LogReader, OutputMarkersAndCacheKeysAreKept) {
  LogText log;
  log.start("main")
      .op(load_cached_text("%0", "main_const_eval_0", "", "", kType))
      .cache_hash("main_const_eval_0", "00ff");
  log.cache_hit("main_const_eval_0").finish("main").line("Got output shape: torch.Size([1, 7, 32])");
  const RuntimeLog parsed = read_text(log.text());
  const RankLog& rank = parsed.ranks.at(0);
  EXPECT_THAT(rank.output_markers, ElementsAre(log.lines()));
  ASSERT_THAT(rank.cache_keys, SizeIs(1));
  EXPECT_EQ(rank.cache_keys[0].first, 0u);
  EXPECT_EQ(parsed.names[rank.cache_keys[0].second], "00ff");
  EXPECT_TRUE(rank.ops[0].cache_hit);
  EXPECT_FALSE(rank.ops[0].cache_miss);
}

TEST(LogReader, UnparsedAndCutOpLinesAreKeptAndCounted) {
  LogText log;
  log.start("main").op("what is this").op(kOnes, "").op(kFree.substr(0, 40), "").op(kFree).finish("main");
  const RuntimeLog parsed = read_text(log.text());
  EXPECT_THAT(parsed.ranks.at(0).ops, SizeIs(4));
  EXPECT_EQ(parsed.problems.count(LogProblem::kOpTextUnparsed), 1u);
  EXPECT_EQ(parsed.problems.count(LogProblem::kOpTextCut), 2u);
  EXPECT_EQ(parsed.problems.places(LogProblem::kOpTextUnparsed).at(0).line, 2u);
  EXPECT_EQ(parsed.ranks[0].ops[1].loc, kNone);
}

TEST(LogReader, UnreadableTypesAreCountedOncePerText) {
  LogText log;
  const std::string text = op_text("%0", "ttnn.ones", "", "", "tensor<2x3x>");
  log.start("main").op(text).op(text).finish("main");
  EXPECT_EQ(read_text(log.text()).problems.count(LogProblem::kTypeUnparsed), 1u);
}

TEST(LogReader, ModulesOfInterleavedRanksAreWhole) {
  LogText zero({.before = "[1,0]<stderr>: "});
  LogText one({.before = "[1,1]<stderr>: "});
  zero.module("ttnn", "func.func @main(%arg0: tensor<2xf32>) {\n}");
  one.module("ttnn", "func.func @main(%arg0: tensor<3xf32>, %arg1: tensor<4xf32>) {\n}");
  std::string mixed;
  for (std::size_t a = 0, b = 0; a < zero.text().size() && b < one.text().size();) {
    const std::size_t a_end = zero.text().find('\n', a) + 1;
    const std::size_t b_end = one.text().find('\n', b) + 1;
    mixed += zero.text().substr(a, a_end - a) + one.text().substr(b, b_end - b);
    a = a_end;
    b = b_end;
  }
  mixed += small_log("[1,0]<stdout>: ") + small_log("[1,1]<stdout>: ");
  const RuntimeLog log = read_text(mixed);
  ASSERT_THAT(log.modules, SizeIs(2));
  EXPECT_EQ(log.modules[0].functions.at(0).arguments.size(), 1u);
  EXPECT_EQ(log.modules[1].functions.at(0).arguments.size(), 2u);
  EXPECT_EQ(log.modules[0].rank, 0u);
  EXPECT_EQ(log.modules[1].rank, 1u);
}

/// GitLab, vLLM, Buildkite and Airflow write so; people quote and indent what they paste into a text.
TEST(LogReader, ModulesAreReadBehindWhatToolsAndPeopleWriteBeforeLines) {
  const std::string body =
      "#system = #ttcore.x\nmodule {\n  func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<4xf32>) {\n  "
      "}\n}";
  LogText plain;
  plain.module("ttnn", body);
  const RuntimeLog as_written = read_text(plain.text() + small_log());
  const std::vector<std::string_view>& expected = as_written.modules.at(0).lines;
  for (const std::string before :
       {"\x1b[0K", "2025-10-14T04:33:23.904873Z 00O \x1b[0K", "\x1b[1;36m(EngineCore_DP0 pid=7)\x1b[0;0m ",
        "\x1b_bk;t=1700000000000\x07", "[2026-11-18, 00:06:49 UTC] {subprocess.py:93} INFO - ", "> ", "> > ",
        ">", "    ", "\t"}) {
    LogText log({.before = before});
    log.module("ttnn", body);
    const RuntimeLog parsed = read_text(log.text() + small_log(before));
    ASSERT_THAT(parsed.modules, SizeIs(1)) << before;
    EXPECT_EQ(parsed.modules[0].lines, expected) << before;
    EXPECT_EQ(parsed.modules[0].functions.at(0).arguments.size(), 2u) << before;
    EXPECT_THAT(op_counts(parsed), ElementsAre(2)) << before;
    EXPECT_EQ(parsed.ranks[0].blocks.size(), 2u) << before;
  }
}

TEST(LogReader, ProgressIsReportedToTheEnd) {
  const TempFolder folder;
  ReadOptions options;
  std::uint64_t done = 0;
  std::uint64_t ops = 0;
  options.source.chunk_bytes = 64;
  options.progress = [&](const ReadProgress& progress) {
    EXPECT_GE(progress.bytes_done, done);
    done = progress.bytes_done;
    ops = progress.ops;
  };
  const std::string text = small_log();
  ASSERT_TRUE(read_runtime_logs({folder.file("a.log", text)}, options));
  EXPECT_EQ(done, text.size());
  EXPECT_EQ(ops, 2u);
}

}  // namespace
}  // namespace ttscope::mem
