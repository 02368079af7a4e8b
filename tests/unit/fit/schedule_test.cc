#include "fit/allocator.h"

#include <gtest/gtest.h>

#include <random>

#include "support/reference_free_list.h"

namespace ttscope::fit {
namespace {

Device small_device(std::int64_t dram_bytes) {
  Device device;
  device.name = "small";
  device.regions = {{{12, dram_bytes}, {64, 4096}, {64, 0}, {12, 0}}};
  return device;
}

Demand dram(Tick born, Tick died, std::int64_t bytes) {
  return {born, died, bytes, Memory::kDram, DemandKind::kBuffer, {}};
}

TEST(Schedule, PeakAndRoomAreThoseOfTheRun) {
  const PlacementResult placing = place_all({dram(1, 5, 320), dram(2, kNever, 320), dram(5, 6, 640)},
                                            small_device(1024), Policy::kFirstFit);
  EXPECT_EQ(placing.memories[0].peak_bytes_per_bank, 960);
  EXPECT_EQ(placing.memories[0].peak_demand, 2u);
  ASSERT_TRUE(placing.failure);  // 704 are free, in pieces of 320 and 384
  EXPECT_EQ(placing.failure->demand, 2u);
  EXPECT_EQ(placing.failure->stats.free_bytes, 704u);
  EXPECT_EQ(placing.failure->stats.largest_free_bytes, 384u);
}

TEST(Schedule, WhatDiesAtATickMakesRoomForWhatIsBornThen) {
  EXPECT_FALSE(
      place_all({dram(1, 5, 1024), dram(5, 6, 1024)}, small_device(1024), Policy::kFirstFit).failure);
  EXPECT_TRUE(place_all({dram(1, 6, 1024), dram(5, 6, 1024)}, small_device(1024), Policy::kFirstFit).failure);
}

TEST(Schedule, WhatIsNeededAfterAFailureIsStillCounted) {
  const PlacementResult placing =
      place_all({dram(1, kNever, 2048), dram(2, kNever, 4096)}, small_device(1024), Policy::kFirstFit);
  EXPECT_EQ(placing.failure->demand, 0u);
  EXPECT_EQ(placing.memories[0].peak_bytes_per_bank, 6144);
}

TEST(Schedule, CircularBuffersNeedTheRoomBelowTheLowestTensor) {
  Demand tensor{1, kNever, 1024, Memory::kL1, DemandKind::kBuffer, {}};
  Demand buffers{2, 3, 3072, Memory::kL1, DemandKind::kRoomAtBottom, {}};
  EXPECT_FALSE(place_all({tensor, buffers}, small_device(64), Policy::kFirstFit).failure);
  buffers.bytes_per_bank += 32;
  EXPECT_TRUE(place_all({tensor, buffers}, small_device(64), Policy::kFirstFit).failure);
}

/// The same schedule run through the obvious free list, event by event.
TEST(Schedule, AgreesWithTheObviousAllocatorOnRandomRuns) {
  for (std::uint32_t seed = 0; seed < 100; ++seed) {
    std::mt19937 random(seed);
    const Device device = small_device(32768);
    const Policy policy = seed % 2 == 0 ? Policy::kFirstFit : Policy::kBestFit;
    std::vector<Demand> demands;
    for (int i = 0; i < 120; ++i) {
      const Tick born = static_cast<Tick>(random() % 200);
      const Tick died = random() % 10 == 0 ? kNever : born + static_cast<Tick>(random() % 60);
      demands.push_back(dram(born, died, static_cast<std::int64_t>(1 + random() % 1500)));
    }
    ttscope::testing::ReferenceFreeList reference({32768, 0, 32});
    std::vector<std::optional<std::uint64_t>> places(demands.size());
    std::optional<std::size_t> failed;
    for (Tick tick = 0; tick < 300 && !failed; ++tick) {
      for (std::size_t d = 0; d < demands.size(); ++d) {
        if (demands[d].died == tick && places[d]) reference.free(*places[d]);
      }
      for (std::size_t d = 0; d < demands.size() && !failed; ++d) {
        if (demands[d].born != tick || demands[d].died <= tick) continue;
        places[d] = reference.allocate(static_cast<std::uint64_t>(demands[d].bytes_per_bank),
                                       Direction::kBottomUp, policy);
        if (!places[d]) failed = d;
      }
    }
    const PlacementResult placing = place_all(demands, device, policy);
    ASSERT_EQ(placing.failure.has_value(), failed.has_value()) << "seed " << seed;
    if (!failed) continue;
    EXPECT_EQ(placing.failure->demand, *failed);
    EXPECT_EQ(placing.failure->stats.free_bytes, reference.stats().free_bytes);
    EXPECT_EQ(placing.failure->stats.largest_free_bytes, reference.stats().largest_free_bytes);
  }
}

}  // namespace
}  // namespace ttscope::fit
