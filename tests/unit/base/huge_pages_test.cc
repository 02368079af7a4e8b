#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace ttscope {
namespace {

TEST(HugePages, AVectorKeepsItsValuesWhenItGrowsOverTheBorder) {
  HugeVector<std::uint64_t> values;
  constexpr std::uint64_t kCount = HugePageAllocator<std::uint64_t>::kHugeFromBytes / 8 * 3;
  for (std::uint64_t i = 0; i < kCount; ++i) values.push_back(i);
  for (std::uint64_t i = 0; i < kCount; ++i) ASSERT_EQ(values[i], i);
  const HugeVector<std::uint64_t> copy = values;
  EXPECT_EQ(copy, values);
}

TEST(HugePages, LargeMemoryIsAlignedToAPage) {
  void* const memory = allocate_huge(std::size_t{5} << 20);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % (std::size_t{2} << 20), 0u);
  free_huge(memory);
}

}  // namespace
}  // namespace ttscope
