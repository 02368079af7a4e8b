#include "mem/analyse/growth_groups.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace ttscope::mem {
namespace {

struct Key {
  std::uint64_t what = 0;  ///< text and location; op type and bytes when there is no text
  std::uint64_t detail = 0;
  std::uint8_t memory = 0;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    return ((key.what * kOdd ^ key.detail) * kOdd ^ key.memory) * kOdd >> 7;
  }
};

using Groups = std::unordered_map<Key, GrowthGroup, KeyHash>;

Key key_of(const ExecutedOp& op, std::uint8_t memory, std::int64_t growth) {
  if (op.text == kNone) return {op.op_type, static_cast<std::uint64_t>(growth), memory};
  return {std::uint64_t{op.text} + 1, op.loc, memory};
}

/// The ops of a rank that take from one memory.
struct Takers {
  std::uint32_t rank = 0;
  std::uint8_t memory = 0;
};

void collect(const RuntimeTrace& log, const MemoryProfile& profile, Takers takers, Groups& groups) {
  const auto [rank, memory] = takers;
  const RankTrace& trace = log.ranks[rank];
  const auto& effects = profile.ranks[rank].effects;
  const std::size_t count = std::min(effects.size(), trace.ops.size());
  for (std::size_t op = 0; op < count; ++op) {
    const std::int64_t growth = effects[op].own_growth[memory];
    if (growth <= 0) continue;
    GrowthGroup& group = groups[key_of(trace.ops[op], memory, growth)];
    ++group.times;
    if (growth <= group.bytes_per_bank) continue;
    const std::uint64_t times = group.times;
    group = {rank, static_cast<std::uint32_t>(op), memory, growth, times, effects[op].confidence[memory]};
  }
}

std::vector<GrowthGroup> largest(const Groups& groups, std::size_t limit) {
  std::vector<GrowthGroup> sorted;
  sorted.reserve(groups.size());
  for (const auto& [key, group] : groups) sorted.push_back(group);
  const auto order = [](const GrowthGroup& group) {
    return std::make_tuple(-group.bytes_per_bank, group.rank, group.op, group.memory);
  };
  const std::size_t kept = std::min(limit, sorted.size());
  std::partial_sort(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(kept), sorted.end(),
                    [&](const GrowthGroup& a, const GrowthGroup& b) { return order(a) < order(b); });
  sorted.resize(kept);
  return sorted;
}

}  // namespace

std::vector<GrowthGroup> top_growth(const RuntimeTrace& trace, const MemoryProfile& profile, Memory memory,
                                    std::size_t limit) {
  Groups groups;
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    collect(trace, profile, {rank, static_cast<std::uint8_t>(memory)}, groups);
  }
  return largest(groups, limit);
}

}  // namespace ttscope::mem
