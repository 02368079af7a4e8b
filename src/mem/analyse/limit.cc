#include "mem/analyse/limit.h"

#include <cmath>

namespace ttscope::mem {
namespace {

/// The rank with the highest peak of a memory.
std::uint32_t highest_rank(const MemoryProfile& profile, Memory memory) {
  const auto peak_of = [&](std::uint32_t rank) {
    return profile.ranks[rank].peaks[index_of(memory)].bytes_per_bank;
  };
  std::uint32_t best = profile.main_rank;
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank) {
    if (peak_of(rank) > peak_of(best)) best = rank;
  }
  return best;
}

}  // namespace

Result<std::optional<PeakOverLimit>> check_limit(const Profile& profile, const PeakLimit& limit) {
  if (profile.memory.ranks.empty()) return std::nullopt;
  PeakOverLimit over;
  over.memory = limit.memory;
  over.rank = highest_rank(profile.memory, limit.memory);
  const RankProfile& rank = profile.memory.ranks[over.rank];
  over.peak = rank.peaks[index_of(limit.memory)];
  over.capacity_bytes_per_bank = rank.device.capacity_bytes_per_bank[index_of(limit.memory)];
  over.allowed_bytes_per_bank = limit.bytes_per_bank;
  over.failed = profile.memory.verdict.failed();
  if (over.failed) return over;
  if (limit.fraction >= 0) {
    if (over.capacity_bytes_per_bank == 0) {
      return failure(bad_input("the log does not say how large a bank is; give the limit in bytes per bank"));
    }
    over.allowed_bytes_per_bank =
        std::llround(limit.fraction * static_cast<double>(over.capacity_bytes_per_bank));
  }
  if (over.peak.bytes_per_bank <= over.allowed_bytes_per_bank) return std::nullopt;
  return over;
}

}  // namespace ttscope::mem
