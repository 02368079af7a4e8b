#include "sim/config/training_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace ttscope::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kModel =
    "transformer_config:\n"
    "  model_type: \"llama\"\n"
    "  num_heads: 32\n"
    "  num_groups: 4\n"
    "  embedding_dim: 2048\n"
    "  num_blocks: 22\n"
    "  vocab_size: 32000\n"
    "  max_sequence_length: 2048\n"
    "  runner_type: memory_efficient\n"
    "  dropout_prob: 0.0\n"
    "  theta: 10000.0\n"
    "  weight_tying: \"disabled\"\n";

std::string error_of(const std::string& text) {
  const auto read = read_training_config_text(text, "c.yaml");
  return read ? "" : read.error().message;
}

std::string with_model(const std::string& sections) { return sections + std::string(kModel); }

TEST(TrainingConfig, SizesAndSettingsAreRead) {
  const auto read = read_training_config_text(
      with_model("training_config:\n  batch_size: 5\n  gradient_accumulation_steps: 4\n  optimizer:\n"
                 "    type: AdamWFullPrecision\n    amsgrad: true\n    lr: 3e-4\n"
                 "device_config:\n  enable_ddp: true\n  enable_tp: true\n  mesh_shape: [5, 2]\n"),
      "c.yaml");
  ASSERT_TRUE(read) << read.error().message;
  const train::TrainingConfig& training = read->training;
  EXPECT_EQ(training.batch, 5u);
  EXPECT_EQ(training.accumulation, 4u);
  EXPECT_EQ(training.optimizer.kind, train::OptimizerKind::kAdamWFullPrecision);
  EXPECT_TRUE(training.optimizer.amsgrad);
  EXPECT_EQ(training.data_parallel, 5u);
  EXPECT_EQ(training.model.tensor_parallel, 2u);
  EXPECT_EQ(training.model.hidden_width(), 5632u);
  EXPECT_TRUE(training.model.recompute);
  EXPECT_TRUE(read->assumptions.empty());
}

TEST(TrainingConfig, KeysOfTodaysConfigurationsAreKnown) {
  const std::string adamw = "    type: AdamW\n    weight_decay_skip_1d: true\n";
  const std::string training =
      "training_config:\n  lazy_parameter_init: true\n  warmup_ratio: 0.1\n  warmup_steps: 10\n  "
      "min_lr_ratio: 0.01\n"
      "  lr_schedule_steps: 100\n  optimizer:\n";
  EXPECT_EQ(error_of(with_model(training + adamw)), "");
  EXPECT_THAT(error_of(with_model(training + "    type: SGD\n    weight_decay_skip_1d: true\n")),
              HasSubstr("c.yaml:9: `weight_decay_skip_1d` is of AdamW alone"));
  const auto composite = read_training_config_text(
      with_model("training_config:\n  optimizer:\n    type: SGDComposite\n    momentum: 0.9\n"), "c.yaml");
  ASSERT_TRUE(composite) << composite.error().message;
  EXPECT_EQ(composite->training.optimizer.kind, train::OptimizerKind::kSgd);
}

