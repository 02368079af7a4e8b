#include "base/string_pool.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace ttscope {
namespace {

TEST(Arena, CopiesAndKeepsTextsOfEverySize) {
  Arena arena;
  std::vector<std::pair<std::string, std::string_view>> copies;
  std::size_t size = 0;
  for (int round = 0; round < 400; ++round, size = (size * 7 + 13) % 300000) {
    std::string text(size, static_cast<char>('a' + round % 26));
    const std::string_view copy = arena.copy(text);
    copies.emplace_back(std::move(text), copy);
  }
  for (const auto& [text, copy] : copies) ASSERT_EQ(copy, text);
}

TEST(Arena, DoesNotPointAtTheOriginal) {
  Arena arena;
  std::string text = "original";
  const std::string_view copy = arena.copy(text);
  text.assign("changed!");
  EXPECT_EQ(copy, "original");
}

TEST(Arena, AnEmptyTextTakesNoRoom) {
  Arena arena;
  EXPECT_TRUE(arena.copy("").empty());
  EXPECT_TRUE(arena.copy(std::string_view()).empty());
}

TEST(Arena, ViewsOutliveAMove) {
  Arena first;
  const std::string_view copy = first.copy("text");
  const Arena second = std::move(first);
  EXPECT_EQ(copy, "text");
}

TEST(Arena, KeepsNulBytes) {
  Arena arena;
  const std::string text("a\0b", 3);
  EXPECT_EQ(arena.copy(text), text);
}

}  // namespace
}  // namespace ttscope
