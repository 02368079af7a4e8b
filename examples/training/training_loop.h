#pragma once

#include <functional>
#include <memory>

#include "models.h"

/// What both programs accept on the command line.
struct TrainingOptions {
  bool track_memory = false;
  bool recompute = false;
  bool no_dispatch = false;
  std::uint32_t batch = 1;
  std::uint32_t accumulation = 1;  ///< forward and backward passes before the optimizer's step
  std::uint32_t steps = 1;
  std::string device = "n150";
  std::string save_path;  ///< of the capture, for `ttscope graph`; empty: none
};

using ModelMaker = std::function<std::unique_ptr<LanguageModel>(const ttscope::sim::Device& device,
                                                                const ModelConfig& config)>;

/// Reads the options, trains on the simulated device, prints; the program's exit code: 0 done, 1 out of
/// memory, 2 usage, 3 the tracked peak does not fit the device.
int run_training(int argc, char** argv, ModelConfig config, const ModelMaker& make_model);