TEST(TrainingConfig, MuonKeepsModulesForAdamW) {
  const std::string muon =
      "training_config:\n  batch_size: 1\n  optimizer:\n    type: MuonWithAdamW\n"
      "    adamw_modules: [tok_emb, fc]\n    muon:\n      lr: 0.001\n      momentum: 0.95\n      ns_steps: "
      "5\n"
      "    adamw:\n      lr: 0.00003\n      weight_decay: 0.01\n      stochastic_rounding: true\n";
  const auto read = read_training_config_text(with_model(muon), "c.yaml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->training.optimizer.kind, train::OptimizerKind::kMuonWithAdamW);
  EXPECT_THAT(read->training.optimizer.adamw_modules, ElementsAre("tok_emb", "fc"));
  EXPECT_THAT(error_of(with_model(muon + "      epsilom: 1\n")), HasSubstr("did you mean `epsilon`?"));
  EXPECT_THAT(error_of(with_model(muon + "device_config:\n  enable_tp: true\n  mesh_shape: [1, 2]\n")),
              HasSubstr("Muon"));
}

/// The refusals gave reasons that do not hold: dense experts get all tokens, and tt-train tells when it
/// gathers.
TEST(TrainingConfig, WhatIsNotModeledIsRefusedWithoutReasonsThatMayNotHold) {
  for (const std::string moe_type : {"dense", "sparse_ep"}) {
    EXPECT_EQ(error_of("transformer_config:\n  model_type: deepseek\n  moe_type: " + moe_type + "\n"),
              "c.yaml:2: `deepseek` is not modelled, whatever its `moe_type`; gpt2, llama and qwen3 are");
  }
  EXPECT_EQ(error_of(with_model("device_config:\n  enable_fsdp: true\n")),
            "c.yaml:2: fully sharded data parallel (FSDP) is not modelled; `enable_ddp` in its place is: the "
            "same part of the batch on each chip, but with all weights, gradients and optimizer states, and "
            "without the copies that FSDP gathers, so that it is no bound");
}

constexpr std::string_view kGrpoRefusal =
    "reinforcement learning (GRPO) is not modelled, neither the completions and their caches nor its loss; "
    "without `grpo_config` and `remote_rollout_config`, and with `batch_size` and a `transformer_config`, "
    "plain training of a model is answered, which is no bound";

/// A file of GRPO was told that its model or its section is missing, or that one is unknown.
TEST(TrainingConfig, ReinforcementLearningIsRefusedBeforeWhatElseItsFilesHave) {
  const std::string refusal(kGrpoRefusal);
  const std::string grpo = "training_config:\n  model_id: a/b\n  grpo_config:\n    epsilon: 0.2\n";
  const std::string rollout = "remote_rollout_config:\n  max_batch_size: 32\n";
  EXPECT_EQ(error_of(with_model(grpo)), "c.yaml:3: `grpo_config`: " + refusal);
  EXPECT_EQ(error_of(with_model(grpo + rollout)), "c.yaml:5: `remote_rollout_config`: " + refusal);
  EXPECT_EQ(error_of(with_model(rollout)), "c.yaml:1: `remote_rollout_config`: " + refusal);
  EXPECT_EQ(error_of(grpo + "device_config:\n  enable_fsdp: true\n  mesh_shape: [32, 1]\n"),
            "c.yaml:3: `grpo_config`: " + refusal);
}

/// What a refusal says is answered has to be.
TEST(TrainingConfig, WithoutWhatIsRefusedTheRestIsRead) {
  const auto grpo = read_training_config_text(
      with_model("training_config:\n  batch_size: 8\n  model_id: a/b\n  weight_sync_every: 1\n"), "c.yaml");
  ASSERT_TRUE(grpo) << grpo.error().message;
  EXPECT_EQ(grpo->training.batch, 8U);
  const auto sharded = read_training_config_text(
      with_model("training_config:\n  batch_size: 8\n"
                 "device_config:\n  enable_fsdp: false\n  enable_ddp: true\n  enable_tp: true\n"
                 "  mesh_shape: [4, 2]\n"),
      "c.yaml");
  ASSERT_TRUE(sharded) << sharded.error().message;
  EXPECT_EQ(sharded->training.data_parallel, 4U);
  EXPECT_EQ(sharded->training.model.tensor_parallel, 2U);
}

TEST(TrainingConfig, QwenIsLlamaWithHeadsOfTheirOwnSizeAndNorms) {
  const std::string sizes =
      "  num_heads: 16\n  num_groups: 8\n  embedding_dim: 1024\n  head_dim: 128\n  attention_bias: true\n"
      "  intermediate_dim: 3072\n  num_blocks: 2\n  vocab_size: 1024\n  max_sequence_length: 64\n";
  const auto read = read_training_config_text("transformer_config:\n  model_type: qwen3\n" + sizes, "c.yaml");
  ASSERT_TRUE(read) << read.error().message;
  const train::ModelConfig& model = read->training.model;
  EXPECT_EQ(model.family, train::ModelFamily::kLlama);
  EXPECT_EQ(model.head_width(), 128u);
  EXPECT_TRUE(model.head_norms);
  EXPECT_TRUE(model.attention_bias);
  EXPECT_THAT(error_of("transformer_config:\n  model_type: llama\n" + sizes),
              HasSubstr("c.yaml:6: `head_dim` is not known"));
}

/// A Llama was computed as a GPT where only the training section named it.
TEST(TrainingConfig, OlderFilesNameTheModelInTheTrainingSection) {
  const std::string sizes = "num_blocks: 2\n";
  const auto beside = read_training_config_text(
      "training_config:\n  model_type: llama\ntransformer_config:\n  " + sizes, "c.yaml");
  ASSERT_TRUE(beside) << beside.error().message;
  EXPECT_EQ(beside->training.model.family, train::ModelFamily::kLlama);
  const auto inside = read_training_config_text(
      "training_config:\n  model_type: llama\n  transformer_config:\n    " + sizes, "c.yaml");
  ASSERT_TRUE(inside) << inside.error().message;
  EXPECT_EQ(inside->training.model.family, train::ModelFamily::kLlama);
  EXPECT_EQ(inside->training.model.blocks, 2U);
  EXPECT_THAT(error_of("training_config:\n  model_type: lama\ntransformer_config:\n  " + sizes),
              HasSubstr("c.yaml:2:"));
}

TEST(TrainingConfig, WhatIsLeftOpenIsSaid) {
  const auto read = read_training_config_text("transformer_config:\n  model_type: gpt2\n", "c.yaml");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->training.model.family, train::ModelFamily::kGpt);
  EXPECT_EQ(read->training.model.vocabulary, 96u);
  EXPECT_EQ(read->training.batch, 1u);
  EXPECT_THAT(read->assumptions, ElementsAre(Assumption::kBatchOfOne, Assumption::kVocabularyOfCharacters));
}

