// The one place where ttscope meets simulator/.
#include "app/simulator.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#ifdef TTSCOPE_HAS_SIMULATOR
#include "sim/fit/training_fit.h"
#endif

namespace ttscope::app {

#ifdef TTSCOPE_HAS_SIMULATOR

bool has_simulator() { return true; }

Result<FitAnswers> read_training(const std::vector<std::string>& paths, const FitReadOptions&) {
  Result<sim::LoadedConfig> config = sim::read_training_config(paths);
  if (!config) return failure(config.error());
  return FitAnswers([config = std::move(*config)](const fit::FitQuery& question) {
    return sim::fit_training(config, question);
  });
}

#else

bool has_simulator() { return false; }

Result<FitAnswers> read_training(const std::vector<std::string>& paths, const FitReadOptions&) {
  return failure(bad_input(fmt::format("{}: a training configuration is run on the simulated device, and {}",
                                       terminal_safe(paths.front()), kNoSimulator)));
}

#endif

}  // namespace ttscope::app
