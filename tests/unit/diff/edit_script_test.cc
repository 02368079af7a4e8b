#include "diff/align.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

namespace ttscope::diff {
namespace {

TEST(EditScript, IsAsLongAsTheSlowWayFindsIt) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::vector<std::uint32_t> a(random() % 24);
    std::vector<std::uint32_t> b(random() % 24);
    for (std::uint32_t& key : a) key = static_cast<std::uint32_t>(random() % 4);
    for (std::uint32_t& key : b) key = static_cast<std::uint32_t>(random() % 4);
    std::vector<std::vector<std::size_t>> best(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        best[i + 1][j + 1] = a[i] == b[j] ? best[i][j] + 1 : std::max(best[i][j + 1], best[i + 1][j]);
      }
    }
    const Matches matches = common_subsequence(a, b, 2000);
    ASSERT_EQ(matches.size(), best[a.size()][b.size()]);
    for (std::size_t i = 0; i < matches.size(); ++i) {
      ASSERT_EQ(a[matches[i].first], b[matches[i].second]);
      ASSERT_TRUE(i == 0 ||
                  (matches[i - 1].first < matches[i].first && matches[i - 1].second < matches[i].second));
    }
  }
}

TEST(EditScript, ManyDifferencesCostTimeNotOrder) {
  std::mt19937 random(4);
  std::vector<std::uint32_t> a(3000);
  std::vector<std::uint32_t> b(3000);
  for (std::uint32_t& key : a) key = static_cast<std::uint32_t>(random() % 50);
  for (std::uint32_t& key : b) key = static_cast<std::uint32_t>(random() % 50);
  const Matches matches = common_subsequence(a, b, 16);
  EXPECT_GT(matches.size(), 100u);
  for (std::size_t i = 1; i < matches.size(); ++i) {
    ASSERT_LT(matches[i - 1].first, matches[i].first);
    ASSERT_LT(matches[i - 1].second, matches[i].second);
  }
}

}  // namespace
}  // namespace ttscope::diff
