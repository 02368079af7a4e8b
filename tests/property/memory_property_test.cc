// Laws that hold for every log: what the ops and the program boundaries did adds up to what was measured, and
// the live tensors add up to the modeled state. All seeds are fixed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "mem/analyze/growth.h"
#include "mem/analyze/memory_profile.h"
#include "support/log_text.h"
#include "support/profile_text.h"
#include "support/random_log.h"
#include "support/random_program.h"

namespace ttscope::testing {
namespace {

using mem::BoundaryChange;
using mem::Buffer;
using mem::OpEffect;
using mem::RankProfile;

constexpr std::int64_t kRounding = 2 * mem::kLogResolutionBytes;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

/// A last program and state, so that nothing happens behind the last measurement.
std::string closing_program(std::int64_t dram_bytes, std::int64_t l1_bytes) {
  LogText log;
  log.start("last")
      .op("%0 = \"ttnn.get_device\"() : () -> !ttnn.device")
      .block("GetDeviceOp", dram_bytes, l1_bytes)
      .finish("last");
  return log.submit_block(false, dram_bytes, l1_bytes).text();
}

/// Everything that ops and boundaries changed, less the last measured state.
std::int64_t imbalance(const Profiled& result, std::size_t memory) {
  std::int64_t sum = 0;
  for (const OpEffect& effect : result.rank().effects) sum += effect.own_growth[memory];
  for (const BoundaryChange& change : result.rank().changes) sum += change.delta[memory];
  const mem::RankLog& rank = result.ops_of_rank();
  return sum - mem::bytes_of(rank.blocks[mem::measure_points(rank).back().block].allocated[memory]);
}

TEST(MemoryProperty, EffectsAndChangesAddUpToTheMeasuredState) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const Profiled result(joined(make_random_run({.seed = seed}).lines) + closing_program(3000000, 40000));
    for (std::size_t m = 0; m < mem::kTensorMemoryCount; ++m)
      EXPECT_LE(std::abs(imbalance(result, m)), 2 * kRounding);
  }
}

TEST(MemoryProperty, TheyAddUpInDamagedLogsToo) {
  for (unsigned seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::vector<std::string> lines = make_random_run({.seed = seed, .steps = 8}).lines;
    damage_lines(lines, dice);
    const Profiled result(joined(lines) + closing_program(3000000, 40000));
    // Each stretch between two blocks may be off by the rounding of its ends.
    const auto stretches = static_cast<std::int64_t>(result.ops_of_rank().blocks.size());
    for (std::size_t m = 0; m < mem::kTensorMemoryCount; ++m) {
      EXPECT_LE(std::abs(imbalance(result, m)), stretches * kRounding / 4 + kRounding);
    }
  }
}

TEST(MemoryProperty, EveryOpHasItsTrueGrowth) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRun run = make_random_run({.seed = seed});
    const Profiled result(joined(run.lines));
    ASSERT_EQ(result.ops_of_rank().ops.size(), run.ops.size());
    for (std::size_t i = 0; i < run.ops.size(); ++i) {
      ASSERT_EQ(result.ops_of_rank().ops[i].retained, run.ops[i].retained) << "op " << i;
      for (std::size_t m = 0; m < mem::kTensorMemoryCount; ++m) {
        ASSERT_LE(std::abs(result.rank().effects[i].own_growth[m] - run.ops[i].growth[m]), kRounding)
            << "op " << i;
      }
    }
  }
}

TEST(MemoryProperty, ThePeakIsTheTrueOne) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRun run = make_random_run({.seed = seed});
    const Profiled result(joined(run.lines));
    for (std::size_t m = 0; m < mem::kTensorMemoryCount; ++m) {
      EXPECT_LE(std::abs(result.rank().peaks[m].bytes_per_bank - run.peak[m]), kRounding);
      if (run.peak[m] == 0) continue;
      EXPECT_LE(std::abs(result.rank().live_at_peak[m].unaccounted_bytes_per_bank), kRounding)
          << "every tensor is known";
    }
  }
}