TEST(TrainingConfig, UnknownKeysAndNonsenseAreErrorsWithALineAndASuggestion) {
  EXPECT_EQ(error_of(with_model("training_config:\n  batch_sise: 4\n")),
            "c.yaml:2: `batch_sise` is not known in training_config; did you mean `batch_size`?");
  EXPECT_THAT(error_of(with_model("training_config:\n  seed: 1\n  batch_size: many\n")),
              HasSubstr("c.yaml:3: `batch_size` must be a whole number from 1"));
  EXPECT_THAT(error_of(with_model("training_config:\n  batch_size: 0\n")), HasSubstr("c.yaml:2: "));
  EXPECT_THAT(error_of(with_model("training_config:\n  optimizer:\n    type: AdamV\n")),
              HasSubstr("did you mean `AdamW`?"));
  EXPECT_THAT(error_of(with_model("trainig_config:\n  batch_size: 1\n")),
              HasSubstr("c.yaml:1: `trainig_config` is no section"));
  EXPECT_THAT(error_of("transformer_config:\n  model_type: deepseek\n"), HasSubstr("c.yaml:2: "));
  EXPECT_THAT(error_of(with_model("device_config:\n  enable_fsdp: true\n")), HasSubstr("c.yaml:2: "));
  EXPECT_THAT(error_of(with_model("device_config:\n  mesh_shape: [1]\n")),
              HasSubstr("wants 2 whole numbers"));
  EXPECT_THAT(error_of("transformer_config:\n  num_heads: 5\n"),
              HasSubstr("c.yaml:2: width 384 cannot be divided by heads 5; 380 and 385 can"));
  EXPECT_THAT(
      error_of("transformer_config:\n  num_heads: 5\n  embedding_dim: 320\n  max_sequence_length: 100\n"),
      HasSubstr("c.yaml:4: the sequence length 100 cannot be divided by a tile's side, 32; 96 and 128 can"));
  EXPECT_THAT(
      error_of(
          "training_config:\n  batch_size: 16777216\ntransformer_config:\n  max_sequence_length: 16777216\n"),
      HasSubstr("no device has room for"));
  EXPECT_THAT(error_of("transformer_config:\n  num_blocks: 16777216\n"),
              HasSubstr("16777216 blocks are more than"));
  EXPECT_THAT(error_of(with_model("device_config:\n  mesh_shape: [9999999, 1]\n")),
              HasSubstr("c.yaml:2: no mesh"));
  EXPECT_THAT(error_of(with_model("lora_config:\n  target_modules: [q_linaer]\n")),
              HasSubstr("did you mean `q_linear`?"));
}

