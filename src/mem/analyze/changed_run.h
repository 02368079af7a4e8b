#pragma once

#include <optional>
#include <vector>

#include "base/result.h"
#include "fit/report.h"
#include "mem/analyze/own_replay.h"
#include "mem/analyze/resized_type.h"

namespace ttscope::mem {

/// A rank of a run and its unchanged replay.
struct FitScene {
  const RuntimeLog& log;
  const MemoryProfile& profile;
  std::uint32_t rank = 0;
  const OwnReplay& replay;

  const RankLog& ops() const { return log.ranks[rank]; }
  const RankProfile& memory() const { return profile.ranks[rank]; }
};

/// A rank as it would ask for memory on a device, with changes.
struct ChangedDemands {
  std::vector<fit::Demand> demands;         ///< parallel to the lives of the replay
  std::vector<fit::AppliedChange> applied;  ///< in the order of the options
  std::vector<fit::Omission> omissions;     ///< that the changes and the device bring
  std::int64_t cores_needed = 0;            ///< the most that an L1 tensor is sharded over
  std::uint32_t sharded_life = kNone;       ///< that one
  bool other_lifetimes = false;             ///< births or deaths are not those of the replay
  bool estimated = false;                   ///< a rule decided sizes: see fit::Basis
};

/// Fails where a change cannot be applied: what it asks for is not in the input.
Result<ChangedDemands> apply_changes(const FitScene& scene, const fit::Device& device,
                                     const fit::Changes& changes);

/// The batch and the sequence of the recorded run, as given or found; 0 where nothing tells.
DataDimensions dimensions_of(const FitScene& scene, const fit::Changes& changes);

/// What a rank asks for first and does not get.
struct RankShortage {
  fit::Shortage shortage = fit::Shortage::kExhausted;
  std::optional<Memory> memory;
  std::uint32_t life = kNone;  ///< what was to be placed; kNone: not one of the lives
  fit::Tick tick = 0;
  std::int64_t bytes_per_bank = 0;  ///< as the two below, -1 where nothing tells
  std::int64_t free_bytes_per_bank = 0;
  std::int64_t largest_free_bytes_per_bank = 0;
  std::int64_t needed = 0;                ///< cores or chips
  const OutOfMemory* measured = nullptr;  ///< the run's own failure
};

/// One rank on one device, with changes.
struct RankFit {
  ChangedDemands run;
  fit::PlacementResult placing;
  std::optional<RankShortage> shortage;  ///< nothing: it fits
  bool past_failure = false;  ///< the run ended at a failure that is none here: what follows is not known
};

Result<RankFit> fit_rank(const FitScene& scene, const fit::Device& device, const fit::Changes& changes);

}  // namespace ttscope::mem