/// Without memory lines the model alone must find nearly the same: the device holds what the texts say.
TEST(MemoryProperty, TheModeledGrowthIsTheTrueOne) {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    const RandomRun run = make_random_run({.seed = seed, .memory_lines = false});
    const Profiled result(joined(run.lines));
    EXPECT_FALSE(result.rank().measured);
    for (std::size_t i = 0; i < run.ops.size(); ++i) {
      for (std::size_t m = 0; m < mem::kTensorMemoryCount; ++m) {
        ASSERT_EQ(result.rank().effects[i].own_growth[m], run.ops[i].growth[m]) << "op " << i;
      }
    }
  }
}

/// Sum of all buffers that live at a moment, the slow way.
mem::PerTensorMemory live_sum(const RankProfile& rank, mem::Moment moment) {
  mem::PerTensorMemory sum{};
  for (const Buffer& buffer : rank.buffers) {
    if (buffer.born <= moment && moment < buffer.died) sum[buffer.memory] += buffer.bytes_per_bank;
  }
  return sum;
}

TEST(MemoryProperty, TheLiveBuffersAddUpToTheAccountedBytes) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    std::vector<std::string> lines = make_random_run({.seed = seed, .steps = 8}).lines;
    if (seed % 2 == 0) damage_lines(lines, dice);
    const Profiled result(joined(lines), true);
    for (const RankProfile& rank : result.profile.ranks) {
      ASSERT_EQ(rank.accounted.size(), rank.effects.size());
      ASSERT_EQ(rank.live_totals.size(), rank.effects.size());
      for (std::uint32_t i = 0; i < rank.accounted.size(); ++i) {
        ASSERT_EQ(rank.accounted[i], live_sum(rank, mem::before_op(i))) << "before op " << i;
      }
    }
  }
}

TEST(MemoryProperty, TheKindsOfALiveSetAddUp) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    const Profiled result(joined(make_random_run({.seed = seed}).lines));
    for (const mem::LiveSet& live : result.rank().live_at_peak) {
      std::int64_t sum = 0;
      for (const std::int64_t kind : live.kind_bytes_per_bank) sum += kind;
      EXPECT_EQ(sum, live.accounted_bytes_per_bank);
      EXPECT_GE(live.padded_bytes, live.logical_bytes);
    }
  }
}

/// Tensors that are never freed: a running sum must do, a sum over all live ones at every op would not end in
/// time.
TEST(MemoryProperty, TensorsThatStayLiveCostNoMoreThanOthers) {
  constexpr std::uint32_t kOps = 200000;
  LogText log;
  log.start("main");
  const std::string type = dram_tensor(32, 384);
  for (std::uint32_t i = 0; i < kOps; ++i) {
    log.op(op_text("%" + std::to_string(i), "ttnn.ones", "", "", type));
  }
  const Profiled result(log.finish("main").text(), true);
  EXPECT_EQ(result.rank().buffers.size(), kOps);
  EXPECT_EQ(result.rank().live_totals.back()[0].tensors, kOps - 1);
  EXPECT_EQ(result.peak().bytes_per_bank, std::int64_t{kOps} * 2048);
  EXPECT_EQ(result.live_at_peak().buffers.size(), kOps);
  EXPECT_EQ(result.log.types.size(), 1u);
}

TEST(MemoryProperty, ManyShortProgramsAfterALongOneCostNoMoreThanOthers) {
  constexpr int kNames = 20000;
  constexpr int kPrograms = 20000;
  LogText log;
  const std::string type = dram_tensor(32, 384);
  log.start("main");
  for (int i = 0; i < kNames; ++i) log.op(op_text("%" + std::to_string(i), "ttnn.ones", "", "", type));
  log.finish("main");
  for (int i = 0; i < kPrograms; ++i) {
    log.start("main")
        .op(op_text("%0", "ttnn.ones", "", "", type))
        .op(deallocate_text("%0", type))
        .finish("main");
  }
  const Profiled result(log);
  EXPECT_EQ(result.profile.graphs.size(), 2u);
  EXPECT_EQ(result.rank().programs.back().run, static_cast<std::uint32_t>(kPrograms - 1));
  EXPECT_EQ(result.peak().bytes_per_bank, std::int64_t{kNames} * 2048);
}

}  // namespace
}  // namespace ttscope::testing
