#include "diff/align/align_runs.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <unordered_map>

#include "diff/align/edit_script.h"
#include "diff/align/moved_blocks.h"
#include "diff/align/unique_windows.h"

namespace ttscope::diff {
namespace {

constexpr std::size_t kLevels = 4;
constexpr auto kNameLevel = static_cast<std::size_t>(Likeness::kName);
using Keys = std::vector<std::uint32_t>;

/// The text that items of one level have in common.
std::string key_text(const ItemKind& kind, Likeness likeness) {
  constexpr char kEnd = '\x1f';
  const bool needs_place = likeness == Likeness::kPlace || (likeness == Likeness::kName && kind.is_named);
  // Without a place nothing but the shape tells more than the name.
  const bool needs_shape = likeness == Likeness::kExact || likeness == Likeness::kShape ||
                           (likeness == Likeness::kPlace && kind.place.empty());
  std::string text = kind.op;
  if (needs_shape) text += kEnd + kind.shape;
  if (needs_place) text += kEnd + kind.place;
  if (likeness == Likeness::kExact) text += kEnd + kind.place + kEnd + kind.form;
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
                              .try_emplace(key_text(kind, static_cast<Likeness>(level)),
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
  void pair(std::uint32_t before, std::uint32_t after, Likeness likeness, bool moved = false) {
    partner_of_before_[before] = after;
    partner_of_after_[after] = before;
    pairs_.push_back({before, after, likeness, moved});
  }

  /// The finest level that both have in common.
  Likeness likeness_of(std::uint32_t before, std::uint32_t after) const {
    for (std::size_t level = 0; level < kLevels; ++level) {
      if (keys_.before[level][before] == keys_.after[level][after]) return static_cast<Likeness>(level);
    }
    return Likeness::kName;
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
      pair(before, after, likeness_of(before, after));
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
      pair(before[x], after[y], likeness_of(before[x], after[y]));
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
          pair(block.before + k, block.after + k, Likeness::kExact, true);
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
  int neighbours = 0;
  if (pair == 0 ? own.before == 0 && own.after == 0 : follows(pair - 1, pair)) ++neighbours;
  if (pair + 1 < alignment.pairs.size() ? follows(pair, pair + 1) : true) ++neighbours;
  constexpr std::array<double, kLevels> kAlone = {0.8, 0.6, 0.6, 0.4};
  constexpr double kPerNeighbour = 0.1;
  return kAlone[static_cast<std::size_t>(own.likeness)] + kPerNeighbour * neighbours -
         (own.is_moved ? 0.1 : 0);
}

}  // namespace ttscope::diff
