#include "mem/analyse/fit/rank_fit.h"

#include <algorithm>

#include "mem/analyse/failure.h"

namespace ttscope::mem {
namespace {

fit::Shortage shortage_of(const fit::Demand& demand, const fit::FreeListStats& stats) {
  if (demand.kind == fit::DemandKind::kRoomAtBottom) return fit::Shortage::kCircularBuffers;
  const auto wanted = static_cast<std::uint64_t>(std::max<std::int64_t>(demand.bytes_per_bank, 0));
  if (stats.total_bytes == 0) return fit::Shortage::kRegionMissing;
  if (wanted > stats.total_bytes) return fit::Shortage::kLargerThanBank;
  return wanted > stats.free_bytes ? fit::Shortage::kExhausted : fit::Shortage::kFragmented;
}

RankShortage unplaced(const ChangedRun& run, const fit::Unplaced& failure) {
  const fit::Demand& demand = run.demands[failure.demand];
  RankShortage shortage;
  shortage.shortage = shortage_of(demand, failure.stats);
  shortage.memory = demand.memory;
  shortage.life = static_cast<std::uint32_t>(failure.demand);
  shortage.tick = failure.tick;
  shortage.bytes_per_bank = demand.bytes_per_bank;
  shortage.free_bytes_per_bank = static_cast<std::int64_t>(failure.stats.free_bytes);
  shortage.largest_free_bytes_per_bank = static_cast<std::int64_t>(failure.stats.largest_free_bytes);
  return shortage;
}

fit::Shortage shortage_of(const FailedBank& bank, const OutOfMemory& failure) {
  if (failure.kind == FailureKind::kBuffersBeyondL1 || failure.kind == FailureKind::kBuffersClash)
    return fit::Shortage::kCircularBuffers;
  if (failure.kind == FailureKind::kProgramSize) return fit::Shortage::kProgramTooLarge;
  if (bank.verdict == FailureVerdict::kRegionMissing) return fit::Shortage::kRegionMissing;
  switch (bank.cause) {
    case FailureCause::kNeverFits:
      return fit::Shortage::kLargerThanBank;
    case FailureCause::kFragmented:
      return fit::Shortage::kFragmented;
    case FailureCause::kRegionAbsent:
      return fit::Shortage::kRegionMissing;
    case FailureCause::kExhausted:
      return fit::Shortage::kExhausted;
    case FailureCause::kUnknown:
      break;
  }
  return fit::Shortage::kUndecided;
}

/// What the run itself says about its end counts more than any model.
RankShortage measured_shortage(const FitScene& scene, const OutOfMemory& failure,
                               const fit::Placing& placing) {
  RankShortage shortage;
  shortage.largest_free_bytes_per_bank = shortage.free_bytes_per_bank = -1;
  const RankLives& lives = scene.replay.lives;
  if (placing.failure && placing.failure->demand == lives.failed_life && scene.memory().measured) {
    shortage.largest_free_bytes_per_bank =
        static_cast<std::int64_t>(placing.failure->stats.largest_free_bytes);
    shortage.free_bytes_per_bank = static_cast<std::int64_t>(placing.failure->stats.free_bytes);
  }
  const FailedBank bank = examine_failure(scene.trace, scene.ops(), failure);
  shortage.shortage = shortage_of(bank, failure);
  shortage.memory = failure.memory;
  shortage.measured = &failure;
  shortage.life = lives.failed_life;
  shortage.tick = lives.failed_tick;
  shortage.bytes_per_bank =
      shortage.shortage == fit::Shortage::kCircularBuffers ? failure.reached_bytes : bank.needed_bytes;
  if (bank.free_bytes >= 0) shortage.free_bytes_per_bank = bank.free_bytes;
  if (bank.largest_free_bytes >= 0) shortage.largest_free_bytes_per_bank = bank.largest_free_bytes;
  return shortage;
}

std::optional<RankShortage> missing_parts(const FitScene& scene, const fit::Device& device,
                                          const fit::Changes& changes, const ChangedRun& run) {
  RankShortage shortage;
  const std::int64_t chips =
      std::int64_t{std::max(scene.memory().device.chips, 1U)} * changes.tensor_parallel;
  const bool counts = !device.is_own || changes.tensor_parallel > 1;
  if (counts && !device.is_own && device.chips > 0 && chips > device.chips) {
    shortage.shortage = fit::Shortage::kTooFewChips;
    shortage.needed = chips;
    return shortage;
  }
  const std::int64_t cores = device.region(Memory::kL1).banks;
  if (!device.is_own && run.cores_needed > cores) {
    shortage.shortage = fit::Shortage::kTooFewCores;
    shortage.memory = Memory::kL1;
    shortage.needed = run.cores_needed;
    shortage.life = run.sharded_life;
    shortage.tick = scene.replay.lives.lives[run.sharded_life].born;
    shortage.bytes_per_bank = run.demands[run.sharded_life].bytes_per_bank;
    return shortage;
  }
  return std::nullopt;
}

}  // namespace

Result<RankFit> fit_rank(const FitScene& scene, const fit::Device& device, const fit::Changes& changes) {
  Result<ChangedRun> run = change_run(scene, device, changes);
  if (!run) return failure(run.error());
  RankFit result{std::move(*run), {}, {}, false};
  const fit::Policy policy = changes.best_fit ? fit::Policy::kBestFit : fit::Policy::kFirstFit;
  result.placing = result.run.other_lifetimes
                       ? fit::place_all(result.run.demands, device, policy)
                       : fit::place_all(result.run.demands, scene.replay.events, device, policy);
  const bool as_it_ran = device.is_own && !changes.any();
  const OutOfMemory* failed = as_it_ran ? own_failure(scene.ops()) : ending_failure(scene.ops());
  const bool cannot_tell = device.is_own && scene.replay.lives.failed_life == kNone;
  if (failed != nullptr && (as_it_ran || cannot_tell)) {
    result.shortage = measured_shortage(scene, *failed, result.placing);
  } else if (as_it_ran && scene.memory().measured) {
    // The run itself shows that it fits, whatever the model says of its placement.
  } else if (result.placing.failure) {
    result.shortage = unplaced(result.run, *result.placing.failure);
  }
  if (!result.shortage) result.shortage = missing_parts(scene, device, changes, result.run);
  result.past_failure = failed != nullptr && !result.shortage;
  return result;
}

}  // namespace ttscope::mem
