#include "perf/analyse/zones/zone_store.h"

#include <algorithm>
#include <bit>

namespace ttscope::perf {

std::uint64_t add_up(std::uint64_t a, std::uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

std::uint64_t NumberSet::size() const {
  std::uint64_t count = 0;
  for (const auto& [word, bits] : words_) count += static_cast<std::uint64_t>(std::popcount(bits));
  return count;
}

void ZoneEntry::add(std::uint64_t cycles, std::uint64_t self, std::uint32_t execution) {
  ++count;
  total_cycles = add_up(total_cycles, cycles);
  self_cycles = add_up(self_cycles, self);
  min_cycles = std::min(min_cycles, cycles);
  max_cycles = std::max(max_cycles, cycles);
  lengths.add(cycles);
  if (execution != kNone) executions.insert(execution);
}

}  // namespace ttscope::perf
