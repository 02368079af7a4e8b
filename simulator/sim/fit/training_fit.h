#pragma once

#include <ttscope/device.h>
#include <ttscope/models.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "fit/device.h"
#include "fit/report.h"
#include "sim/config/training_config.h"

namespace ttscope::sim {

/// DRAM of one bank over a phase of training.
struct PhaseUse {
  std::string name;
  std::uint64_t before_bytes = 0;
  std::uint64_t peak_bytes = 0;
  std::uint64_t after_bytes = 0;  ///< at its end, or when it failed
  std::uint64_t smallest_largest_free_bytes = 0;
};

/// What a run asked for and did not get.
struct RunFailure {
  std::string phase;
  std::string message;                      ///< tt-metal's
  std::optional<MemoryFailure> allocation;  ///< nothing: circular buffers do not fit into L1
};

/// A training run on a simulated device, up to its end or to its first failure.
struct PlacedRun {
  std::vector<PhaseUse> phases;
  std::string peak_phase;
  MemoryWindow dram;  ///< over the whole run
  std::uint64_t l1_peak_bytes = 0;
  std::optional<RunFailure> failure;
};

/// Two steps: the second runs in the holes that the first left. Throws std::invalid_argument for a
/// contradictory configuration or device.
inline constexpr std::uint32_t kFitSteps = 2;

PlacedRun place_training(const DeviceSpec& spec, const train::TrainingConfig& config);

/// The same on a device whose banks never end: what the run needs at once, wherever it lies.
PlacedRun place_without_limit(DeviceSpec spec, const train::TrainingConfig& config);

/// A device that is asked about, as the simulator and as the report describe it.
struct ChosenDevice {
  DeviceSpec spec;
  fit::Device device;
};

/// The presets of the simulated device where the product has one: whole banks, as tt-train's runs have them
/// without profiler and prints of kernels. Other products have the chips of these.
Result<ChosenDevice> choose_device(const fit::Device& asked);

/// The smallest Wormhole product with so many chips: what is taken where nobody names a device.
ChosenDevice default_device(std::uint32_t chips);

/// A configuration with changes, and how the changes are told.
struct ChangedTraining {
  train::TrainingConfig config;
  std::vector<fit::AppliedChange> applied;
  bool best_fit = false;
};

/// The error says which change is none for a training configuration, or what contradicts itself.
Result<ChangedTraining> apply_changes(const train::TrainingConfig& config, const fit::Changes& changes);

/// The verdict on one device. Two runs at most: where the first fails, a second on endless banks tells what
/// would have been needed.
fit::DeviceVerdict judge_training(const ChangedTraining& training, const ChosenDevice& device);

Result<fit::Search> search_training(const train::TrainingConfig& config, const fit::Changes& given,
                                    const ChosenDevice& device);
Result<fit::Maximum> largest_training(const train::TrainingConfig& config, const fit::Changes& given,
                                      const ChosenDevice& device, fit::Growth growth);

/// Whether a training configuration fits: two steps of it are run on the simulated device, so that every
/// tensor has its place, and holes count. Fails where a change makes no sense for a training configuration.
Result<fit::Report> fit_training(const LoadedConfig& config, const fit::FitQuery& question);

}  // namespace ttscope::sim
