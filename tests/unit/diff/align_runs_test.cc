#include "diff/align.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace ttscope::diff {
namespace {

/// Each number is an op of its own.
ComparedRun run_of(const std::vector<std::uint32_t>& ops) {
  ComparedRun run;
  const std::uint32_t kinds = ops.empty() ? 0 : *std::max_element(ops.begin(), ops.end()) + 1;
  for (std::uint32_t i = 0; i < kinds; ++i) {
    ItemKind kind;
    kind.op = "Op" + std::to_string(i % 40);
    kind.shape = std::to_string(i);
    run.kinds.push_back(kind);
  }
  for (std::size_t i = 0; i < ops.size(); ++i) run.items.push_back({ops[i], i + 2, 1, 0});
  return run;
}

std::vector<std::uint32_t> random_ops(std::size_t count, std::uint32_t kinds) {
  std::mt19937 random(5);
  std::vector<std::uint32_t> ops(count);
  for (std::uint32_t& op : ops) op = static_cast<std::uint32_t>(random() % kinds);
  return ops;
}

std::size_t moved_count(const ItemAlignment& alignment) {
  return static_cast<std::size_t>(std::count_if(alignment.pairs.begin(), alignment.pairs.end(),
                                                [](const ItemPair& pair) { return pair.is_moved; }));
}

/// Two thirds had been "removed and added": the search, cut short, paired what was near.
TEST(AlignRuns, HalvesOfALongRunThatChangedPlacesAreMoved) {
  const std::vector<std::uint32_t> before = random_ops(40'000, 1000);
  std::vector<std::uint32_t> after(before.begin() + 20'000, before.end());
  after.insert(after.end(), before.begin(), before.begin() + 20'000);
  const ItemAlignment alignment = align_runs(run_of(before), run_of(after));
  EXPECT_EQ(alignment.removed.size(), 0u);
  EXPECT_EQ(alignment.added.size(), 0u);
  EXPECT_EQ(moved_count(alignment), 20'000u);
}

/// Only the first 32 of them had been found, the others were "removed and added".
TEST(AlignRuns, ABlockThatMovedInEveryLayerIsMovedInEveryLayer) {
  constexpr std::uint32_t kLayers = 100;
  std::vector<std::uint32_t> before;
  std::vector<std::uint32_t> after;
  for (std::uint32_t layer = 0; layer < kLayers; ++layer) {
    for (std::uint32_t op = 0; op < 40; ++op) before.push_back(op);
    for (std::uint32_t op = 0; op < 20; ++op) after.push_back(op);
    for (std::uint32_t op = 25; op < 40; ++op) after.push_back(op);
    for (std::uint32_t op = 20; op < 25; ++op) after.push_back(op);
  }
  const ItemAlignment alignment = align_runs(run_of(before), run_of(after));
  EXPECT_EQ(alignment.removed.size(), 0u);
  EXPECT_EQ(alignment.added.size(), 0u);
  EXPECT_EQ(moved_count(alignment), kLayers * 5);
  for (const ItemPair& pair : alignment.pairs) {
    ASSERT_EQ(pair.before / 40, pair.after / 40) << "in its own layer";
  }
}

TEST(AlignRuns, ATenthInsertedAndATenthRemovedOfALongRunAreFound) {
  std::mt19937 random(6);
  const std::vector<std::uint32_t> before = random_ops(30'000, 500);
  std::vector<std::uint32_t> after;
  std::size_t inserted = 0;
  std::size_t removed = 0;
  for (const std::uint32_t op : before) {
    if (random() % 10 == 0) {
      after.push_back(static_cast<std::uint32_t>(random() % 500));
      ++inserted;
    }
    if (random() % 10 == 0) {
      ++removed;
    } else {
      after.push_back(op);
    }
  }
  const ItemAlignment alignment = align_runs(run_of(before), run_of(after));
  EXPECT_LE(alignment.removed.size(), removed);
  EXPECT_LE(alignment.added.size(), inserted);
  EXPECT_EQ(alignment.pairs.size() + alignment.removed.size(), before.size());
  EXPECT_EQ(alignment.pairs.size() + alignment.added.size(), after.size());
}

ItemKind kind_of(const std::string& op, const std::string& place, const std::string& shape) {
  ItemKind kind;
  kind.op = op;
  kind.place = place;
  kind.shape = shape;
  return kind;
}

/// Of three ops of one name the second is gone, and all have another shape: by their order the second had
/// become the third.
TEST(AlignRuns, ThePlaceDecidesWhereAllShapesAreOthers) {
  ComparedRun before;
  before.kinds = {kind_of("Matmul", "a", "32x64"), kind_of("Matmul", "b", "32x64"),
                  kind_of("Matmul", "c", "32x64")};
  before.items = {{0, 2, 1, 0}, {1, 3, 1, 0}, {2, 4, 1, 0}};
  ComparedRun after;
  after.kinds = {kind_of("Matmul", "a", "64x64"), kind_of("Matmul", "c", "64x64")};
  after.items = {{0, 2, 1, 0}, {1, 3, 1, 0}};
  const ItemAlignment alignment = align_runs(before, after);
  ASSERT_EQ(alignment.pairs.size(), 2u);
  EXPECT_EQ(alignment.pairs[1].before, 2u);
  EXPECT_EQ(alignment.pairs[1].after, 1u);
  EXPECT_EQ(alignment.removed, std::vector<std::uint32_t>{1});
}

/// A weight `q_norm` had become a weight `o_proj` of another size, because both are weights.
TEST(AlignRuns, NamedThingsAreNoPairsByTheirOrderAlone) {
  ComparedRun before;
  before.kinds = {kind_of("weight", "o_proj", "4096x4096")};
  before.kinds[0].is_named = true;
  before.items = {{0, 2, 1, 0}};
  ComparedRun after;
  after.kinds = {kind_of("weight", "q_norm", "128")};
  after.kinds[0].is_named = true;
  after.items = {{0, 2, 1, 0}};
  EXPECT_TRUE(align_runs(before, after).pairs.empty());
  after.kinds[0].place = "o_proj";
  EXPECT_EQ(align_runs(before, after).pairs.size(), 1u);
}

/// Slow and obvious: every window of one side against every one of the other.
TEST(UniqueWindows, AreThoseThatBothSidesHaveOnce) {
  constexpr std::size_t kWindow = 12;
  std::vector<std::uint32_t> before = random_ops(300, 3);
  std::vector<std::uint32_t> after = before;
  after.erase(after.begin() + 100, after.begin() + 103);
  after.insert(after.begin() + 200, 2, 1);
  const auto places = [&](const std::vector<std::uint32_t>& all, const std::uint32_t* window) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i + kWindow <= all.size(); ++i) {
      if (std::equal(window, window + kWindow, all.data() + i)) found.push_back(i);
    }
    return found;
  };
  const Matches matches = unique_windows(before, after);
  EXPECT_GT(matches.size(), 200u);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const auto [old_place, new_place] = matches[i];
    ASSERT_EQ(places(before, before.data() + old_place), std::vector{old_place});
    ASSERT_EQ(places(after, before.data() + old_place), std::vector{new_place});
    ASSERT_TRUE(i == 0 || (matches[i - 1].first < old_place && matches[i - 1].second < new_place));
  }
}

TEST(UniqueWindows, ShortOrRepeatingSequencesHaveNone) {
  EXPECT_TRUE(unique_windows({}, {1, 2, 3}).empty());
  const std::vector<std::uint32_t> same(100, 7);
  EXPECT_TRUE(unique_windows(same, same).empty());
}

}  // namespace
}  // namespace ttscope::diff
