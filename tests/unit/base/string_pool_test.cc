#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <string>

namespace ttscope {
namespace {

TEST(StringPool, NumbersDistinctTextsInOrderOfAppearance) {
  StringPool pool;
  EXPECT_EQ(pool.size(), 0u);
  EXPECT_EQ(pool.intern("matmul"), 0u);
  EXPECT_EQ(pool.intern("add"), 1u);
  EXPECT_EQ(pool.intern("matmul"), 0u);
  EXPECT_EQ(pool.size(), 2u);
  EXPECT_EQ(pool[0], "matmul");
  EXPECT_EQ(pool[1], "add");
}

TEST(StringPool, TheEmptyTextIsATextToo) {
  StringPool pool;
  EXPECT_EQ(pool.intern(""), 0u);
  EXPECT_EQ(pool.intern("a"), 1u);
  EXPECT_EQ(pool.intern(""), 0u);
  EXPECT_EQ(pool[0], "");
}

TEST(StringPool, ManyTextsKeepTheirNumbersAndBytes) {
  constexpr std::uint32_t kCount = 100000;
  StringPool pool;
  for (std::uint32_t id = 0; id < kCount; ++id) ASSERT_EQ(pool.intern("text " + std::to_string(id)), id);
  for (std::uint32_t id = 0; id < kCount; ++id) {
    ASSERT_EQ(pool[id], "text " + std::to_string(id));
    ASSERT_EQ(pool.intern("text " + std::to_string(id)), id);
  }
  EXPECT_EQ(pool.size(), kCount);
}

TEST(StringPool, EqualHashesAreToldApartByTheirBytes) {
  StringPool pool;
  constexpr std::uint64_t kHash = 42;
  for (int round = 0; round < 2; ++round) {
    for (std::uint32_t id = 0; id < 300; ++id) {
      ASSERT_EQ(pool.intern(std::to_string(id), kHash, StringPool::Bytes::kCopy), id);
    }
  }
}

TEST(StringPool, CopiesUnlessToldToBorrow) {
  StringPool pool;
  std::string copied = "copied";
  const std::string borrowed = "borrowed";
  const std::uint32_t copied_id = pool.intern(copied);
  const std::uint32_t borrowed_id = pool.intern(borrowed, hash_text(borrowed), StringPool::Bytes::kBorrow);
  copied.assign("rotted");
  EXPECT_EQ(pool[copied_id], "copied");
  EXPECT_EQ(pool[borrowed_id].data(), borrowed.data());
}

TEST(StringPool, TextsWithNulBytesDiffer) {
  StringPool pool;
  EXPECT_NE(pool.intern(std::string_view("a\0b", 3)), pool.intern(std::string_view("a\0c", 3)));
}

}  // namespace
}  // namespace ttscope
