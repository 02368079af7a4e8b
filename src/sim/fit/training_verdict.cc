// judge_training() of training_question.h: a run on a device, put into the words that all of `fit` shares.
#include <algorithm>
#include <map>

#include "sim/fit/training_question.h"

namespace ttscope::sim {
namespace {

std::int64_t signed_bytes(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

fit::Place place_of(const std::string& phase, const std::string& operation, const std::string& module) {
  fit::Place place;
  place.op = operation;
  place.loc = module;
  place.phase = phase;
  return place;
}

fit::Shortage shortage_of(const MemoryFailure& failure) {
  if (failure.bytes_per_bank > failure.stats.total_bytes_per_bank) return fit::Shortage::kLargerThanBank;
  return failure.bytes_per_bank <= failure.stats.free_bytes_per_bank ? fit::Shortage::kFragmented
                                                                     : fit::Shortage::kExhausted;
}

void list_live(const std::vector<LiveMemory>& live, fit::Failure& failure) {
  std::map<std::string, fit::KindBytes> kinds;
  for (const LiveMemory& entry : live) {
    fit::KindBytes& kind = kinds[entry.kind];
    kind.kind = entry.kind;
    kind.bytes_per_bank += signed_bytes(entry.bytes_per_bank);
    kind.tensors += entry.buffers;
    failure.live_tensors += entry.buffers;
    if (failure.live.size() >= fit::kMostLiveTensors) continue;
    fit::LiveTensor tensor;
    tensor.name = entry.name;
    tensor.kind = entry.kind;
    tensor.bytes_per_bank = signed_bytes(entry.bytes_per_bank);
    failure.live.push_back(std::move(tensor));
  }
  for (auto& [name, kind] : kinds) failure.held.push_back(std::move(kind));
  std::stable_sort(
      failure.held.begin(), failure.held.end(),
      [](const fit::KindBytes& a, const fit::KindBytes& b) { return a.bytes_per_bank > b.bytes_per_bank; });
}

fit::Failure failure_of(const RunFailure& failed) {
  fit::Failure failure;
  failure.basis = fit::Basis::kEstimated;
  failure.place.phase = failed.phase;
  if (!failed.allocation) {
    failure.shortage = fit::Shortage::kCircularBuffers;
    failure.memory = fit::Memory::kL1;
    return failure;
  }
  const MemoryFailure& allocation = *failed.allocation;
  failure.shortage = shortage_of(allocation);
  failure.memory = allocation.memory == BufferType::kDram ? fit::Memory::kDram : fit::Memory::kL1;
  failure.place = place_of(failed.phase, allocation.operation, allocation.module);
  failure.bytes_per_bank = signed_bytes(allocation.bytes_per_bank);
  failure.free_bytes_per_bank = signed_bytes(allocation.stats.free_bytes_per_bank);
  failure.largest_free_bytes_per_bank = signed_bytes(allocation.stats.largest_free_bytes_per_bank);
  list_live(allocation.live, failure);
  return failure;
}

fit::PhaseUse told(const PhaseUse& phase, fit::PhaseUse::State state) {
  return {phase.name, state, signed_bytes(phase.before_bytes), signed_bytes(phase.peak_bytes),
          signed_bytes(phase.after_bytes)};
}

/// What was run as it was; from the failing phase on what would have been needed.
std::vector<fit::PhaseUse> phases_of(const PlacedRun& placed, const PlacedRun& needed) {
  using State = fit::PhaseUse::State;
  std::vector<fit::PhaseUse> phases;
  const std::size_t failed = placed.failure ? placed.phases.size() - 1 : placed.phases.size();
  for (std::size_t i = 0; i < failed; ++i) phases.push_back(told(placed.phases[i], State::kDone));
  for (std::size_t i = failed; placed.failure && i < needed.phases.size(); ++i) {
    phases.push_back(told(needed.phases[i], i == failed ? State::kFailed : State::kNotReached));
  }
  return phases;
}

}  // namespace

fit::DeviceVerdict judge_training(const ChangedTraining& training, const ChosenDevice& device) {
  fit::DeviceVerdict verdict;
  verdict.device = device.device;
  verdict.basis = fit::Basis::kEstimated;
  DeviceSpec spec = device.spec;
  spec.best_fit = training.best_fit;
  const PlacedRun placed = place_training(spec, training.config);
  const PlacedRun needed = placed.failure ? place_without_limit(spec, training.config) : placed;
  verdict.phases = phases_of(placed, needed);
  verdict.fits = !placed.failure;
  if (placed.failure) verdict.failure = failure_of(*placed.failure);

  fit::MemoryUse dram;
  dram.region = device.device.region(fit::Memory::kDram);
  dram.peak_bytes_per_bank = signed_bytes(needed.dram.peak_allocated_bytes_per_bank);
  dram.headroom_bytes_per_bank = dram.region.bytes_per_bank - dram.peak_bytes_per_bank;
  dram.peak_place = place_of(needed.peak_phase, needed.dram.peak_operation, needed.dram.peak_module);
  dram.smallest_largest_free_bytes_per_bank = signed_bytes(placed.dram.smallest_largest_free_bytes_per_bank);
  dram.worst_fragmentation = placed.dram.worst_fragmentation;
  dram.basis = fit::Basis::kEstimated;
  verdict.memories.push_back(std::move(dram));

  const std::uint32_t chips = training.config.data_parallel * training.config.model.tensor_parallel;
  if (device.device.chips != 0 && device.device.name != "custom" && chips > device.device.chips) {
    fit::Failure too_few;
    too_few.shortage = fit::Shortage::kTooFewChips;
    too_few.needed = chips;
    too_few.basis = fit::Basis::kEstimated;
    verdict.fits = false;
    if (!verdict.failure) verdict.failure = std::move(too_few);
  }
  return verdict;
}

}  // namespace ttscope::sim
