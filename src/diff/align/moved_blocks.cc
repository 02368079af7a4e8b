#include "diff/align/moved_blocks.h"

#include <algorithm>
#include <unordered_map>

#include "base/none.h"

namespace ttscope::diff {
namespace {

/// Free places of each key, in ascending order.
using PlacesOfKey = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

PlacesOfKey free_places(const PairedSide& side) {
  PlacesOfKey places;
  for (std::uint32_t i = 0; i < side.keys.size(); ++i) {
    if (side.partners[i] == kNone) places[side.keys[i]].push_back(i);
  }
  return places;
}

class BlockSearch {
 public:
  BlockSearch(const PairedSide& before, const PairedSide& after)
      : before_(before), after_(after), old_places_(free_places(before)), new_places_(free_places(after)) {}

  std::vector<MovedBlock> run() {
    std::uint32_t expected = 0;  // where it would stand if it had not moved
    for (std::uint32_t i = 0; i < before_.keys.size(); ++i) {
      if (before_.partners[i] != kNone) {
        expected = before_.partners[i] + 1;
        seen_.clear();
      } else {
        look_at(i, expected);
      }
    }
    std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
      return a.block.length != b.block.length ? a.block.length > b.block.length : a.distance < b.distance;
    });
    std::vector<MovedBlock> blocks;
    blocks.reserve(found_.size());
    for (const Found& found : found_) blocks.push_back(found.block);
    return blocks;
  }

 private:
  struct Found {
    MovedBlock block;
    std::uint32_t distance;
  };

  /// The places nearest to where the key would be expected: a layer that repeats has it in every pass.
  void look_at(std::uint32_t i, std::uint32_t expected) {
    const std::vector<std::uint32_t> last = std::move(seen_);
    seen_.clear();
    const auto places = new_places_.find(before_.keys[i]);
    if (places == new_places_.end()) return;
    constexpr std::ptrdiff_t kEachSide = 16;
    const std::vector<std::uint32_t>& all = places->second;
    const auto middle = std::lower_bound(all.begin(), all.end(), expected);
    const auto first = middle - std::min(kEachSide, middle - all.begin());
    const auto end = middle + std::min(kEachSide, all.end() - middle);
    const bool is_only = all.size() == 1 && old_places_.at(before_.keys[i]).size() == 1;
    for (auto place = first; place != end; ++place) {
      seen_.push_back(*place);
      // Part of the block that was found one step before.
      if (*place > 0 && std::binary_search(last.begin(), last.end(), *place - 1)) continue;
      const std::uint32_t length = block_length(i, *place);
      if (length < 2 && !is_only) continue;
      found_.push_back({{i, *place, length}, std::max(*place, expected) - std::min(*place, expected)});
    }
  }

  std::uint32_t block_length(std::uint32_t before, std::uint32_t after) const {
    std::uint32_t length = 0;
    while (before + length < before_.keys.size() && after + length < after_.keys.size() &&
           before_.partners[before + length] == kNone && after_.partners[after + length] == kNone &&
           before_.keys[before + length] == after_.keys[after + length]) {
      ++length;
    }
    return length;
  }

  PairedSide before_;
  PairedSide after_;
  PlacesOfKey old_places_;
  PlacesOfKey new_places_;
  std::vector<std::uint32_t> seen_;  // places looked at for the key before, in ascending order
  std::vector<Found> found_;
};

}  // namespace

std::vector<MovedBlock> moved_blocks(const PairedSide& before, const PairedSide& after) {
  return BlockSearch(before, after).run();
}

}  // namespace ttscope::diff
