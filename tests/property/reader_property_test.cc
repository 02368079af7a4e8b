// The fast reader against the slow one, and against itself with other chunks and threads. All seeds are
// fixed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/log_text.h"
#include "support/random_log.h"
#include "support/read_text.h"
#include "support/reference_reader.h"
#include "support/sanitized.h"
#include "support/trace_text.h"

namespace ttscope::testing {
namespace {

std::vector<mem::ExecutedOp> ops_with_lines(const mem::RankLog& rank) {
  std::vector<mem::ExecutedOp> ops;
  for (const mem::ExecutedOp& op : rank.ops) {
    if (op.text != kNone) ops.push_back(op);
  }
  return ops;
}

void expect_same_ops(const mem::RuntimeLog& log, const mem::RankLog& rank, const ReferenceRank& expected) {
  const std::vector<mem::ExecutedOp> ops = ops_with_lines(rank);
  ASSERT_EQ(ops.size(), expected.ops.size());
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const ReferenceOp& reference = expected.ops[i];
    ASSERT_EQ(ops[i].line, reference.line);
    ASSERT_EQ(log.op_texts[ops[i].text].text, reference.text);
    ASSERT_EQ(ops[i].loc != kNone, reference.has_loc);
    ASSERT_EQ(reference.has_loc ? log.locs[ops[i].loc] : "", reference.loc);
    ASSERT_EQ(ops[i].retained, reference.retained) << "line " << reference.line;
    ASSERT_EQ(ops[i].cache_hit, reference.cache_hit) << "line " << reference.line;
    ASSERT_EQ(ops[i].cache_miss, reference.cache_miss) << "line " << reference.line;
    ASSERT_EQ(static_cast<int>(ops[i].instance), reference.program) << "line " << reference.line;
  }
}

void expect_same_programs(const mem::RuntimeLog& log, const mem::RankLog& rank,
                          const ReferenceRank& expected) {
  ASSERT_EQ(rank.programs.size(), expected.programs.size());
  for (std::size_t p = 0; p < rank.programs.size(); ++p) {
    ASSERT_EQ(log.names[rank.programs[p].name], expected.programs[p].name);
    ASSERT_EQ(rank.programs[p].start_line, expected.programs[p].start_line);
    ASSERT_EQ(rank.programs[p].end_line, expected.programs[p].end_line)
        << "of line " << rank.programs[p].start_line;
    ASSERT_EQ(static_cast<int>(rank.programs[p].parent), expected.programs[p].parent);
  }
}

void expect_same_view(const mem::RuntimeLog& log, const mem::MemoryBlock& block, std::size_t m,
                      const ReferenceView& view) {
  const mem::Geometry& geometry = log.geometries[block.geometry];
  ASSERT_EQ(block.view_line[m], view.line);
  ASSERT_EQ(geometry.banks[m], view.banks);
  ASSERT_EQ(geometry.total[m], view.numbers[0]);
  ASSERT_EQ(block.allocated[m], view.numbers[1]);
  ASSERT_EQ(block.free[m], view.numbers[2]);
  ASSERT_EQ(block.largest_free[m], view.numbers[3]);
}

void expect_same_blocks(const mem::RuntimeLog& log, const mem::RankLog& rank, const ReferenceRank& expected) {
  ASSERT_EQ(rank.blocks.size(), expected.blocks.size());
  for (std::size_t b = 0; b < rank.blocks.size(); ++b) {
    const mem::MemoryBlock& block = rank.blocks[b];
    ASSERT_EQ(block.line, expected.blocks[b].line);
    for (std::size_t m = 0; m < mem::kMemoryCount; ++m) {
      ASSERT_EQ(block.has(mem::kMemories[m]), expected.blocks[b].views[m].has_value())
          << "line " << block.line;
      if (block.has(mem::kMemories[m])) expect_same_view(log, block, m, *expected.blocks[b].views[m]);
    }
  }
}

/// In a log without damage every block belongs to the op line before it.
void expect_blocks_at_their_ops(const mem::RankLog& rank, const ReferenceRank& expected) {
  for (std::size_t b = 0; b < rank.blocks.size(); ++b) {
    const auto op = static_cast<std::size_t>(expected.blocks[b].op_line_before);
    ASSERT_EQ(rank.ops.at(op).block, b);
    ASSERT_EQ(rank.blocks[b].before_op, op);
  }
}

void compare_with_reference(const std::string& log, bool damaged) {
  const mem::RuntimeLog parsed = read_text(log);
  std::vector<ReferenceRank> expected = read_reference(log);
  const auto is_mpirun = [](const ReferenceRank& rank) { return rank.tag.find(',') != std::string::npos; };
  if (std::all_of(expected.begin(), expected.end(),
                  is_mpirun)) {  // these have numbers; hosts keep their order
    std::sort(expected.begin(), expected.end(),
              [](const ReferenceRank& a, const ReferenceRank& b) { return a.tag < b.tag; });
  }
  ASSERT_EQ(parsed.ranks.size(), expected.size());
  std::uint64_t unmatched = 0;
  std::uint64_t unreadable = 0;
  for (std::size_t r = 0; r < expected.size(); ++r) {
    ASSERT_EQ(parsed.ranks[r].tag, expected[r].tag);
    expect_same_programs(parsed, parsed.ranks[r], expected[r]);
    expect_same_ops(parsed, parsed.ranks[r], expected[r]);
    expect_same_blocks(parsed, parsed.ranks[r], expected[r]);
    if (!damaged) expect_blocks_at_their_ops(parsed.ranks[r], expected[r]);
    unmatched += static_cast<std::uint64_t>(expected[r].unmatched_ends);
    unreadable += static_cast<std::uint64_t>(expected[r].unreadable_views);
  }
  EXPECT_EQ(parsed.problems.count(mem::LogProblem::kProgramEndUnmatched), unmatched);
  EXPECT_EQ(parsed.problems.count(mem::LogProblem::kBadMemoryNumber), unreadable);
}

TEST(ReaderProperty, WholeLogsAreReadAsByTheReferenceReader) {
  for (unsigned seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    compare_with_reference(make_random_log({.seed = seed, .runs = 2}), false);
    if (HasFatalFailure()) return;
  }
}

TEST(ReaderProperty, InterleavedRanksAreReadAsByTheReferenceReader) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    compare_with_reference(
        make_random_log({.seed = seed, .ranks = 2 + static_cast<int>(seed % 3), .runs = 2}), false);
    if (HasFatalFailure()) return;
  }
}

