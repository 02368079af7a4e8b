#pragma once

#include "mem/analyze/graphs.h"
#include "mem/analyze/live_buffers.h"
#include "mem/analyze/memory_profile.h"

namespace ttscope::mem {

/// What the model says each op and each program boundary changed, bytes per bank.
struct ModeledChanges {
  std::vector<PerTensorMemory> by_op;
  std::vector<bool> known;                ///< the op's text was read, so its change is known
  std::vector<PerTensorMemory> by_event;  ///< parallel to RankLog::events
};

/// What the analyses of a rank read.
struct RankInput {
  const RuntimeLog& log;
  std::uint32_t rank;  ///< in RuntimeLog::ranks
  const GraphTable& graphs;
  const ProfileOptions& options;
};

/// Follows the names of a rank's programs through its log and keeps the set of live buffers. Fills
/// RankProfile::buffers, accounted, live_totals, is_weight_op and the duplicates; where the log is ambiguous
/// (views, outputs that stay, deallocates without effect) the measured change decides.
ModeledChanges track_live_buffers(const RankInput& input, MemoryProfile& profile);

}  // namespace ttscope::mem
