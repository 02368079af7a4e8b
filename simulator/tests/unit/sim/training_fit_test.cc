#include "sim/fit/training_fit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <sstream>

#include "fit/outputs.h"
#include "ui/text.h"

namespace ttscope::sim {
namespace {

using ::testing::HasSubstr;

constexpr std::string_view kSmall = "custom:DRAM=12x64MB,L1=64x1395424B";

LoadedConfig small_llama() {
  LoadedConfig config;
  config.files = {"small.yaml"};
  train::ModelConfig& model = config.training.model;
  model.family = train::ModelFamily::kLlama;
  model.vocabulary = 4000;
  model.sequence_length = 512;
  model.width = 512;
  model.heads = 8;
  model.groups = 4;
  model.blocks = 4;
  config.training.batch = 4;
  return config;
}

fit::Report report_of(const LoadedConfig& config, fit::FitQuery question) {
  question.devices = {std::string(kSmall)};
  const auto report = fit_training(config, question);
  EXPECT_TRUE(report) << report.error().message;
  return report.value_or(fit::Report());
}

PlacedRun run_of(const train::TrainingConfig& config) {
  const auto device = fit::parse_device(kSmall);
  return place_training(choose_device(*device)->spec, config);
}

TEST(TrainingFit, EveryWhatIfIsTheChangedRun) {
  const LoadedConfig config = small_llama();
  const auto check = [&](const fit::Changes& changes, const train::TrainingConfig& changed) {
    const fit::DeviceVerdict verdict = report_of(config, {{}, changes, false, {}}).devices.front();
    const PlacedRun run = run_of(changed);
    EXPECT_EQ(verdict.fits, !run.failure);
    if (!run.failure) {
      EXPECT_EQ(verdict.memories.front().peak_bytes_per_bank,
                static_cast<std::int64_t>(run.dram.peak_allocated_bytes_per_bank));
    } else if (run.failure->allocation) {
      EXPECT_EQ(verdict.failure->place.op, run.failure->allocation->operation);
      EXPECT_EQ(verdict.failure->largest_free_bytes_per_bank,
                static_cast<std::int64_t>(run.failure->allocation->stats.largest_free_bytes_per_bank));
    }
  };
  fit::Changes changes;
  changes.batch.to = 9;
  train::TrainingConfig changed = config.training;
  changed.batch = 9;
  check(changes, changed);
  changes.recompute = true;
  changed.model.recompute = true;
  check(changes, changed);
  changes.optimizer = "AdamWFullPrecision";
  changed.optimizer.kind = train::OptimizerKind::kAdamWFullPrecision;
  check(changes, changed);
  changes.sequence.to = 1024;
  changed.model.sequence_length = 1024;
  check(changes, changed);
  changes.tensor_parallel = 2;
  changed.model.tensor_parallel = 2;
  check(changes, changed);
}

/// What making an optimizer leaves in each bank: states go with it, programs that filled them stay.
struct Made {
  std::uint64_t states = 0;
  std::uint64_t programs = 0;
};

Made made_by(train::OptimizerKind kind) {
  const Device device(choose_device(*fit::parse_device(kSmall))->spec);
  const std::unique_ptr<train::LanguageModel> model = train::make_model(device, small_llama().training.model);
  const auto taken = [&] { return device.stats(BufferType::kDram).allocated_bytes_per_bank; };
  const std::uint64_t before = taken();
  std::unique_ptr<train::Optimizer> optimizer = train::make_optimizer({kind}, model->parameters());
  const std::uint64_t with = taken();
  optimizer.reset();
  return {with - taken(), taken() - before};
}

std::uint64_t creation_of(train::OptimizerKind kind) {
  train::TrainingConfig config = small_llama().training;
  config.optimizer.kind = kind;
  const PhaseUse phase = run_of(config).phases.at(1);
  EXPECT_EQ(phase.name, "OPTIMIZER_CREATION");
  return phase.after_bytes - phase.before_bytes;
}

/// Muon keeps one state where AdamW keeps two. Twice the one phase is more than the other by the programs
/// that fill the states: one for each shape that the model did not fill already, however many states it has.
TEST(TrainingFit, MuonKeepsHalfOfTheStatesOfAdamWAndTheSamePrograms) {
  const Made adamw = made_by(train::OptimizerKind::kAdamW);
  const Made muon = made_by(train::OptimizerKind::kMuon);
  EXPECT_EQ(2 * muon.states, adamw.states);
  EXPECT_EQ(muon.programs, adamw.programs);
  EXPECT_EQ(muon.programs, 4 * 2048U);  // the tables, the squares of attention, w1 and w3, w2: a page each
  EXPECT_EQ(creation_of(train::OptimizerKind::kAdamW), adamw.states + adamw.programs);
  EXPECT_EQ(creation_of(train::OptimizerKind::kMuon), muon.states + muon.programs);
  const std::uint64_t both = made_by(train::OptimizerKind::kMuonWithAdamW).states;
  EXPECT_LT(muon.states, both);
  EXPECT_LT(both, adamw.states);
}

TEST(TrainingFit, AFailureNamesPhaseOperationAndEverythingLive) {
  fit::FitQuery question;
  question.changes.batch.to = 64;
  const fit::DeviceVerdict verdict = report_of(small_llama(), question).devices.front();
  ASSERT_TRUE(verdict.failure);
  EXPECT_EQ(verdict.failure->place.phase, "FORWARD_PASS");
  EXPECT_THAT(verdict.failure->place.loc, HasSubstr("layers."));
  EXPECT_FALSE(verdict.failure->place.op.empty());
  EXPECT_LT(verdict.memories.front().headroom_bytes_per_bank, 0);
  const std::int64_t held =
      std::accumulate(verdict.failure->held.begin(), verdict.failure->held.end(), std::int64_t{0},
                      [](std::int64_t sum, const fit::KindBytes& kind) { return sum + kind.bytes_per_bank; });
  EXPECT_EQ(held + verdict.failure->free_bytes_per_bank,
            verdict.device.region(fit::Memory::kDram).bytes_per_bank);
  const auto failed =
      std::count_if(verdict.phases.begin(), verdict.phases.end(),
                    [](const fit::PhaseUse& phase) { return phase.state == fit::PhaseUse::State::kFailed; });
  EXPECT_EQ(failed, 1);
  EXPECT_EQ(verdict.phases.back().state, fit::PhaseUse::State::kNotReached);
}

TEST(TrainingFit, TheLargestBatchFitsAndTheNextDoesNot) {
  fit::FitQuery question;
  question.maximum = fit::Growth::kBatch;
  const fit::Report report = report_of(small_llama(), question);
  ASSERT_TRUE(report.maximum && report.maximum->largest);
  train::TrainingConfig config = small_llama().training;
  config.batch = static_cast<std::uint32_t>(*report.maximum->largest);
  EXPECT_FALSE(run_of(config).failure);
  ++config.batch;
  EXPECT_TRUE(run_of(config).failure);
}

TEST(TrainingFit, ASearchGivesAChangeThatFits) {
  fit::FitQuery question;
  question.search = true;
  question.changes.batch.to = 32;
  const fit::Report report = report_of(small_llama(), question);
  ASSERT_TRUE(report.search);
  EXPECT_FALSE(report.search->fits_unchanged);
  ASSERT_TRUE(report.search->answer);
  EXPECT_TRUE(report.search->attempts[*report.search->answer].fits);
}

TEST(TrainingFit, WhatTheBatchWasIsTheConfigurationsToSay) {
  const LoadedConfig config = small_llama();
  fit::FitQuery question;
  question.devices = {std::string(kSmall)};
  question.changes.batch = {config.training.batch, 1};
  EXPECT_TRUE(fit_training(config, question));
  question.changes.batch = {config.training.batch + 1, 1};
  const Result<fit::Report> report = fit_training(config, question);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("the configuration has 4"));
}

TEST(TrainingFit, ChangesOfRecordedRunsAreRefused) {
  fit::FitQuery question;
  question.changes.weights = fit::WeightFormat::kBfp8;
  const auto report = fit_training(small_llama(), question);
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("--weights is for runtime logs"));
  question = {};
  question.changes.tensor_parallel = 3;
  EXPECT_THAT(fit_training(small_llama(), question).error().message, HasSubstr("heads 8 cannot be divided"));
}

