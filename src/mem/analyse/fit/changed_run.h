#pragma once

#include <vector>

#include "base/result.h"
#include "fit/question.h"
#include "fit/report.h"
#include "mem/analyse/fit/data_dimensions.h"
#include "mem/analyse/fit/own_replay.h"

namespace ttscope::mem {

/// A rank of a run and its unchanged replay.
struct FitScene {
  const RuntimeTrace& trace;
  const MemoryProfile& profile;
  std::uint32_t rank = 0;
  const OwnReplay& replay;

  const RankTrace& ops() const { return trace.ranks[rank]; }
  const RankProfile& memory() const { return profile.ranks[rank]; }
};

/// A rank as it would ask for memory on a device, with changes.
struct ChangedRun {
  std::vector<fit::Demand> demands;         ///< parallel to the lives of the replay
  std::vector<fit::AppliedChange> applied;  ///< in the order of the options
  std::vector<fit::Omission> omissions;     ///< that the changes and the device bring
  std::int64_t cores_needed = 0;            ///< the most that an L1 tensor is sharded over
  std::uint32_t sharded_life = kNone;       ///< that one
  bool other_lifetimes = false;             ///< births or deaths are not those of the replay
  bool estimated = false;                   ///< a rule decided sizes: see fit::Basis
};

/// Fails where a change cannot be applied: what it asks for is not in the input.
Result<ChangedRun> change_run(const FitScene& scene, const fit::Device& device, const fit::Changes& changes);

/// The batch and the sequence of the recorded run, as given or found; 0 where nothing tells.
DataDimensions dimensions_of(const FitScene& scene, const fit::Changes& changes);

}  // namespace ttscope::mem
