#include "graph/analyse/call_ranking.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "graph/analyse/per_bank.h"

namespace ttscope::graph {

namespace {

/// What a call weighs when calls are ranked. L1 is small: a byte of it weighs as much as a thousand of DRAM,
/// about the ratio of the sizes.
std::int64_t use_of(std::int64_t dram_bytes, std::int64_t l1_bytes) {
  constexpr std::int64_t kL1Weight = 1024;
  return std::max(dram_bytes, std::clamp<std::int64_t>(l1_bytes, 0, std::int64_t{1} << 40) * kL1Weight);
}

/// For each call, taken in their order, whether one of the same name is around it. Calls come before those
/// inside of them, so that the calls around are a stack, and how often each name is on it is counted: calls
/// that never end make it as deep as the capture is long.
class NamesAround {
 public:
  explicit NamesAround(const SegmentProfile& profile) : calls_(profile.calls) {}

  bool holds_name_of(std::uint32_t call) {
    while (!around_.empty() && around_.back() != calls_[call].parent) {
      --counts_[calls_[around_.back()].name];
      around_.pop_back();
    }
    std::uint32_t& count = counts_[calls_[call].name];
    around_.push_back(call);
    return count++ > 0;
  }

 private:
  const std::vector<GraphCall>& calls_;
  std::vector<std::uint32_t> around_;  ///< outermost first
  std::unordered_map<std::uint32_t, std::uint32_t> counts_;
};

}  // namespace

std::vector<std::uint32_t> ranked_calls(const SegmentProfile& profile, std::size_t most) {
  std::vector<std::uint32_t> calls(profile.calls.size());
  std::iota(calls.begin(), calls.end(), std::uint32_t{0});
  const auto use = [&](std::uint32_t index) {
    const GraphCall& call = profile.calls[index];
    return use_of(std::max(call.dram_allocated_bytes, call.dram_freed_bytes),
                  std::max(call.l1_allocated_per_core_bytes, call.cb_peak_per_core_bytes));
  };
  if (calls.size() > most) {
    std::stable_sort(calls.begin(), calls.end(),
                     [&](auto left, auto right) { return use(left) > use(right); });
    calls.resize(most);
    std::sort(calls.begin(), calls.end());
  }
  return calls;
}

std::vector<CallGroup> call_groups(const SegmentProfile& profile) {
  std::vector<CallGroup> groups;
  std::unordered_map<std::uint32_t, std::size_t> places;
  NamesAround around(profile);
  for (std::uint32_t index = 0; index < profile.calls.size(); ++index) {
    const GraphCall& call = profile.calls[index];
    if (around.holds_name_of(index)) continue;
    const auto [place, is_new] = places.emplace(call.name, groups.size());
    if (is_new) groups.push_back({call.name, call.level, 0, 0, 0, 0, 0, 0});
    CallGroup& group = groups[place->second];
    ++group.calls;
    group.level = std::min(group.level, call.level);
    group.duration_ns = sum_of(group.duration_ns, call.duration_ns);
    group.dram_allocated_bytes = sum_of(group.dram_allocated_bytes, call.dram_allocated_bytes);
    group.dram_freed_bytes = sum_of(group.dram_freed_bytes, call.dram_freed_bytes);
    group.l1_peak_per_core_bytes = std::max(group.l1_peak_per_core_bytes, call.l1_peak_per_core_bytes);
    group.cb_peak_per_core_bytes = std::max(group.cb_peak_per_core_bytes, call.cb_peak_per_core_bytes);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const CallGroup& left, const CallGroup& right) {
    const auto use = [](const CallGroup& group) {
      return use_of(std::max(group.dram_allocated_bytes, group.dram_freed_bytes),
                    group.cb_peak_per_core_bytes);
    };
    return use(left) > use(right);
  });
  return groups;
}

}  // namespace ttscope::graph
