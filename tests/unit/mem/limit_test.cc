#include "mem/analyze/verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mem/write/verdict_text.h"
#include "unit/mem/hand_made_trace.h"

namespace ttscope::mem {
namespace {

/// Two ranks with banks of 1000 B DRAM and 100 B L1.
Profile two_ranks() {
  Profile profile;
  profile.log.ranks.resize(2);
  profile.memory.ranks.resize(2);
  for (RankProfile& rank : profile.memory.ranks) rank.device.capacity_bytes_per_bank = {1000, 100, 0, 0};
  return profile;
}

TEST(PeakLimit, TheRankWithTheHighestPeakCounts) {
  Profile profile = two_ranks();
  profile.memory.ranks[1].peaks[index_of(Memory::kL1)].bytes_per_bank = 96;
  const PeakLimit limit{Memory::kL1, 0.95, 0};
  const auto over = check_limit(profile, limit);
  ASSERT_TRUE(over.has_value() && over->has_value());
  EXPECT_EQ((*over)->rank, 1U);
  EXPECT_EQ((*over)->allowed_bytes_per_bank, 95);
  EXPECT_EQ(limit_text(profile, **over, "--max-l1 95%"),
            "limit exceeded: L1 peak of 96 B per bank (96.0%) is over --max-l1 95%");
  profile.memory.ranks[1].peaks[index_of(Memory::kL1)].bytes_per_bank = 95;
  EXPECT_FALSE(check_limit(profile, limit)->has_value()) << "the limit itself is allowed";
}

TEST(PeakLimit, AShareNeedsAKnownBankAndBytesDoNot) {
  Profile profile = two_ranks();
  for (RankProfile& rank : profile.memory.ranks) rank.device.capacity_bytes_per_bank = {};
  profile.memory.ranks[0].peaks[index_of(Memory::kDram)].bytes_per_bank = 500;
  const auto share = check_limit(profile, {Memory::kDram, 0.5, 0});
  ASSERT_FALSE(share.has_value());
  EXPECT_THAT(share.error().message, ::testing::HasSubstr("does not say how large a bank is"));
  const auto bytes = check_limit(profile, {Memory::kDram, -1, 499});
  ASSERT_TRUE(bytes.has_value() && bytes->has_value());
  EXPECT_EQ(limit_text(profile, **bytes, "--max-dram 499"),
            "limit exceeded: DRAM peak of 500 B per bank is over --max-dram 499");
}

TEST(PeakLimit, TheTextNamesTheOpThatMadeThePeak) {
  HandMadeLog made;
  made.add_program("main");
  const std::uint32_t op = made.add_op({.name = "ttnn.matmul"});
  Profile profile{std::move(made.log), std::move(made.profile), {}};
  Peak& peak = profile.memory.ranks[0].peaks[index_of(Memory::kDram)];
  peak.bytes_per_bank = 2000;
  peak.op = op;
  const std::string line = std::to_string(profile.log.ranks[0].ops[op].line);
  const PeakLimit limit{Memory::kDram, -1, 1000};
  EXPECT_THAT(limit_text(profile, **check_limit(profile, limit), "x"),
              ::testing::EndsWith("is over x, made by ttnn.matmul at line " + line));
  peak.at_program_start = true;
  EXPECT_THAT(limit_text(profile, **check_limit(profile, limit), "x"),
              ::testing::EndsWith("is over x, at program start of main (before line " + line + ")"));
}

TEST(PeakLimit, AProfileWithoutRanksIsWithinEveryLimit) {
  EXPECT_FALSE(check_limit(Profile(), {Memory::kDram, 0.1, 0})->has_value());
}

}  // namespace
}  // namespace ttscope::mem
