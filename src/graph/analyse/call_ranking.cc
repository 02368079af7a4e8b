#include "graph/analyse/call_ranking.h"

#include <algorithm>
#include <numeric>

namespace ttscope::graph {

std::vector<std::uint32_t> ranked_calls(const SegmentProfile& profile, std::size_t most) {
  std::vector<std::uint32_t> calls(profile.calls.size());
  std::iota(calls.begin(), calls.end(), std::uint32_t{0});
  const auto use = [&](std::uint32_t index) {
    const GraphCall& call = profile.calls[index];
    // L1 is small: a byte of it weighs as much as a thousand of DRAM, about the ratio of the sizes.
    constexpr std::int64_t kL1Weight = 1024;
    const std::int64_t l1 = std::min<std::int64_t>(
        std::max({call.l1_allocated_per_core_bytes, call.cb_peak_per_core_bytes, std::int64_t{0}}),
        std::int64_t{1} << 40);
    return std::max({call.dram_allocated_bytes, call.dram_freed_bytes, l1 * kL1Weight});
  };
  if (calls.size() > most) {
    std::stable_sort(calls.begin(), calls.end(),
                     [&](auto left, auto right) { return use(left) > use(right); });
    calls.resize(most);
    std::sort(calls.begin(), calls.end());
  }
  return calls;
}

}  // namespace ttscope::graph
