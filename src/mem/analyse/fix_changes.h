#pragma once

#include <vector>

#include "mem/analyse/fixes.h"
#include "mem/analyse/replay.h"

namespace ttscope::mem {

/// Which buffers a fix makes smaller, and when.
struct FixChanges {
  std::vector<SmallerFor> smaller;
  std::vector<std::uint32_t> buffers;          ///< parallel: whose change it is
  std::int64_t halved = 0;                     ///< the batch or the sequence length; 0: neither
  std::int64_t asked_less_bytes_per_bank = 0;  ///< of what a failed allocation asked for
};

/// Where the buffers of a rank are looked at.
struct FixScene {
  const RuntimeTrace& trace;
  const MemoryProfile& profile;
  std::uint32_t rank_index = 0;
  Memory memory = Memory::kDram;
  Buffer asked{};  ///< what an allocation failed for; its type is kNone where none did, or nothing tells
  const RankTrace& ops = trace.ranks[rank_index];
  const RankProfile& rank = profile.ranks[rank_index];
};

FixChanges changes_of(const FixScene& scene, FixKind kind);

}  // namespace ttscope::mem
