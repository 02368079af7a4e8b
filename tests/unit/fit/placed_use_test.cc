#include <gtest/gtest.h>

#include "fit/report.h"

namespace ttscope::fit {
namespace {

TEST(UseOfPlaced, HeadroomIsWhatTheBankHasLess) {
  const Device device = device_of(*find_product("n150"), {});
  const std::int64_t bank = device.region(Memory::kDram).bytes_per_bank;
  ASSERT_GT(bank, 0);
  PlacedMemory placed;
  placed.peak_bytes_per_bank = 1000;
  placed.smallest_largest_free_bytes = 77;
  placed.worst_fragmentation = 0.5;
  const MemoryUse use = use_of_placed(placed, device, Memory::kDram);
  EXPECT_EQ(use.memory, Memory::kDram);
  EXPECT_EQ(use.region.bytes_per_bank, bank);
  EXPECT_EQ(use.peak_bytes_per_bank, 1000);
  EXPECT_EQ(use.headroom_bytes_per_bank, bank - 1000);
  EXPECT_EQ(use.smallest_largest_free_bytes_per_bank, 77);
  EXPECT_EQ(use.worst_fragmentation, 0.5);
  placed.peak_bytes_per_bank = bank + 5;
  EXPECT_EQ(use_of_placed(placed, device, Memory::kDram).headroom_bytes_per_bank, -5)
      << "below 0: what is missing";
}

}  // namespace
}  // namespace ttscope::fit
