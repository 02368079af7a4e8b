#pragma once

#include "base/result.h"
#include "fit/question.h"
#include "fit/report.h"
#include "sim/config/training_config.h"

namespace ttscope::sim {

/// Whether a training configuration fits: two steps of it are run on the simulated device, so that every
/// tensor has its place, and holes count. Fails where a change makes no sense for a training configuration.
Result<fit::Report> fit_training(const ReadConfig& config, const fit::Question& question);

}  // namespace ttscope::sim
