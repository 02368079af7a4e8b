#include "fit/allocator.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>
#include <string>

#include "support/reference_free_list.h"

namespace ttscope::fit {
namespace {

TEST(RoundUp, GoesToTheNextMultipleAndDoesNotWrap) {
  EXPECT_EQ(round_up(0, 32), 0u);
  EXPECT_EQ(round_up(1, 32), 32u);
  EXPECT_EQ(round_up(32, 32), 32u);
  EXPECT_EQ(round_up(~std::uint64_t{0} - 3, 64), ~std::uint64_t{0});
}

TEST(FreeList, PlacesFromBothEnds) {
  FreeList list({1024, 4096, 32});
  EXPECT_EQ(list.allocate(1, Direction::kBottomUp), 4096u);
  EXPECT_EQ(list.allocate(33, Direction::kTopDown), 4096u + 1024 - 64);
  EXPECT_EQ(list.stats().allocated_bytes, 96u);
  EXPECT_EQ(list.stats().lowest_occupied_address, 4096u);
}

TEST(FreeList, AnEmptyBlockTakesTheSmallestOne) {
  FreeList list({1024, 0, 64});
  EXPECT_EQ(list.allocate(0, Direction::kBottomUp), 0u);
  EXPECT_EQ(list.stats().allocated_bytes, 64u);
}

TEST(FreeList, AnUnknownAddressIsIgnored) {
  FreeList list({1024, 0, 32});
  EXPECT_FALSE(list.free(0));
  const auto address = list.allocate(64, Direction::kBottomUp);
  ASSERT_TRUE(address);
  EXPECT_FALSE(list.free(*address + 32));
  EXPECT_TRUE(list.free(*address));
  EXPECT_FALSE(list.free(*address));
  EXPECT_EQ(list.stats().largest_free_bytes, 1024u);
}

TEST(FreeList, NeighborsOfAFreedBlockAreJoined) {
  FreeList list({96, 0, 32});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(list.allocate(32, Direction::kBottomUp));
  EXPECT_FALSE(list.allocate(1, Direction::kTopDown));
  list.free(0);
  list.free(64);
  EXPECT_EQ(list.stats().largest_free_bytes, 32u);
  list.free(32);
  EXPECT_EQ(list.free_blocks().size(), 1u);
  EXPECT_EQ(list.stats().largest_free_bytes, 96u);
  EXPECT_FALSE(list.stats().lowest_occupied_address);
}

void expect_equal(const FreeListStats& found, const FreeListStats& expected) {
  EXPECT_EQ(found.allocated_bytes, expected.allocated_bytes);
  EXPECT_EQ(found.free_bytes, expected.free_bytes);
  EXPECT_EQ(found.largest_free_bytes, expected.largest_free_bytes);
  EXPECT_EQ(found.lowest_occupied_address, expected.lowest_occupied_address);
}

TEST(FreeList, AgreesWithTheObviousListOnRandomScenarios) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const FreeList::Options options{65536u << seed % 4, seed % 3 * 1024u, seed % 2 == 0 ? 32u : 64u};
    FreeList list(options);
    ttscope::testing::ReferenceFreeList reference(options);
    std::vector<std::uint64_t> live;
    for (int i = 0; i < 300; ++i) {
      if (!live.empty() && random() % 5 < 2) {
        const std::size_t victim = random() % live.size();
        EXPECT_TRUE(list.free(live[victim]));
        reference.free(live[victim]);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
      } else {
        const std::uint64_t size = random() % 5000;
        const auto direction = random() % 2 == 0 ? Direction::kBottomUp : Direction::kTopDown;
        const auto address = list.allocate(size, direction);
        ASSERT_EQ(address, reference.allocate(size, direction)) << "seed " << seed << ", step " << i;
        if (address) live.push_back(*address);
      }
      expect_equal(list.stats(), reference.stats());
    }
  }
}

