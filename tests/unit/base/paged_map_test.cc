#include "base/ids.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace ttscope {
namespace {

struct Number {
  int value = -1;
  bool is_set() const { return value >= 0; }
};

TEST(PagedMap, FindsWhatWasSetAndNothingElse) {
  PagedMap<Number> map;
  EXPECT_EQ(map.find(0), nullptr);
  map.at(70).value = 7;
  EXPECT_EQ(map.find(69), nullptr);
  ASSERT_NE(map.find(70), nullptr);
  EXPECT_EQ(map.find(70)->value, 7);
  *map.find(70) = {};
  EXPECT_EQ(map.find(70), nullptr);
}

TEST(PagedMap, AClearedMapIsEmptyAlsoWhereItsPagesAreUsedAgain) {
  PagedMap<Number> map;
  for (std::uint32_t key = 0; key < 1000; ++key) map.at(key).value = 1;
  map.clear();
  map.at(5000).value = 2;
  int found = 0;
  map.for_each([&](std::uint32_t key, const Number& number) {
    EXPECT_EQ(key, 5000u);
    EXPECT_EQ(number.value, 2);
    ++found;
  });
  EXPECT_EQ(found, 1);
  EXPECT_EQ(map.find(10), nullptr);
}

TEST(PagedMap, AgreesWithAStandardMapOnRandomUse) {
  std::mt19937 random(3);
  PagedMap<Number> map;
  std::map<std::uint32_t, int> expected;
  for (int step = 0; step < 20000; ++step) {
    const auto key = static_cast<std::uint32_t>(random() % 400);
    switch (random() % 8) {
      case 0:
        if (Number* number = map.find(key)) *number = {};
        expected.erase(key);
        break;
      case 1:
        if (random() % 50 == 0) {
          map.clear();
          expected.clear();
        }
        break;
      default:
        map.at(key).value = step;
        expected[key] = step;
    }
  }
  std::map<std::uint32_t, int> found;
  map.for_each([&](std::uint32_t key, const Number& number) { found[key] = number.value; });
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace ttscope
