#include "mem/analyse/const_eval_cache.h"

namespace ttscope::mem {

void ConstEvalCache::store(BufferPool& pool, std::uint64_t key, const std::vector<std::uint32_t>& entry) {
  for (const std::uint32_t buffer : entry) {
    if (buffer == kNone) continue;
    ++pool.state(buffer).cache_entries;
    if (pool.state(buffer).home_graph == kNone) pool.edit(buffer).kind = TensorKind::kConstEval;
  }
  const std::vector<std::uint32_t> old = std::move(entries_[key]);
  entries_[key] = entry;
  for (const std::uint32_t buffer : old) {
    if (buffer == kNone) continue;
    BufferState& state = pool.state(buffer);
    if (--state.cache_entries == 0 && state.names == 0 && !state.resident) pool.free(buffer);
  }
}

std::int64_t ConstEvalCache::bytes_per_bank(const BufferPool& pool) const {
  std::int64_t sum = 0;
  for (const auto& [key, entry] : entries_) {
    for (const std::uint32_t buffer : entry) {
      if (buffer == kNone || !pool.is_live(buffer) || pool.state(buffer).home_graph != kNone) continue;
      sum = saturating_add(sum, pool[buffer].bytes_per_bank);
    }
  }
  return sum;
}

}  // namespace ttscope::mem
