#include "diff/align.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/ids.h"

namespace ttscope::diff {
namespace {

using Index = std::int64_t;

/// Part of both sequences: [before_begin, before_end) and [after_begin, after_end).
struct Part {
  Index before_begin, before_end, after_begin, after_end;
};

class Comparison {
 public:
  Comparison(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
             Index max_edits)
      : before_(before), after_(after), max_edits_(std::max<Index>(max_edits, 16)) {
    // A diagonal is x - y; both searches keep the furthest x on each.
    const auto diagonals = before.size() + after.size() + 3;
    offset_ = static_cast<Index>(after.size()) + 1;
    forward_.resize(diagonals);
    backward_.resize(diagonals);
  }

  Matches run() {
    // Recursion by hand: parts of a sequence of unlike halves can be deep.
    std::vector<Part> waiting = {
        {0, static_cast<Index>(before_.size()), 0, static_cast<Index>(after_.size())}};
    while (!waiting.empty()) {
      Part part = waiting.back();
      waiting.pop_back();
      trim(part);
      if (part.before_begin == part.before_end || part.after_begin == part.after_end) continue;
      const auto [x, y] = middle_of(part);
      waiting.push_back({part.before_begin, x, part.after_begin, y});
      waiting.push_back({x, part.before_end, y, part.after_end});
    }
    std::sort(matches_.begin(), matches_.end());
    return std::move(matches_);
  }

