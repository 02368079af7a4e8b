#include "diff/align/unique_windows.h"

#include <algorithm>
#include <unordered_map>

#include "base/none.h"

namespace ttscope::diff {
namespace {

constexpr std::size_t kWindow = 12;  // ops: less repeats by chance, more is broken by an inserted op
constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15;

/// The hash of every window, by the place of its first key.
std::vector<std::uint64_t> window_hashes(const std::vector<std::uint32_t>& keys) {
  std::vector<std::uint64_t> hashes;
  if (keys.size() < kWindow) return hashes;
  hashes.reserve(keys.size() - kWindow + 1);
  std::uint64_t leaving = 1;  // kFactor ^ kWindow: what the first key of a window weighs when it leaves
  for (std::size_t i = 0; i < kWindow; ++i) leaving *= kFactor;
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    hash = hash * kFactor + keys[i] + 1;
    if (i >= kWindow) hash -= leaving * (keys[i - kWindow] + std::uint64_t{1});
    if (i + 1 >= kWindow) hashes.push_back(hash);
  }
  return hashes;
}

/// Where a window is; kNone: in more than one place.
using Places = std::unordered_map<std::uint64_t, std::uint32_t>;

Places unique_places(const std::vector<std::uint64_t>& hashes) {
  Places places;
  places.reserve(hashes.size());
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    const auto [place, is_new] = places.try_emplace(hashes[i], i);
    if (!is_new) place->second = kNone;
  }
  return places;
}

/// The most of them that ascend on both sides; they ascend on the first.
Matches ascending(const Matches& pairs) {
  std::vector<std::uint32_t> ends;  // of the best chain of each length: the pair with the least second
  std::vector<std::uint32_t> previous(pairs.size(), kNone);
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const auto place =
        std::lower_bound(ends.begin(), ends.end(), pairs[i].second,
                         [&](std::uint32_t end, std::uint32_t second) { return pairs[end].second < second; });
    if (place != ends.begin()) previous[i] = *(place - 1);
    if (place == ends.end()) {
      ends.push_back(i);
    } else {
      *place = i;
    }
  }
  Matches chain;
  for (std::uint32_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = previous[i]) {
    chain.push_back(pairs[i]);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

}  // namespace

Matches unique_windows(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after) {
  const std::vector<std::uint64_t> hashes = window_hashes(before);
  const Places old_places = unique_places(hashes);
  const Places new_places = unique_places(window_hashes(after));
  Matches pairs;
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    if (old_places.at(hashes[i]) == kNone) continue;
    const auto found = new_places.find(hashes[i]);
    if (found == new_places.end() || found->second == kNone) continue;
    const auto begin = before.begin() + i;
    // Other keys may have the same hash.
    if (std::equal(begin, begin + kWindow, after.begin() + found->second))
      pairs.emplace_back(i, found->second);
  }
  return ascending(pairs);
}

}  // namespace ttscope::diff
