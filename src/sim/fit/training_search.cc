// search_training() and largest_training() of training_question.h: which change helps, and how much would
// fit.
#include <fmt/format.h>

#include <functional>

#include "fit/search.h"
#include "sim/fit/training_question.h"

namespace ttscope::sim {
namespace {

constexpr std::int64_t kTile = 32;
constexpr std::int64_t kLargestTried = 1 << 16;

using Step = std::function<void(fit::Changes&)>;

/// What keeps results comes first, then what asks for less at once, then more chips, then other training.
std::vector<Step> steps_for(const train::TrainingConfig& config) {
  std::vector<Step> steps;
  if (!config.model.recompute) steps.push_back([](fit::Changes& c) { c.recompute = true; });
  for (std::int64_t batch = config.batch / 2; batch >= config.data_parallel && batch >= 1; batch /= 2) {
    if (batch % config.data_parallel == 0) steps.push_back([batch](fit::Changes& c) { c.batch.to = batch; });
  }
  for (std::uint32_t ways = 2; ways <= 32; ways *= 2) {
    if (ways > config.model.tensor_parallel)
      steps.push_back([ways](fit::Changes& c) { c.tensor_parallel = ways; });
  }
  for (std::int64_t length = config.model.sequence_length / 2; length >= kTile; length /= 2) {
    if (length % kTile == 0) steps.push_back([length](fit::Changes& c) { c.sequence.to = length; });
  }
  if (config.optimizer.kind == train::OptimizerKind::kAdamWFullPrecision)
    steps.push_back([](fit::Changes& c) { c.optimizer = "AdamW"; });
  if (config.optimizer.kind != train::OptimizerKind::kSgd)
    steps.push_back([](fit::Changes& c) { c.optimizer = "SGD"; });
  return steps;
}

class Searcher {
 public:
  Searcher(const train::TrainingConfig& config, const fit::Changes& given, const ChosenDevice& device)
      : config_(config), given_(given), device_(device) {}

  Result<fit::Search> search() {
    fit::Search found;
    found.device = device_.device.name;
    const Result<ChangedTraining> unchanged = apply_changes(config_, given_);
    if (!unchanged) return failure(unchanged.error());
    found.fits_unchanged = judge_training(*unchanged, device_).fits;
    if (found.fits_unchanged) return found;
    const std::vector<Step> steps = steps_for(unchanged->config);
    for (const Step& step : steps) {
      if (attempt({&step}, found)) return found;
    }
    for (std::size_t a = 0; a < steps.size(); ++a) {
      for (std::size_t b = a + 1; b < steps.size(); ++b) {
        if (attempt({&steps[a], &steps[b]}, found)) return found;
      }
    }
    return found;
  }

 private:
  bool attempt(const std::vector<const Step*>& steps, fit::Search& found) {
    fit::Changes changes = given_;
    for (const Step* step : steps) (*step)(changes);
    const Result<ChangedTraining> changed = apply_changes(config_, changes);
    if (!changed) return false;  // heads that cannot be divided, for example
    const fit::DeviceVerdict verdict = judge_training(*changed, device_);
    const bool too_few = verdict.failure && verdict.failure->shortage == fit::Shortage::kTooFewChips;
    if (too_few) return false;
    const fit::MemoryUse& dram = verdict.memories.front();
    found.attempts.push_back({changed->applied, verdict.fits, dram.peak_bytes_per_bank,
                              dram.headroom_bytes_per_bank, verdict.basis});
    if (!verdict.fits) return false;
    found.answer = found.attempts.size() - 1;
    return true;
  }

  const train::TrainingConfig& config_;
  const fit::Changes& given_;
  const ChosenDevice& device_;
};

}  // namespace

Result<fit::Search> search_training(const train::TrainingConfig& config, const fit::Changes& given,
                                    const ChosenDevice& device) {
  return Searcher(config, given, device).search();
}

Result<fit::Maximum> largest_training(const train::TrainingConfig& config, const fit::Changes& given,
                                      const ChosenDevice& device, fit::Growth growth) {
  fit::Changes changes = given;
  const bool of_batch = growth == fit::Growth::kBatch;
  const std::int64_t step = of_batch ? config.data_parallel : kTile;
  fit::Maximum maximum;
  maximum.device = device.device.name;
  maximum.growth = growth;
  const Result<ChangedTraining> unchanged = apply_changes(config, given);
  if (!unchanged) return failure(unchanged.error());
  maximum.recorded = of_batch ? unchanged->config.batch : unchanged->config.model.sequence_length;

  const auto fits = [&](std::int64_t steps) {
    (of_batch ? changes.batch : changes.sequence).to = steps * step;
    const Result<ChangedTraining> changed = apply_changes(config, changes);
    if (!changed) return false;
    const fit::DeviceVerdict verdict = judge_training(*changed, device);
    if (verdict.fits) maximum.headroom_bytes_per_bank = verdict.memories.front().headroom_bytes_per_bank;
    return verdict.fits;
  };
  const fit::Largest found = fit::largest_that_fits(1, kLargestTried, fits);
  maximum.at_limit = found.at_limit;
  if (found.value > 0) maximum.largest = found.value * step;
  return maximum;
}

}  // namespace ttscope::sim
