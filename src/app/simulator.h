#pragma once

#include <string>
#include <vector>

#include "app/fit_input.h"

namespace ttscope::app {

/// Whether this program was built with the simulator (TTSCOPE_BUILD_SIMULATOR).
bool has_simulator();

/// What is said where it is missing.
inline constexpr const char* kNoSimulator =
    "this build of ttscope lacks the simulator (cmake -DTTSCOPE_BUILD_SIMULATOR=ON makes one that has it)";

/// Reads a training configuration, which is run on the simulated device.
Result<FitAnswers> read_training(const std::vector<std::string>& paths, const FitReadOptions& reading);

}  // namespace ttscope::app