TEST(TrainingConfig, TheLineOfAContradictionIsThatOfAValueThatIsPartOfIt) {
  EXPECT_THAT(error_of("transformer_config:\n  num_heads: 6\n  num_blocks: 16777216\n"),
              HasSubstr("c.yaml:3: 16777216 blocks are more than"));
  EXPECT_THAT(error_of("transformer_config:\n  model_type: qwen3\n  num_heads: 6\n  head_dim: 40\n"),
              HasSubstr("c.yaml:4: the size of a head, 40 cannot be divided by a tile's side, 32"));
  const std::string two_chips = "device_config:\n  enable_tp: true\n  mesh_shape: [1, 2]\n";
  EXPECT_THAT(error_of("transformer_config:\n  model_type: gpt2\n" + two_chips),
              HasSubstr("c.yaml:5: tt-train has no tensor-parallel GPT"));
  EXPECT_THAT(error_of("transformer_config:\n  model_type: llama\n" + two_chips),
              HasSubstr("c.yaml:5: groups 3 cannot be divided by tensor parallel 2"));
}

TEST(TrainingConfig, WhatIsNoYamlIsAnErrorWithItsLine) {
  EXPECT_THAT(error_of("training_config:\n  a: [1\n b"), HasSubstr("c.yaml:"));
  EXPECT_THAT(error_of("a: &x 1\nb: *x\n"), HasSubstr("c.yaml:2: aliases"));
  EXPECT_THAT(error_of(""), HasSubstr("nothing is in it"));
  EXPECT_THAT(error_of("- 1\n"), HasSubstr("a configuration has sections"));
  EXPECT_THAT(error_of("a: 1\na: 2\n"), HasSubstr("c.yaml:2: `a` comes a second time"));
  EXPECT_THAT(error_of(std::string(4000, '[')), HasSubstr("c.yaml:"));
}

TEST(TrainingConfig, TheModelConfigIsFoundAroundTheFileThatNamesIt) {
  const ttscope::testing::TempFolder folder;
  const std::filesystem::path configs = std::filesystem::path(folder.path()) / "tt-train" / "configs";
  std::filesystem::create_directories(configs / "training_configs");
  std::filesystem::create_directories(configs / "model_configs");
  const std::string training = (configs / "training_configs" / "t.yaml").string();
  std::ofstream(training)
      << "training_config:\n  batch_size: 2\n"
         "  model_config: \"${TT_METAL_RUNTIME_ROOT}/tt-train/configs/model_configs/m.yaml\"\n";
  EXPECT_THAT(read_training_config({training}).error().message,
              HasSubstr("t.yaml:3: the model configuration"));
  const std::ofstream empty(configs / "model_configs" / "m.yaml");
  EXPECT_FALSE(read_training_config({training})) << "an empty file ended the process";
  std::ofstream(configs / "model_configs" / "m.yaml") << kModel;
  const auto read = read_training_config({training});
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->training.model.blocks, 22u);
  EXPECT_EQ(read->files.size(), 2u);
  EXPECT_TRUE(read_training_config({(configs / "model_configs" / "m.yaml").string(), training}));
}

}  // namespace
}  // namespace ttscope::sim
