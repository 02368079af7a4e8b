#pragma once

#include <optional>
#include <vector>

#include "mem/analyse/fit/changed_run.h"

namespace ttscope::mem {

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
  ChangedRun run;
  fit::Placing placing;
  std::optional<RankShortage> shortage;  ///< nothing: it fits
  bool past_failure = false;  ///< the run ended at a failure that is none here: what follows is not known
};

Result<RankFit> fit_rank(const FitScene& scene, const fit::Device& device, const fit::Changes& changes);

}  // namespace ttscope::mem
