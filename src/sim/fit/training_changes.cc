// apply_changes() of training_question.h: what is asked to be different, put into a configuration.
#include <fmt/format.h>

#include "sim/fit/training_question.h"

namespace ttscope::sim {
namespace {

constexpr std::string_view kTrainingOptions =
    "a training configuration takes --batch, --sequence, --recompute, --optimizer, --tp, --best-fit and "
    "--device";

/// Changes of tensors and weights that only a recorded run has.
std::string_view foreign_option(const fit::Changes& changes) {
  if (changes.weights != fit::WeightFormat::kAsRecorded) return "--weights";
  if (changes.free_originals) return "--free-originals";
  if (changes.originals_on_host) return "--originals-on-host";
  if (!changes.row_major.empty()) return "--row-major";
  if (!changes.free_early.empty()) return "--free-early";
  return {};
}

fit::AppliedChange change(std::string option, std::string value, std::int64_t from = 0, std::int64_t to = 0) {
  fit::AppliedChange applied;
  applied.option = std::move(option);
  applied.value = std::move(value);
  applied.whole_model = true;
  applied.from = from;
  applied.to = to;
  applied.basis = fit::Basis::kEstimated;
  return applied;
}

/// `--batch 4:8` says what it was; a configuration tells that itself.
Result<void> scale(ChangedTraining& training, std::string_view option, const fit::Scaling& scaling,
                   std::uint32_t& value) {
  if (scaling.to == 0) return {};
  if (scaling.from != 0 && scaling.from != value)
    return failure(bad_input(
        fmt::format("{} {}:{}: the configuration has {}", option, scaling.from, scaling.to, value)));
  training.applied.push_back(change(std::string(option), std::to_string(scaling.to), value, scaling.to));
  value = static_cast<std::uint32_t>(scaling.to);
  return {};
}

}  // namespace

Result<ChangedTraining> apply_changes(const train::TrainingConfig& config, const fit::Changes& changes) {
  if (const std::string_view foreign = foreign_option(changes); !foreign.empty()) {
    return failure(
        bad_input(fmt::format("{} is for runtime logs and modules; {}", foreign, kTrainingOptions)));
  }
  ChangedTraining training{config, {}, changes.best_fit};
  train::ModelConfig& model = training.config.model;
  if (auto scaled = scale(training, "--batch", changes.batch, training.config.batch); !scaled)
    return failure(scaled.error());
  if (auto scaled = scale(training, "--sequence", changes.sequence, model.sequence_length); !scaled)
    return failure(scaled.error());
  if (changes.recompute) {
    training.applied.push_back(change("--recompute", ""));
    model.recompute = true;
  }
  if (!changes.optimizer.empty()) {
    const Result<train::OptimizerKind> kind = optimizer_named(changes.optimizer);
    if (!kind) return failure(kind.error());
    training.applied.push_back(change("--optimizer", changes.optimizer));
    training.config.optimizer.kind = *kind;
  }
  if (changes.tensor_parallel > 1) {
    training.applied.push_back(change("--tp", std::to_string(changes.tensor_parallel), model.tensor_parallel,
                                      changes.tensor_parallel));
    model.tensor_parallel = changes.tensor_parallel;
  }
  if (changes.best_fit) training.applied.push_back(change("--best-fit", ""));
  if (const auto contradiction = contradiction_in(training.config))
    return failure(bad_input(contradiction->text));
  return training;
}

}  // namespace ttscope::sim
