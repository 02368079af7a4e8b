#pragma once

#include <ttscope/models.h>

#include <string>

/// What both programs accept on the command line.
struct TrainingOptions {
  ttscope::train::TrainingConfig training;
  bool track_memory = false;
  bool no_dispatch = false;
  std::uint32_t steps = 2;  ///< the second step runs in the holes that the first one left
  std::string device = "n150";
  std::uint32_t dram_mb_per_bank = 0;  ///< 0: as the device has it
  std::string save_path;               ///< of the capture, for `ttscope graph`; empty: none
};

/// Reads the options, trains on the simulated device, prints; the program's exit code: 0 done, 1 out of
/// memory, 2 usage, 3 the recorded peak is more than the device has.
int train_with_options(int argc, char** argv, const ttscope::train::ModelConfig& config);