/// Small blocks in a large bank: hundreds of holes, so that the runs of the hole list are split and joined.
TEST(FreeList, AgreesWithTheObviousListInHundredsOfPieces) {
  for (const Policy policy : {Policy::kFirstFit, Policy::kBestFit}) {
    std::mt19937 random(7);
    const FreeList::Options options{std::uint64_t{1} << 18, 64, 32};
    FreeList list(options);
    ttscope::testing::ReferenceFreeList reference(options);
    std::vector<std::uint64_t> live;
    std::size_t most_holes = 0;
    for (int i = 0; i < 4000; ++i) {
      const bool fills = i < 1500 || i % 1000 > 700;
      if (!live.empty() && random() % 10 < (fills ? 2 : 8)) {
        const std::size_t victim = random() % live.size();
        ASSERT_TRUE(list.free(live[victim]));
        reference.free(live[victim]);
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(victim));
      } else {
        const std::uint64_t size = 1 + random() % 300;
        const auto direction = random() % 4 == 0 ? Direction::kTopDown : Direction::kBottomUp;
        const auto address = list.allocate(size, direction, policy);
        ASSERT_EQ(address, reference.allocate(size, direction, policy)) << "step " << i;
        if (address) live.push_back(*address);
      }
      most_holes = std::max(most_holes, list.free_blocks().size());
      if (i % 50 == 0) expect_equal(list.stats(), reference.stats());
    }
    EXPECT_GT(most_holes, 128u);
    for (const std::uint64_t address : live) list.free(address);
    EXPECT_EQ(list.free_blocks(), (std::vector<Block>{{64, std::uint64_t{1} << 18}}));
  }
}

TEST(FreeList, BestFitTakesTheSmallestHoleThatIsLargeEnough) {
  FreeList list({1024, 0, 32});
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(list.allocate(128, Direction::kBottomUp));
  for (const std::uint64_t address : {0, 128, 384, 640}) list.free(address);  // holes of 256, 128, 128
  EXPECT_EQ(list.allocate(96, Direction::kBottomUp, Policy::kBestFit), 384u);
  EXPECT_EQ(list.allocate(96, Direction::kBottomUp, Policy::kFirstFit), 0u);
  EXPECT_EQ(list.allocate(96, Direction::kTopDown, Policy::kBestFit), 640u + 32);
}

TEST(FreeList, RoomAtTheBottomEndsAtTheLowestBlock) {
  FreeList list({1024, 4096, 32});
  EXPECT_EQ(list.room_at_bottom_bytes(), 1024u);
  ASSERT_TRUE(list.allocate(100, Direction::kTopDown));
  EXPECT_EQ(list.room_at_bottom_bytes(), 1024u - 128);
  ASSERT_TRUE(list.allocate(32, Direction::kBottomUp));
  EXPECT_EQ(list.room_at_bottom_bytes(), 0u);
}

/// The scenarios that tt-metal's own free list was run through.
class RecordedScenario : public ::testing::TestWithParam<std::string> {};

std::optional<std::uint64_t> maybe_number(simdjson::dom::element value) {
  if (value.is_null()) return std::nullopt;
  return value.get_uint64().value();
}

TEST_P(RecordedScenario, IsReproducedAddressByAddress) {
  const char* shared = std::getenv("TTSCOPE_SHARED_DIR");
  if (shared == nullptr) GTEST_SKIP() << "skipped: TTSCOPE_SHARED_DIR is not set, no recorded scenarios here";
  simdjson::dom::parser parser;
  const simdjson::dom::element file = parser.load(std::string(shared) + "/data/allocator/" + GetParam());
  FreeList list({file["bank_size"].get_uint64(), file["offset"].get_uint64(), file["align"].get_uint64()});
  std::map<std::uint64_t, std::uint64_t> addresses;
  auto result = file["results"].get_array().begin();
  std::size_t step = 0;
  for (const simdjson::dom::element op : file["ops"].get_array()) {
    const simdjson::dom::element expected = *result;
    const std::uint64_t id = op.at(1).get_uint64();
    if (op.at(0).get_string().value() == "a") {
      const auto direction = op.at(3).get_bool() ? Direction::kBottomUp : Direction::kTopDown;
      const auto address = list.allocate(op.at(2).get_uint64(), direction);
      ASSERT_EQ(address, maybe_number(expected["address"])) << "step " << step;
      if (address) addresses[id] = *address;
    } else {
      const auto found = addresses.find(id);  // not there: its allocation failed
      const bool freed = found == addresses.end() || list.free(found->second);
      EXPECT_TRUE(freed) << "step " << step;
    }
    FreeListStats stats;
    stats.allocated_bytes = expected["allocated"].get_uint64();
    stats.free_bytes = expected["free"].get_uint64();
    stats.largest_free_bytes = expected["largest_free"].get_uint64();
    stats.lowest_occupied_address = maybe_number(expected["lowest_occupied"]);
    expect_equal(list.stats(), stats);
    ++result;
    ++step;
  }
  EXPECT_GT(step, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, RecordedScenario,
                         ::testing::Values("fl_bh_dram_bottom_up.json", "fl_fragmentation.json",
                                           "fl_mixed_directions.json", "fl_wh_dram_bottom_up.json",
                                           "fl_wh_l1_top_down.json"),
                         [](const auto& each) { return each.param.substr(0, each.param.find('.')); });

}  // namespace
}  // namespace ttscope::fit