TEST(TrainingFit, StatesOfOptimizersAreThatLarge) {
  const auto created = [](train::OptimizerKind kind, float momentum) {
    train::TrainingConfig config = small_llama().training;
    config.optimizer = {kind, false, false, momentum};
    const PlacedRun run = place_without_limit(DeviceSpec::n150(), config);
    const PhaseUse& model = run.phases[0];
    const PhaseUse& optimizer = run.phases[1];
    return static_cast<double>(optimizer.after_bytes - optimizer.before_bytes) /
           static_cast<double>(model.after_bytes);
  };
  EXPECT_NEAR(created(train::OptimizerKind::kAdamW, 0), 2.0, 0.03);
  EXPECT_NEAR(created(train::OptimizerKind::kAdamWFullPrecision, 0), 6.0, 0.1);
  EXPECT_NEAR(created(train::OptimizerKind::kSgd, 0.9F), 1.0, 0.02);
  EXPECT_NEAR(created(train::OptimizerKind::kSgd, 0), 0.0, 0.01);
}

TEST(TrainingFit, PhasesFitANarrowTerminal) {
  LoadedConfig config = small_llama();
  config.training.accumulation = 3;
  const auto report = fit_training(config, {});
  ASSERT_TRUE(report);
  std::istringstream lines(fit::fit_summary_text(*report, {.color = false, .width = 60, .top = 5}));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(ui::display_width(line), 60u) << line;
}