 private:
  bool same(Index x, Index y) const {
    return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
  }
  void match(Index x, Index y) {
    matches_.emplace_back(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
  }
  Index& forward(Index diagonal) { return forward_[static_cast<std::size_t>(diagonal + offset_)]; }
  Index& backward(Index diagonal) { return backward_[static_cast<std::size_t>(diagonal + offset_)]; }

  /// Equal ends need no search.
  void trim(Part& part) {
    while (part.before_begin < part.before_end && part.after_begin < part.after_end &&
           same(part.before_begin, part.after_begin)) {
      match(part.before_begin++, part.after_begin++);
    }
    while (part.before_begin < part.before_end && part.after_begin < part.after_end &&
           same(part.before_end - 1, part.after_end - 1)) {
      match(--part.before_end, --part.after_end);
    }
  }

  /// The diagonals that a search has reached.
  struct FurthestByDiagonal {
    Index low;
    Index high;
  };

  /// A point that an edit path of least length goes through: where searches from both ends meet.
  std::pair<Index, Index> middle_of(const Part& part) {
    const Index least = part.before_begin - part.after_end;
    const Index most = part.before_end - part.after_begin;
    const Index first = part.before_begin - part.after_begin;
    const Index last = part.before_end - part.after_end;
    const bool odd = ((first - last) & 1) != 0;
    FurthestByDiagonal ahead = {first, first}, back = {last, last};
    const FurthestByDiagonal all = {least, most};
    forward(first) = part.before_begin;
    backward(last) = part.before_end;
    for (Index edits = 1;; ++edits) {
      widen(ahead, all, [&](Index d) { forward(d) = -1; });
      for (Index d = ahead.high; d >= ahead.low; d -= 2) {
        Index x = std::max(forward(d - 1) + 1, forward(d + 1));
        x = std::min(x, part.before_end);
        Index y = x - d;
        while (x < part.before_end && y < part.after_end && same(x, y)) ++x, ++y;
        forward(d) = x;
        if (odd && d >= back.low && d <= back.high && backward(d) <= x) return clamped(part, x, y);
      }
      widen(back, all, [&](Index d) { backward(d) = std::numeric_limits<Index>::max() / 2; });
      for (Index d = back.high; d >= back.low; d -= 2) {
        Index x = std::min(backward(d - 1), backward(d + 1) - 1);
        x = std::max(x, part.before_begin);
        Index y = x - d;
        while (x > part.before_begin && y > part.after_begin && same(x - 1, y - 1)) --x, --y;
        backward(d) = x;
        if (!odd && d >= ahead.low && d <= ahead.high && x <= forward(d)) return clamped(part, x, y);
      }
      if (edits >= max_edits_) return furthest(part, ahead.low, ahead.high);
    }
  }

  /// One diagonal more on each side, or one less where the part ends.
  template <typename PutOutside>
  static void widen(FurthestByDiagonal& now, const FurthestByDiagonal& all, PutOutside put_outside) {
    if (now.low > all.low) {
      put_outside(--now.low - 1);
    } else {
      ++now.low;
    }
    if (now.high < all.high) {
      put_outside(++now.high + 1);
    } else {
      --now.high;
    }
  }

  static std::pair<Index, Index> clamped(const Part& part, Index x, Index y) {
    x = std::clamp(x, part.before_begin, part.before_end);
    y = std::clamp(y, part.after_begin, part.after_end);
    return {x, y};
  }

  /// Too many differences: what the search from the front reached with the most progress.
  std::pair<Index, Index> furthest(const Part& part, Index low, Index high) {
    Index best = std::numeric_limits<Index>::min();
    std::pair<Index, Index> point = {part.before_end, part.after_begin};
    for (Index d = low; d <= high; d += 2) {
      const Index x = std::min(forward(d), part.before_end);
      const Index y = x - d;
      if (y < part.after_begin || y > part.after_end || x + y <= best) continue;
      best = x + y;
      point = {x, y};
    }
    return point;
  }

  const std::vector<std::uint32_t>& before_;
  const std::vector<std::uint32_t>& after_;
  Index max_edits_;
  Index offset_ = 0;
  std::vector<Index> forward_;
  std::vector<Index> backward_;
  Matches matches_;
};

}  // namespace

std::uint32_t affordable_edits(std::size_t items) {
  constexpr std::size_t kMax = 2000;
  constexpr std::size_t kMin = 100;
  return static_cast<std::uint32_t>(
      std::clamp(kMax * kExactItems / std::max<std::size_t>(items, 1), kMin, kMax));
}

Matches common_subsequence(const std::vector<std::uint32_t>& before, const std::vector<std::uint32_t>& after,
                           std::uint32_t max_edits) {
  return Comparison(before, after, max_edits).run();
}

namespace {

/// One side of two sequences that are being paired.
struct PairedSide {
  const std::vector<std::uint32_t>& keys;
  const std::vector<std::uint32_t>& partners;  ///< places on the other side; kNone: none yet
};

/// The same keys in a row on both sides, none of which has a partner.
struct MovedBlock {
  std::uint32_t before = 0;
  std::uint32_t after = 0;
  std::uint32_t length = 0;
};

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
        extend_at(i, expected);
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
  void extend_at(std::uint32_t i, std::uint32_t expected) {
    const std::vector<std::uint32_t> last = std::move(seen_);
    seen_.clear();
    const auto places = new_places_.find(before_.keys[i]);
    if (places == new_places_.end()) return;
    constexpr std::ptrdiff_t kAnchorRadius = 16;
    const std::vector<std::uint32_t>& all = places->second;
    const auto middle = std::lower_bound(all.begin(), all.end(), expected);
    const auto first = middle - std::min(kAnchorRadius, middle - all.begin());
    const auto end = middle + std::min(kAnchorRadius, all.end() - middle);
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

/// Blocks that only changed their place: longest first, of equal ones that which moved least. They may
/// overlap. A single key counts only where neither side has another of it.
std::vector<MovedBlock> moved_blocks(const PairedSide& before, const PairedSide& after) {
  return BlockSearch(before, after).run();
}

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

namespace {

constexpr std::size_t kLevels = 4;
constexpr auto kNameLevel = static_cast<std::size_t>(Similarity::kName);

using Keys = std::vector<std::uint32_t>;

/// The text that items of one level have in common.
std::string key_text(const ItemKind& kind, Similarity similarity) {
  constexpr char kEnd = '\x1f';
  const bool needs_place =
      similarity == Similarity::kPlace || (similarity == Similarity::kName && kind.is_named);
  // Without a place nothing but the shape tells more than the name.
  const bool needs_shape = similarity == Similarity::kExact || similarity == Similarity::kShape ||
                           (similarity == Similarity::kPlace && kind.place.empty());
  std::string text = kind.op;
  if (needs_shape) text += kEnd + kind.shape;
  if (needs_place) text += kEnd + kind.place;
  if (similarity == Similarity::kExact) text += kEnd + kind.place + kEnd + kind.form;
  return text;
}

/// The items of both runs as numbers, level by level.
struct KeyedRuns {
  std::array<Keys, kLevels> before;
  std::array<Keys, kLevels> after;
};

KeyedRuns keyed(const ComparedRun& before, const ComparedRun& after) {
  KeyedRuns keys;
  for (std::size_t level = 0; level < kLevels; ++level) {
    std::unordered_map<std::string, std::uint32_t> numbers;
    const auto number = [&](const ComparedRun& run, Keys& out) {
      Keys of_kind;
      for (const ItemKind& kind : run.kinds) {
        of_kind.push_back(numbers
                              .try_emplace(key_text(kind, static_cast<Similarity>(level)),
                                           static_cast<std::uint32_t>(numbers.size()))
                              .first->second);
      }
      for (const Item& item : run.items) out.push_back(of_kind[item.kind]);
    };
    number(before, keys.before[level]);
    number(after, keys.after[level]);
  }
  return keys;
}

/// How many items find a partner when order does not matter.
std::size_t shared_count(const Keys& before, const Keys& after) {
  std::unordered_map<std::uint32_t, std::int64_t> counts;
  for (const std::uint32_t key : before) ++counts[key];
  std::size_t shared = 0;
  for (const std::uint32_t key : after) {
    if (counts[key]-- > 0) ++shared;
  }
  return shared;
}

/// A stretch of both runs whose ends are pairs, or the ends of the runs.
struct Stretch {
  std::uint32_t before_begin, before_end, after_begin, after_end;
  bool is_open() const { return before_begin < before_end && after_begin < after_end; }
};

class Aligner {
 public:
  Aligner(const ComparedRun& before, const ComparedRun& after)
      : keys_(keyed(before, after)),
        partner_of_before_(before.items.size(), kNone),
        partner_of_after_(after.items.size(), kNone) {}

  ItemAlignment align() {
    // The finest level that most items have a partner at; a batch that doubled leaves only names.
    std::size_t level = 0;
    const std::size_t by_name = shared_count(keys_.before[kNameLevel], keys_.after[kNameLevel]);
    while (level + 1 < kLevels && shared_count(keys_.before[level], keys_.after[level]) * 2 < by_name)
      ++level;
    match_windows(level);
    match_level(level);
    for (std::size_t finer = 0; finer < level; ++finer) match_level(finer);
    if (level == 0) match_level(1);
    match_moved();
    for (std::size_t coarser = std::clamp<std::size_t>(level + 1, 2, kNameLevel); coarser < kLevels;
         ++coarser)
      match_level(coarser);
    return collect();
  }

 private:
  void pair(std::uint32_t before, std::uint32_t after, Similarity similarity, bool moved = false) {
    partner_of_before_[before] = after;
    partner_of_after_[after] = before;
    pairs_.push_back({before, after, similarity, moved});
  }

  /// The finest level that both have in common.
  Similarity similarity_of(std::uint32_t before, std::uint32_t after) const {
    for (std::size_t level = 0; level < kLevels; ++level) {
      if (keys_.before[level][before] == keys_.after[level][after]) return static_cast<Similarity>(level);
    }
    return Similarity::kName;
  }

  /// Stretches between pairs in order; moved pairs bound nothing.
  std::vector<Stretch> stretches() const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> anchors;
    for (const ItemPair& pair : pairs_) {
      if (!pair.is_moved) anchors.emplace_back(pair.before, pair.after);
    }
    std::sort(anchors.begin(), anchors.end());
    std::vector<Stretch> list;
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    anchors.emplace_back(static_cast<std::uint32_t>(partner_of_before_.size()),
                         static_cast<std::uint32_t>(partner_of_after_.size()));
    for (const auto& [next_before, next_after] : anchors) {
      list.push_back({before, next_before, after, next_after});
      before = next_before + 1;
      after = next_after + 1;
    }
    return list;
  }

  /// Of runs too long for the longest common sequence: what tells itself apart from all else.
  void match_windows(std::size_t level) {
    if (keys_.before[level].size() + keys_.after[level].size() <= kExactItems) return;
    for (const auto& [before, after] : unique_windows(keys_.before[level], keys_.after[level])) {
      pair(before, after, similarity_of(before, after));
    }
  }

  /// Pairs what has no partner yet, in order, inside of every stretch.
  void match_level(std::size_t level) {
    for (const Stretch& stretch : stretches()) {
      if (stretch.is_open()) match_stretch(stretch, level);
    }
  }

  void match_stretch(const Stretch& stretch, std::size_t level) {
    std::vector<std::uint32_t> before =
        free_items(partner_of_before_, stretch.before_begin, stretch.before_end);
    std::vector<std::uint32_t> after = free_items(partner_of_after_, stretch.after_begin, stretch.after_end);
    const Keys& before_keys = keys_.before[level];
    const Keys& after_keys = keys_.after[level];
    keep_shared(before, before_keys, after, after_keys);
    keep_shared(after, after_keys, before, before_keys);
    const auto taken = [](const std::vector<std::uint32_t>& items, const Keys& keys) {
      Keys list;
      for (const std::uint32_t item : items) list.push_back(keys[item]);
      return list;
    };
    for (const auto& [x, y] : common_subsequence(taken(before, before_keys), taken(after, after_keys),
                                                 affordable_edits(before.size() + after.size()))) {
      pair(before[x], after[y], similarity_of(before[x], after[y]));
    }
  }

  static std::vector<std::uint32_t> free_items(const std::vector<std::uint32_t>& partners,
                                               std::uint32_t begin, std::uint32_t end) {
    std::vector<std::uint32_t> items;
    for (std::uint32_t i = begin; i < end; ++i) {
      if (partners[i] == kNone) items.push_back(i);
    }
    return items;
  }

  /// What the other side does not have at all only makes the search longer.
  static void keep_shared(std::vector<std::uint32_t>& items, const Keys& keys,
                          const std::vector<std::uint32_t>& others, const Keys& other_keys) {
    std::unordered_map<std::uint32_t, bool> known;
    for (const std::uint32_t other : others) known[other_keys[other]] = true;
    std::erase_if(items, [&](std::uint32_t item) { return !known.contains(keys[item]); });
  }

  // ---- what only changed its place -----------------------------------------------------------------

  void match_moved() {
    for (const MovedBlock& block :
         moved_blocks({keys_.before[0], partner_of_before_}, {keys_.after[0], partner_of_after_})) {
      pair_free_parts(block);
    }
  }

  bool is_free(const MovedBlock& block, std::uint32_t i) const {
    return partner_of_before_[block.before + i] == kNone && partner_of_after_[block.after + i] == kNone;
  }

  /// A longer block may have taken a part of it; single items of what is left prove nothing.
  void pair_free_parts(const MovedBlock& block) {
    for (std::uint32_t i = 0; i < block.length;) {
      std::uint32_t end = i;
      while (end < block.length && is_free(block, end)) ++end;
      if (end - i >= 2 || (end > i && block.length == 1)) {
        for (std::uint32_t k = i; k < end; ++k) {
          pair(block.before + k, block.after + k, Similarity::kExact, true);
        }
      }
      i = std::max(end, i + 1);
    }
  }

  // ---- the result ----------------------------------------------------------------------------------

  ItemAlignment collect() {
    ItemAlignment result;
    for (const Stretch& stretch : stretches()) {
      Replacement replacement;
      replacement.removed = free_items(partner_of_before_, stretch.before_begin, stretch.before_end);
      replacement.added = free_items(partner_of_after_, stretch.after_begin, stretch.after_end);
      result.removed.insert(result.removed.end(), replacement.removed.begin(), replacement.removed.end());
      result.added.insert(result.added.end(), replacement.added.begin(), replacement.added.end());
      if (!replacement.removed.empty() || !replacement.added.empty()) {
        result.replacements.push_back(std::move(replacement));
      }
    }
    std::sort(pairs_.begin(), pairs_.end(),
              [](const ItemPair& a, const ItemPair& b) { return a.after < b.after; });
    result.pairs = std::move(pairs_);
    return result;
  }

  KeyedRuns keys_;
  std::vector<std::uint32_t> partner_of_before_;
  std::vector<std::uint32_t> partner_of_after_;
  std::vector<ItemPair> pairs_;
};

}  // namespace

ItemAlignment align_runs(const ComparedRun& before, const ComparedRun& after) {
  return Aligner(before, after).align();
}

double confidence_of(const ItemAlignment& alignment, std::size_t pair) {
  const ItemPair& own = alignment.pairs[pair];
  const auto follows = [&](std::size_t first, std::size_t second) {
    return alignment.pairs[second].before == alignment.pairs[first].before + 1 &&
           alignment.pairs[second].after == alignment.pairs[first].after + 1;
  };
  int neighbors = 0;
  if (pair == 0 ? own.before == 0 && own.after == 0 : follows(pair - 1, pair)) ++neighbors;
  if (pair + 1 < alignment.pairs.size() ? follows(pair, pair + 1) : true) ++neighbors;
  constexpr std::array<double, kLevels> kAlone = {0.8, 0.6, 0.6, 0.4};
  constexpr double kPerNeighbor = 0.1;
  return kAlone[static_cast<std::size_t>(own.similarity)] + kPerNeighbor * neighbors -
         (own.is_moved ? 0.1 : 0);
}

namespace {

struct Family {
  std::string_view name;
  std::string_view members;  ///< in lower case without underscores, with blanks around each
};

constexpr std::array kFamilies = {
    Family{"matmul", " linear "},
    Family{"embedding", " embeddings "},
    Family{"binary",
           " binaryng add subtract multiply divide maximum minimum eq ne gt ge lt le logicaland logicalor "
           "logicalxor bitwiseand bitwiseor bitwisexor pow powtensor powscalar remainder atan2 "},
    Family{
        "unary",
        " neg exp gelu silu relu relu6 leakyrelu sigmoid hardsigmoid tanh sqrt rsqrt reciprocal sin cos tan "
        "log log1p expm1 abs erf erfc floor ceil sign isfinite logicalnot bitwisenot cbrt atan mish clamp "
        "clampscalar "},
    Family{"norm", " layernorm rmsnorm groupnorm batchnorm "},
    Family{"reshape", " reshapeview view "},
    Family{"permute", " transpose "},
    Family{"layout", " tolayout tilize tilizewithvalpadding untilize untilizewithunpadding "},
    Family{"memory", " tomemoryconfig interleavedtosharded shardedtointerleaved reshard copy move clone "},
    Family{"attention", " scaleddotproductattention scaleddotproductattentiondecode sdpa sdpadecode "},
    Family{"split_heads",
           " splitquerykeyvalueandsplitheads nlpcreateheads nlpcreateqkvheads nlpcreateqkvheadsdecode "
           "nlpcreateheadsdecode createqkvheads "},
    Family{"join_heads", " concatenateheads nlpconcatheads nlpconcatheadsdecode "},
    Family{"update_cache", " updatecache pagedupdatecache pagedfusedupdatecache "},
    Family{"fill_cache", " fillcache pagedfillcache "},
    Family{"reduce", " sum mean max min prod "},
    Family{"pool", " maxpool2d avgpool2d pool2d globalavgpool2d "},
    Family{"slice", " slicestatic slicedynamic "},
    Family{"fill", " full ones zeros fulllike "},
    Family{"rotary", " rotaryembedding rotaryembeddingllama rotaryembeddingfused "},
};

/// `ttnn.reduce_scatter`, `ReduceScatterDeviceOperation`: `reducescatter`.
std::string plain_name(std::string_view op) {
  if (const std::size_t dot = op.rfind('.'); dot != std::string_view::npos) op.remove_prefix(dot + 1);
  for (const std::string_view ending : {"DeviceOperation", "Operation"}) {
    if (op.size() > ending.size() && op.ends_with(ending)) op.remove_suffix(ending.size());
  }
  std::string plain;
  for (const char c : op) {
    if (c != '_') plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

}  // namespace

std::string op_family(std::string_view op) {
  std::string plain = plain_name(op);
  const std::string word = " " + plain + " ";
  const auto found = std::find_if(kFamilies.begin(), kFamilies.end(), [&](const Family& family) {
    return family.members.find(word) != std::string_view::npos;
  });
  return found == kFamilies.end() ? plain : std::string(found->name);
}

namespace {

/// The first quoted name of a location, which is the same whatever stands around it; empty: it has none.
std::string_view quoted_name(std::string_view location) {
  const std::size_t open = location.find('"');
  if (open == std::string_view::npos) return {};
  const std::size_t close = location.find('"', open + 1);
  return close == std::string_view::npos ? std::string_view() : location.substr(open + 1, close - open - 1);
}

std::size_t join_by_location(DiffReport& report, const DiffReport& other) {
  struct Places {
    std::vector<std::uint32_t> ops;
    std::size_t next = 0;
  };
  std::unordered_map<std::string_view, Places> by_name;
  for (std::uint32_t i = 0; i < other.ops.size(); ++i) {
    const std::string_view name = quoted_name(other.ops[i].location);
    if (!name.empty()) by_name[name].ops.push_back(i);
  }
  std::size_t joined = 0;
  for (DiffOp& op : report.ops) {
    const auto found = by_name.find(quoted_name(op.location));
    if (found == by_name.end() || found->second.next >= found->second.ops.size()) continue;
    op.beside = found->second.ops[found->second.next++];
    ++joined;
  }
  return joined;
}

/// The ops of one run of a report, last first: of a log of several passes a window is most often the last.
struct RunOrder {
  std::vector<std::uint32_t> ops;
  std::vector<std::uint32_t> keys;
};

class NameJoin {
 public:
  NameJoin(DiffReport& report, const DiffReport& other)
      : report_(report), other_(other), is_taken_(other.ops.size()) {}

  std::size_t join() {
    join_run(&DiffOp::after_place);
    join_run(&DiffOp::before_place);
    const auto joined = static_cast<std::size_t>(std::count_if(
        report_.ops.begin(), report_.ops.end(), [](const DiffOp& op) { return op.beside.has_value(); }));
    if (joined * 2 >= report_.ops.size()) return joined;
    for (DiffOp& op : report_.ops) op.beside.reset();
    return 0;
  }

 private:
  std::uint32_t key_of(const std::string& op) {
    return keys_.try_emplace(op_family(op), static_cast<std::uint32_t>(keys_.size())).first->second;
  }

  template <typename IsTaken>
  RunOrder order_of(const DiffReport& report, std::uint32_t DiffOp::*place, IsTaken is_taken) {
    RunOrder order;
    for (std::uint32_t i = 0; i < report.ops.size(); ++i) {
      if (report.ops[i].*place != kNone && !is_taken(i)) order.ops.push_back(i);
    }
    std::sort(order.ops.begin(), order.ops.end(),
              [&](std::uint32_t a, std::uint32_t b) { return report.ops[a].*place > report.ops[b].*place; });
    for (const std::uint32_t op : order.ops) order.keys.push_back(key_of(report.ops[op].op));
    return order;
  }

  void join_run(std::uint32_t DiffOp::*place) {
    const RunOrder own =
        order_of(report_, place, [&](std::uint32_t op) { return report_.ops[op].beside.has_value(); });
    const RunOrder others = order_of(other_, place, [&](std::uint32_t op) { return is_taken_[op]; });
    for (const auto& [mine, theirs] :
         common_subsequence(own.keys, others.keys, affordable_edits(own.keys.size() + others.keys.size()))) {
      report_.ops[own.ops[mine]].beside = others.ops[theirs];
      is_taken_[others.ops[theirs]] = true;
    }
  }

  DiffReport& report_;
  const DiffReport& other_;
  std::vector<bool> is_taken_;                           ///< by op of the other report
  std::unordered_map<std::string, std::uint32_t> keys_;  ///< by family
};

}  // namespace

JoinedOps join_ops(DiffReport& report, DiffReport& other) {
  JoinedOps joined = {JoinBasis::kLocations, join_by_location(report, other)};
  if (joined.count == 0) joined = {JoinBasis::kNames, NameJoin(report, other).join()};
  if (joined.count == 0) return {};
  for (std::uint32_t i = 0; i < report.ops.size(); ++i) {
    if (report.ops[i].beside) other.ops[*report.ops[i].beside].beside = i;
  }
  return joined;
}

}  // namespace ttscope::diff
