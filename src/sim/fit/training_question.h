#pragma once

#include <vector>

#include "fit/question.h"
#include "fit/report.h"
#include "sim/config/training_config.h"
#include "sim/fit/device_choice.h"

namespace ttscope::sim {

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

}  // namespace ttscope::sim
