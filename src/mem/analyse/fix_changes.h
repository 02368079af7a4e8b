#pragma once

#include <vector>

#include "mem/analyse/fixes.h"
#include "mem/analyse/replay.h"

namespace ttscope::mem {

/// Which buffers a fix makes smaller, and when.
struct FixChanges {
  std::vector<SmallerFor> smaller;
  std::vector<std::uint32_t> buffers;  ///< parallel: whose change it is
  std::int64_t halved = 0;             ///< the batch or the sequence length; 0: neither
};

/// Where the buffers of a rank are looked at.
struct FixScene {
  const RuntimeTrace& trace;
  const RankTrace& ops;
  const RankProfile& rank;
  Memory memory = Memory::kDram;
};

FixChanges changes_of(const FixScene& scene, FixKind kind);

}  // namespace ttscope::mem
