#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <ttscope/device.h>
#include <ttscope/models.h>

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

}  // namespace ttscope::sim
