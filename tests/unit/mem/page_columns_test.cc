// The blobs of a page that come from declared tables, against the records themselves.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "mem/load.h"
#include "mem/write/page.h"
#include "support/page_text.h"
#include "support/profile_text.h"
#include "support/random_log.h"
#include "support/temp_folder.h"

namespace ttscope::mem {
namespace {

using testing::PageText;

/// What the page must hold of one rank, field by field.
class RankColumns {
 public:
  RankColumns(const PageText& page, std::size_t rank)
      : page_(page), prefix_(std::string("r").append(std::to_string(rank)).append(".")) {}

  template <typename Records, typename Value>
  void expect(const std::string& id, const Records& records, Value value) const {
    std::vector<std::uint64_t> wanted;
    for (std::size_t i = 0; i < records.size(); ++i) {
      wanted.push_back(static_cast<std::uint64_t>(static_cast<std::int64_t>(value(records[i], i))));
    }
    EXPECT_EQ(page_.column(prefix_ + id), wanted) << prefix_ << id;
  }

 private:
  const PageText& page_;
  std::string prefix_;
};

void expect_ops(const RankColumns& page, const RuntimeLog& log, const RankLog& rank,
                const RankProfile& profile) {
  page.expect("op.program", rank.ops, [](const ExecutedOp& op, std::size_t) { return op.instance; });
  page.expect("op.line", rank.ops, [](const ExecutedOp& op, std::size_t) { return op.line; });
  page.expect("op.flags", rank.ops, [&](const ExecutedOp& op, std::size_t i) {
    return (is_counted(log, op) ? 1 : 0) + (profile.is_weight_op[i] ? 2 : 0) + (op.retained ? 4 : 0) +
           (op.cache_hit ? 8 : 0) + (op.cache_miss ? 16 : 0);
  });
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    const std::string name(name_of(memory));
    page.expect("op.grow." + name, profile.effects,
                [m](const OpEffect& effect, std::size_t) { return effect.own_growth[m]; });
    page.expect("op.conf." + name, profile.effects, [m](const OpEffect& effect, std::size_t) {
      return static_cast<std::uint8_t>(effect.confidence[m]);
    });
  }
}

void expect_buffers(const RankColumns& page, const RankProfile& profile) {
  const auto& buffers = profile.buffers;
  if (buffers.empty()) return;
  page.expect("buf.program", buffers, [](const Buffer& buffer, std::size_t) { return buffer.instance; });
  page.expect("buf.arg", buffers, [](const Buffer& buffer, std::size_t) { return buffer.argument; });
  page.expect("buf.op", buffers, [](const Buffer& buffer, std::size_t) { return buffer.producer_op; });
  page.expect("buf.born", buffers, [](const Buffer& buffer, std::size_t) { return buffer.born; });
  page.expect("buf.died", buffers, [](const Buffer& buffer, std::size_t) { return buffer.died; });
  page.expect("buf.bytes", buffers, [](const Buffer& buffer, std::size_t) { return buffer.bytes_per_bank; });
  page.expect("buf.memory", buffers, [](const Buffer& buffer, std::size_t) { return buffer.memory; });
  page.expect("buf.kind", buffers,
              [](const Buffer& buffer, std::size_t) { return static_cast<std::uint8_t>(buffer.kind); });
}

void expect_programs(const RankColumns& page, const RankLog& rank, const RankProfile& profile) {
  using Program = const ProgramInstance&;
  page.expect("prog.parent", rank.programs, [](Program program, std::size_t) { return program.parent; });
  page.expect("prog.caller", rank.programs, [](Program program, std::size_t) { return program.caller_op; });
  page.expect("prog.first", rank.programs, [](Program program, std::size_t) { return program.first_op; });
  page.expect("prog.end", rank.programs, [](Program program, std::size_t) { return program.end_op; });
  page.expect("prog.line", rank.programs, [](Program program, std::size_t) { return program.start_line; });
  page.expect("prog.end_line", rank.programs, [](Program program, std::size_t) { return program.end_line; });
  using Summary = const ProgramSummary&;
  page.expect("prog.graph", profile.programs, [](Summary summary, std::size_t) { return summary.graph; });
  page.expect("prog.run", profile.programs, [](Summary summary, std::size_t) { return summary.run; });
  page.expect("prog.flags", profile.programs,
              [](Summary summary, std::size_t) { return summary.const_eval ? 1 : 0; });
  page.expect("prog.peak", profile.programs,
              [](Summary summary, std::size_t) { return summary.dram_peak_bytes_per_bank; });
}

void expect_changes(const RankColumns& page, const RankProfile& profile) {
  using Change = const BoundaryChange&;
  const auto& changes = profile.changes;
  page.expect("chg.cause", changes,
              [](Change change, std::size_t) { return static_cast<std::uint8_t>(change.cause); });
  page.expect("chg.op", changes, [](Change change, std::size_t) { return change.before_op; });
  page.expect("chg.program", changes, [](Change change, std::size_t) { return change.instance; });
  page.expect("chg.DRAM", changes, [](Change change, std::size_t) { return change.delta[0]; });
  page.expect("chg.L1", changes, [](Change change, std::size_t) { return change.delta[1]; });
}

void expect_page_of(const Profile& profile) {
  StringWriter out;
  write_mem_page(profile, out, {.name = "x"});
  ASSERT_TRUE(out.finish().has_value());
  const PageText page(out.text());
  for (std::size_t r = 0; r < profile.log.ranks.size(); ++r) {
    const RankColumns columns(page, r);
    const RankLog& rank = profile.log.ranks[r];
    const RankProfile& found = profile.memory.ranks[r];
    expect_ops(columns, profile.log, rank, found);
    expect_buffers(columns, found);
    expect_programs(columns, rank, found);
    expect_changes(columns, found);
  }
}

TEST(PageColumns, HoldTheRecordsOfRandomLogs) {
  const testing::TempFolder folder;
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    const std::string log = testing::make_random_log({.seed = seed, .ranks = 2, .damaged = seed % 2 == 0});
    const Result<Profile> profile = load_logs({folder.file("run.log", log)}, {});
    ASSERT_TRUE(profile.has_value()) << profile.error().message;
    expect_page_of(*profile);
  }
}

TEST(PageColumns, HoldTheRecordsOfSeveralRanksAndOfTheSample) {
  const char* source = std::getenv("TTSCOPE_SOURCE_DIR");
  if (source == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SOURCE_DIR is not set";
  const std::string examples = std::string(source) + "/examples/";
  const Result<Profile> profile = load_logs({examples + "sample.log", examples + "sample_oom.log"}, {});
  ASSERT_TRUE(profile.has_value()) << profile.error().message;
  ASSERT_GT(profile->log.ranks.size(), 1U);
  expect_page_of(*profile);
}

}  // namespace
}  // namespace ttscope::mem
