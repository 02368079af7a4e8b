#include "sim/config/sections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/edit_distance.h"
#include "base/text_escape.h"

namespace ttscope::sim {
namespace {

using train::EmbeddingPlacement;
using train::ModelConfig;
using train::ModelFamily;
using train::OptimizerConfig;
using train::OptimizerKind;
using train::TrainingConfig;

// What tt-train's trainer takes where a model configuration says nothing.
constexpr std::uint32_t kUsualGroups = 3;
constexpr float kUsualDropout = 0.2F;
constexpr std::uint32_t kVocabularyOfCharacters = 96;

constexpr std::array<std::string_view, 9> kLayers{"q_linear", "kv_linear", "qkv_linear", "out_linear", "w1",
                                                  "w2",       "w3",        "fc1",        "fc2"};

OptimizerKind kind_of(ConfigSection& section) {
  const std::vector<std::string_view> names = optimizer_names();
  const std::size_t chosen = section.choice("type", names, 0);
  return *optimizer_named(names[chosen]);
}

/// The parts of Muon beside AdamW: what keeps memory is which modules are left to AdamW, and its iteration.
Result<void> read_muon(ConfigSection& section, std::string_view path, OptimizerConfig& optimizer) {
  if (const YamlNode* modules = section.node("adamw_modules")) {
    optimizer.adamw_modules.clear();
    for (const YamlNode& item : modules->items) optimizer.adamw_modules.push_back(item.scalar);
  }
  std::uint32_t steps = 5;
  section.number("ns_steps", steps, 0);
  if (const YamlNode* node = section.node("muon")) {
    ConfigSection muon(node, "muon", path);
    muon.number("ns_steps", steps, 0);
    muon.ignore({"lr", "momentum"});
    if (auto checked = muon.check_all_known(); !checked) return checked;
  }
  optimizer.newton_schulz = steps > 0;
  const YamlNode* node = section.node("adamw");
  if (node == nullptr) return {};
  ConfigSection adamw(node, "adamw", path);
  adamw.flag("amsgrad", optimizer.amsgrad);
  adamw.ignore({"lr", "beta1", "beta2", "epsilon", "weight_decay", "stochastic_rounding"});
  return adamw.check_all_known();
}

Result<void> read_optimizer(const YamlNode* node, std::string_view path, OptimizerConfig& optimizer) {
  ConfigSection section(node, "optimizer", path);
  optimizer.kind = kind_of(section);
  const bool muon = optimizer.kind == OptimizerKind::kMuon || optimizer.kind == OptimizerKind::kMuonWithAdamW;
  if (muon) {
    if (auto read = read_muon(section, path, optimizer); !read) return read;
  }
  section.flag("amsgrad", optimizer.amsgrad);
  section.flag("kahan_summation", optimizer.kahan_summation);
  section.real("momentum", optimizer.momentum, 0.0F, 1.0F);
  bool skips_1d = false;
  section.flag("weight_decay_skip_1d", skips_1d);
  if (skips_1d && optimizer.kind != OptimizerKind::kAdamW)
    section.fail(section.line_of("weight_decay_skip_1d"), "`weight_decay_skip_1d` is of AdamW alone");
  section.ignore(
      {"lr", "beta1", "beta2", "epsilon", "weight_decay", "stochastic_rounding", "dampening", "nesterov"});
  return section.check_all_known();
}

/// Settings of before the optimizer had a section of its own.
void read_old_optimizer(ConfigSection& section, OptimizerConfig& optimizer) {
  bool moreh = false;
  bool no_op = false;
  section.flag("use_moreh_adamw", moreh);
  section.flag("use_kahan_summation", optimizer.kahan_summation);
  section.flag("use_no_op", no_op);
  if (moreh) optimizer.kind = OptimizerKind::kMorehAdamW;
  if (optimizer.kahan_summation) optimizer.kind = OptimizerKind::kAdamWComposite;
  if (no_op) optimizer.kind = OptimizerKind::kNone;
}

/// Stands beside the model in today's files, in the training section in others.
std::size_t model_type_of(ConfigSection& section, std::size_t usual) {
  if (section.text("model_type") == "deepseek") {
    section.fail(section.line_of("model_type"),
                 "`deepseek` is not modelled, whatever its `moe_type`; gpt2, llama and qwen3 are");
    return usual;
  }
  return section.choice("model_type", {"gpt2", "llama", "qwen3"}, usual);
}

Result<void> read_training(ConfigSection& section, ReadConfig& read, std::size_t& model_type) {
  TrainingConfig& training = read.training;
  model_type = model_type_of(section, model_type);
  if (!section.exists()) read.assumptions.push_back(Assumption::kBatchOfOne);
  if (section.exists()) training.batch = 64;  // tt-train's default
  section.number("batch_size", training.batch);
  section.number("gradient_accumulation_steps", training.accumulation);
  section.flag("use_clip_grad_norm", training.clip_gradients);
  read_old_optimizer(section, training.optimizer);
  section.refuse("multihost_config", "runs over several hosts are not modelled");
  const YamlNode* optimizer = section.node("optimizer");
  section.ignore({"project_name",
                  "seed",
                  "model_save_interval",
                  "num_epochs",
                  "max_steps",
                  "total_steps",
                  "clip_grad_norm_max_norm",
                  "data_path",
                  "model_config",
                  "model_id",
                  "weight_sync_every",
                  "scheduler_type",
                  "warmup_ratio",
                  "warmup_steps",
                  "min_lr_ratio",
                  "lr_schedule_steps",
                  "lazy_parameter_init",
                  "tokenizer_type",
                  "tokenizer_path",
                  "learning_rate",
                  "weight_decay",
                  "momentum",
                  "eval_every",
                  "validation_batch_size",
                  "checkpoint_dir",
                  "logging_interval"});
  section.ignore({"transformer_config", "device_config", "lora_config"});  // sections, in older files
  if (auto checked = section.check_all_known(); !checked) return checked;
  if (optimizer == nullptr) return {};
  return read_optimizer(optimizer, section.path(), training.optimizer);
}

EmbeddingPlacement placement_of(ConfigSection& section) {
  const std::size_t chosen = section.choice(
      "embedding_placement",
      {"replicated", "none", "disabled", "off", "vocab_parallel", "vocab", "feature_parallel", "feature"}, 0);
  if (chosen < 4) return EmbeddingPlacement::kReplicated;
  return chosen < 6 ? EmbeddingPlacement::kVocabularyParts : EmbeddingPlacement::kFeatureParts;
}

Result<void> read_model(ConfigSection& section, ReadConfig& read, std::size_t usual_type) {
  ModelConfig& model = read.training.model;
  const std::size_t type = model_type_of(section, usual_type);
  model.family = type == 0 ? ModelFamily::kGpt : ModelFamily::kLlama;
  model.head_norms = type == 2;
  if (model.head_norms) {
    section.number("head_dim", model.head_size);
    section.flag("attention_bias", model.attention_bias);
  }
  model.dropout = kUsualDropout;
  model.groups = kUsualGroups;
  section.number("num_heads", model.heads);
  section.number("num_groups", model.groups);
  section.number("embedding_dim", model.width);
  section.number("intermediate_dim", model.intermediate);
  section.number("num_blocks", model.blocks);
  section.number("max_sequence_length", model.sequence_length);
  section.real("dropout_prob", model.dropout, 0.0F, 1.0F);
  std::uint32_t vocabulary = 0;
  section.number("vocab_size", vocabulary, 0);
  if (vocabulary == 0) read.assumptions.push_back(Assumption::kVocabularyOfCharacters);
  model.vocabulary = vocabulary == 0 ? kVocabularyOfCharacters : vocabulary;
  model.recompute = section.choice("runner_type", {"default", "memory_efficient"}, 0) == 1;
  const std::size_t tied = section.choice("weight_tying", {"disabled", "false", "enabled", "true"}, 0);
  model.tied_weights = tied >= 2;
  model.fixed_positions = section.choice("positional_embedding_type", {"trainable", "fixed"}, 0) == 1;
  model.composite = section.choice("attention", {"fused", "composite"}, 0) == 1;
  model.embedding = placement_of(section);
  section.ignore({"theta", "rope_scaling", "experimental", "model_path", "bias", "name"});
  model.name = section.text("name");
  return section.check_all_known();
}

Result<void> read_device(ConfigSection& section, TrainingConfig& training) {
  bool data_parallel = false;
  bool tensor_parallel = false;
  bool sharded = false;
  section.flag("enable_ddp", data_parallel);
  section.flag("enable_tp", tensor_parallel);
  section.flag("enable_fsdp", sharded);
  if (sharded) {
    section.fail(
        section.line_of("enable_fsdp"),
        "fully sharded data parallel (FSDP) is not modelled; `enable_ddp` in its place is: the same part of "
        "the batch on each chip, but with all weights, gradients and optimizer states, and without the "
        "copies that FSDP gathers, so that it is no bound");
  }
  const std::vector<std::uint32_t> mesh = section.numbers("mesh_shape", 2);
  section.ignore({"device_ids", "lazy_parameter_init"});
  if (auto checked = section.check_all_known(); !checked) return checked;
  if (mesh.empty()) return {};
  constexpr std::uint32_t kMostChips = 4096;
  if (mesh[0] > kMostChips || mesh[1] > kMostChips) {
    section.fail(section.line_of("mesh_shape"),
                 fmt::format("no mesh has more than {} chips a side", kMostChips));
    return section.check_all_known();
  }
  const std::uint32_t chips = mesh[0] * mesh[1];
  if (data_parallel && tensor_parallel) {
    training.data_parallel = mesh[0];
    training.model.tensor_parallel = mesh[1];
  } else if (data_parallel) {
    training.data_parallel = chips;
  } else if (tensor_parallel) {
    training.model.tensor_parallel = chips;
  }
  return {};
}

void read_targets(ConfigSection& section, train::LoraConfig& lora) {
  const YamlNode* targets = section.node("target_modules");
  if (targets == nullptr) return;
  lora.targets.clear();
  for (const YamlNode& item : targets->items) {
    lora.targets.push_back(item.scalar);
    if (std::find(kLayers.begin(), kLayers.end(), item.scalar) != kLayers.end()) continue;
    const std::string_view near = nearest_name(item.scalar, {kLayers.begin(), kLayers.end()});
    section.fail(item.line, fmt::format("no linear layer is called `{}`: {} are{}",
                                        terminal_safe(item.scalar), fmt::join(kLayers, ", "),
                                        near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
  }
  if (lora.targets.empty()) section.fail(targets->line, "`target_modules` wants names of linear layers");
}

Result<void> read_lora(ConfigSection& section, train::LoraConfig& lora) {
  if (!section.exists()) return {};
  lora.rank = 8;  // tt-train's default
  section.number("rank", lora.rank);
  section.real("lora_dropout", lora.dropout, 0.0F, 1.0F);
  read_targets(section, lora);
  section.ignore({"alpha", "use_rslora", "is_bias_trainable", "verbose"});
  return section.check_all_known();
}

Result<void> read_multihost(ConfigSection& section) {
  bool enabled = false;
  section.flag("enabled", enabled);
  if (enabled) section.fail(section.line_of("enabled"), "runs over several hosts are not modelled");
  section.ignore({"num_workers", "socket_type", "pipeline_parallel_config"});
  return section.check_all_known();
}

}  // namespace

Result<void> read_sections(ConfigSections& sections, ReadConfig& read) {
  std::size_t model_type = 0;
  if (auto done = read_training(sections.training, read, model_type); !done) return done;
  if (auto done = read_model(sections.model, read, model_type); !done) return done;
  if (auto done = read_device(sections.device, read.training); !done) return done;
  if (auto done = read_lora(sections.lora, read.training.model.lora); !done) return done;
  return read_multihost(sections.multihost);
}

}  // namespace ttscope::sim
