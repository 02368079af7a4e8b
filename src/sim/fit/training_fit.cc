#include "sim/fit/training_fit.h"

#include <algorithm>

#include "sim/fit/training_question.h"

namespace ttscope::sim {
namespace {

Result<std::vector<ChosenDevice>> devices_of(const train::TrainingConfig& config,
                                             const fit::Question& question) {
  std::vector<ChosenDevice> chosen;
  if (question.devices.empty()) {
    chosen.push_back(usual_device(config.data_parallel * config.model.tensor_parallel));
    chosen.back().device.is_own = false;
    return chosen;
  }
  const auto asked = fit::asked_devices(question, {});
  if (!asked) return failure(asked.error());
  for (const fit::Device& device : *asked) {
    Result<ChosenDevice> one = choose_device(device);
    if (!one) return failure(one.error());
    chosen.push_back(std::move(*one));
  }
  return chosen;
}

std::vector<fit::Omission> omissions_of(const ReadConfig& config, const fit::Question& question) {
  std::vector<fit::Omission> omissions{fit::Omission::kModelledTraining};
  if (question.devices.empty()) omissions.push_back(fit::Omission::kDeviceAssumed);
  for (const Assumption assumption : config.assumptions) {
    const bool of_batch = assumption == Assumption::kBatchOfOne;
    if (of_batch && question.changes.batch.to != 0) continue;
    omissions.push_back(of_batch ? fit::Omission::kBatchAssumed : fit::Omission::kVocabularyAssumed);
  }
  return omissions;
}

}  // namespace

Result<fit::Report> fit_training(const ReadConfig& config, const fit::Question& question) {
  const Result<ChangedTraining> changed = apply_changes(config.training, question.changes);
  if (!changed) return failure(changed.error());
  const Result<std::vector<ChosenDevice>> devices = devices_of(changed->config, question);
  if (!devices) return failure(devices.error());
  fit::Report report;
  report.inputs = config.files;
  report.input_kind = "training config";
  report.changes = changed->applied;
  report.omissions = omissions_of(config, question);
  for (const ChosenDevice& device : *devices) report.devices.push_back(judge_training(*changed, device));
  if (question.search) {
    Result<fit::Search> search = search_training(config.training, question.changes, devices->front());
    if (!search) return failure(search.error());
    report.search = std::move(*search);
  }
  if (question.maximum) {
    Result<fit::Maximum> maximum =
        largest_training(config.training, question.changes, devices->front(), *question.maximum);
    if (!maximum) return failure(maximum.error());
    report.maximum = *maximum;
  }
  return report;
}

}  // namespace ttscope::sim