TEST(ReaderProperty, DamagedLogsAreReadAsByTheReferenceReader) {
  for (unsigned seed = 1; seed <= 400; seed += kEverySeed) {
    SCOPED_TRACE(seed);
    const int ranks = 1 + static_cast<int>(seed % 2);
    compare_with_reference(
        make_random_log({.seed = seed, .ranks = ranks, .runs = 3, .steps = 6, .damaged = true}), true);
    if (HasFatalFailure()) return;
  }
}

/// Where two texts differ first; empty if nowhere. The whole texts are too long to be read.
std::string difference(const std::string& text, const std::string& expected) {
  if (text == expected) return "";
  const auto at = static_cast<std::size_t>(
      std::mismatch(text.begin(), text.end(), expected.begin(), expected.end()).first - text.begin());
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  return "got '" + text.substr(line, 200) + "' instead of '" + expected.substr(line, 200) + "'";
}

/// Chunks are whole lines, so every size from 1 to the whole log gives every way in which a border can fall.
void expect_same_for_every_chunk_size(const std::string& log, std::size_t step) {
  const std::string expected = runtime_log_text(read_text(log));
  for (std::size_t chunk_bytes = 1; chunk_bytes < log.size() + step; chunk_bytes += step) {
    ASSERT_EQ(difference(runtime_log_text(read_text(log, {.chunk_bytes = chunk_bytes})), expected), "")
        << "chunks of " << chunk_bytes;
  }
}

TEST(ReaderProperty, AMappedLogDoesNotDependOnItsChunks) {
  for (unsigned seed = 1; seed <= 24; seed += kEverySeed) {
    SCOPED_TRACE(seed);
    const bool damaged = seed % 3 != 0;
    const int ranks = 1 + static_cast<int>(seed % 2);
    const std::string log =
        make_random_log({.seed = seed, .ranks = ranks, .runs = 1, .steps = 2, .damaged = damaged});
    expect_same_for_every_chunk_size(log, log.size() / 100);
    if (HasFatalFailure()) return;
  }
}

TEST(ReaderProperty, ASplitAtEveryByteGivesTheSameTrace) {
  LogText log({.colors = true});
  const std::string type = dram_tensor(64, 64);
  log.start("main").op(load_cached_text("%0", "main_const_eval_0", "", "", type)).block("LoadCachedOp", 4096);
  log.cache_miss("main_const_eval_0").start("main_const_eval_0");
  log.op(op_text("%0", "ttnn.ones", "", "", type), "\"ones.1\"").header("NamedFullOp").view("DRAM", 4096);
  log.finish("main_const_eval_0")
      .view("L1", 2048)
      .view("DRAM", 8192)
      .view("L1_SMALL", 0)
      .retained()
      .view("TRACE", 0);
  log.module("ttnn", "func.func @main(%arg0: tensor<2xf32>) {\n  return %arg0 : tensor<2xf32>\n}");
  log.op(deallocate_text("%0", type)).block("DeallocateOp", 8192).retained().finish("main");
  expect_same_for_every_chunk_size(log.text(), kEveryByte);
}

TEST(ReaderProperty, AStreamIsReadAsTheMappedFileForEveryChunkSize) {
  for (unsigned seed = 21; seed <= 32; seed += kEverySeed) {
    SCOPED_TRACE(seed);
    const bool damaged = seed % 2 == 0;
    const std::string log = make_random_log({.seed = seed, .runs = 1, .steps = 3, .damaged = damaged});
    const std::string expected = runtime_log_text(read_text(log));
    for (std::size_t chunk_bytes = 1; chunk_bytes < 2 * log.size(); chunk_bytes += 1 + chunk_bytes / 8) {
      ASSERT_EQ(difference(runtime_log_text(read_text(log, {.chunk_bytes = chunk_bytes, .as_stream = true})),
                           expected),
                "")
          << chunk_bytes;
    }
  }
}

TEST(ReaderProperty, TheNumberOfThreadsDoesNotMatter) {
  for (unsigned seed = 41; seed <= 70; seed += kEverySeed) {
    SCOPED_TRACE(seed);
    const std::string log =
        make_random_log({.seed = seed, .ranks = 1 + static_cast<int>(seed % 3), .damaged = seed % 2 == 0});
    const std::string expected = runtime_log_text(read_text(log));
    for (const unsigned threads : {1u, 2u, 4u}) {
      for (const std::size_t chunk_bytes : {100u, 1500u, 1000000u}) {
        const bool as_stream = threads == 2;
        ASSERT_EQ(difference(runtime_log_text(read_text(log, {chunk_bytes, threads, as_stream})), expected),
                  "")
            << threads << " " << chunk_bytes;
      }
    }
  }
}

}  // namespace
}  // namespace ttscope::testing