/// Parameters of Qwen3 by hand: heads of their own size, norms of queries and keys, biases of attention.
TEST(TrainingFit, HeadsOfTheirOwnSizeAndNormsAreParameters) {
  train::ModelConfig config = small_llama().training.model;
  config.width = 256;
  config.heads = 4;
  config.groups = 2;
  config.head_size = 128;
  config.head_norms = true;
  config.attention_bias = true;
  config.blocks = 2;
  const Device device(DeviceSpec::n150());
  const std::unique_ptr<train::LanguageModel> model = train::make_model(device, config);
  std::uint64_t values = 0;
  for (const auto& [name, parameter] : model->parameters()) values += parameter->shape().volume();
  const std::uint64_t queries = 4 * 128;
  const std::uint64_t keys_values = 2 * 2 * 128;
  const std::uint64_t attention =
      256 * queries + queries + 256 * keys_values + keys_values + queries * 256 + 256;
  const std::uint64_t block = attention + 2 * 128 + 3 * std::uint64_t{256} * config.hidden_width() + 2 * 256;
  const std::uint64_t tables =
      std::uint64_t{config.tied_weights ? 1U : 2U} * config.padded_vocabulary() * 256;
  EXPECT_EQ(values, 2 * block + tables + 256);
}

/// The run without leaving out what repeats.
class PlainWatch : public train::TrainingObserver {
 public:
  explicit PlainWatch(Device device) : device_(std::move(device)) {}
  void begin_phase(const std::string&) override { device_.begin_window(); }
  void end_phase(const std::string& name) override {
    phases.emplace_back(name, device_.window(BufferType::kDram).peak_allocated_bytes_per_bank);
  }
  std::vector<std::pair<std::string, std::uint64_t>> phases;

 private:
  Device device_;
};

TEST(TrainingFit, MicroStepsThatRepeatAreNotRunAgainAndGiveTheSame) {
  for (const bool recompute : {false, true}) {
    train::TrainingConfig config = small_llama().training;
    config.accumulation = 9;
    config.model.recompute = recompute;
    const Device device(DeviceSpec::n150());
    PlainWatch plain(device);
    train::run_training(device, config, kFitSteps, plain);
    const PlacedRun placed = place_training(DeviceSpec::n150(), config);
    ASSERT_EQ(placed.phases.size(), plain.phases.size());
    for (std::size_t i = 0; i < plain.phases.size(); ++i) {
      EXPECT_EQ(placed.phases[i].name, plain.phases[i].first);
      EXPECT_EQ(placed.phases[i].peak_bytes, plain.phases[i].second) << placed.phases[i].name;
    }
  }
}

TEST(TrainingFit, AdaptersAloneHaveGradientsAndStates) {
  train::TrainingConfig config = small_llama().training;
  config.model.lora.rank = 8;
  const PlacedRun run = place_without_limit(DeviceSpec::n150(), config);
  ASSERT_EQ(run.phases[1].name, "LORA_INJECTION");
  const PhaseUse& optimizer = run.phases[2];
  EXPECT_LT(optimizer.after_bytes - optimizer.before_bytes, run.phases[0].after_bytes / 4);
  EXPECT_LT(run.phases.back().after_bytes, run.phases[0].after_bytes * 2);
}

}  // namespace
}  // namespace ttscope::sim
