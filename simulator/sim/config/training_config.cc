#include "sim/config/training_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/result.h"
#include "base/text.h"
#include "io/open_input.h"
#include "sim/config/config_section.h"

namespace ttscope::sim {
namespace {

/// The sections of a configuration, wherever they stand.
struct ConfigSections {
  ConfigSection training;
  ConfigSection model;
  ConfigSection device;
  ConfigSection lora;
  ConfigSection multihost;
};

using train::EmbeddingPlacement;
using train::ModelConfig;
using train::ModelFamily;
using train::OptimizerConfig;
using train::OptimizerKind;
using train::TrainingConfig;

// What tt-train's trainer takes where a model configuration says nothing.
constexpr std::uint32_t kDefaultGroups = 3;
constexpr float kDefaultDropout = 0.2F;
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

Result<void> read_training(ConfigSection& section, LoadedConfig& read, std::size_t& model_type) {
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

Result<void> read_model(ConfigSection& section, LoadedConfig& read, std::size_t default_type) {
  ModelConfig& model = read.training.model;
  const std::size_t type = model_type_of(section, default_type);
  model.family = type == 0 ? ModelFamily::kGpt : ModelFamily::kLlama;
  model.head_norms = type == 2;
  if (model.head_norms) {
    section.number("head_dim", model.head_size);
    section.flag("attention_bias", model.attention_bias);
  }
  model.dropout = kDefaultDropout;
  model.groups = kDefaultGroups;
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
  constexpr std::uint32_t kMaxChips = 4096;
  if (mesh[0] > kMaxChips || mesh[1] > kMaxChips) {
    section.fail(section.line_of("mesh_shape"),
                 fmt::format("no mesh has more than {} chips a side", kMaxChips));
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

/// Fills in what the sections say. The error is the first of a section, in their order.
Result<void> read_sections(ConfigSections& sections, LoadedConfig& read) {
  std::size_t model_type = 0;
  if (auto done = read_training(sections.training, read, model_type); !done) return done;
  if (auto done = read_model(sections.model, read, model_type); !done) return done;
  if (auto done = read_device(sections.device, read.training); !done) return done;
  if (auto done = read_lora(sections.lora, read.training.model.lora); !done) return done;
  return read_multihost(sections.multihost);
}

namespace fs = std::filesystem;

/// In the order of train::OptimizerKind; SGD of single operations keeps what the fused one does.
constexpr std::array<std::string_view, 9> kOptimizers{
    "AdamW", "AdamWFullPrecision", "AdamWComposite", "MorehAdamW",  "SGD",
    "NoOp",  "MuonComposite",      "MuonWithAdamW",  "SGDComposite"};
constexpr std::array<std::string_view, 7> kSections{
    "training_config",  "transformer_config", "device_config", "eval_config",
    "scheduler_config", "multihost_config",   "lora_config"};
constexpr std::size_t kMaxConfigBytes = std::size_t{1} << 20;

/// A file's document, with the name under which errors speak of it.
struct Document {
  std::string path;
  YamlNode root;
};

Result<Document> document_of(std::string_view text, const std::string& path) {
  if (text.size() > kMaxConfigBytes)
    return failure(bad_input(fmt::format("{}: too large for a configuration", terminal_safe(path))));
  ASSIGN_OR_RETURN(YamlNode root, read_yaml(text, path));
  if (root.kind != YamlNode::Kind::kMap)
    return failure(bad_input(fmt::format("{}:{}: a configuration has sections: {}", terminal_safe(path),
                                         root.line, fmt::join(kSections, ", "))));
  return Document{path, std::move(root)};
}

Result<Document> read_document(const std::string& path) {
  ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path));
  return document_of(text.bytes(), path);
}

/// Where a file that names another by a path with a variable in front may mean it: below any folder above it.
std::vector<fs::path> places_of(const std::string& named, const fs::path& config) {
  std::vector<fs::path> places;
  std::string rest = named;
  if (const std::size_t end = rest.find('}'); rest.rfind("${", 0) == 0 && end != std::string::npos) {
    rest = rest.substr(end + 1);
  } else if (rest.starts_with('$')) {
    rest = rest.substr(std::min(rest.find('/'), rest.size()));
  } else {
    places.emplace_back(named);
  }
  rest.erase(0, rest.find_first_not_of('/') == std::string::npos ? rest.size() : rest.find_first_not_of('/'));
  std::error_code ignored;
  for (fs::path folder = fs::absolute(config, ignored).parent_path();; folder = folder.parent_path()) {
    places.push_back(folder / rest);
    places.push_back(folder / "model_configs" / fs::path(rest).filename());
    if (folder == folder.parent_path()) break;
  }
  places.push_back(config.parent_path() / fs::path(rest).filename());
  return places;
}

Result<std::string> find_model_config(const std::string& named, const Document& training,
                                      std::uint32_t line) {
  for (const fs::path& place : places_of(named, training.path)) {
    std::error_code ignored;
    if (fs::is_regular_file(place, ignored)) return place.lexically_normal().string();
  }
  return failure(bad_input(
      fmt::format("{}:{}: the model configuration `{}` is not found from here; name it as a second file",
                  terminal_safe(training.path), line, terminal_safe(named))));
}

/// Before anything else is looked at: such files have sections of their own, and often no model.
Result<void> refuse_reinforcement(const Document& document) {
  const YamlNode* const training = document.root.find("training_config");
  for (const YamlNode* const map : {&document.root, training}) {
    if (map == nullptr) continue;
    for (const auto& [key, value] : map->members) {
      if (key.scalar != "grpo_config" && key.scalar != "remote_rollout_config") continue;
      return failure(bad_input(fmt::format(
          "{}:{}: `{}`: reinforcement learning (GRPO) is not modelled, neither the completions and their "
          "caches nor its loss; without `grpo_config` and `remote_rollout_config`, and with `batch_size` and "
          "a `transformer_config`, plain training of a model is answered, which is no bound",
          terminal_safe(document.path), key.line, key.scalar)));
    }
  }
  return {};
}

Result<void> check_sections(const Document& document) {
  if (auto plain = refuse_reinforcement(document); !plain) return plain;
  const std::vector<std::string_view> known(kSections.begin(), kSections.end());
  for (const auto& [key, value] : document.root.members) {
    if (std::find(known.begin(), known.end(), key.scalar) != known.end()) continue;
    const std::string_view near = nearest_name(key.scalar, known);
    return failure(bad_input(
        fmt::format("{}:{}: `{}` is no section of a training configuration: {}{}",
                    terminal_safe(document.path), key.line, terminal_safe(key.scalar), fmt::join(known, ", "),
                    near.empty() ? std::string() : fmt::format("; did you mean `{}`?", near))));
  }
  return {};
}

/// The section of the first file that has it, on its own or, in older files, inside of the training section.
ConfigSection section_of(const std::vector<Document>& documents, std::string_view name) {
  for (const Document& document : documents) {
    if (const YamlNode* node = document.root.find(name)) return {node, name, document.path};
  }
  for (const Document& document : documents) {
    const YamlNode* training = document.root.find("training_config");
    if (training == nullptr || training->kind != YamlNode::Kind::kMap) continue;
    if (const YamlNode* node = training->find(name)) return {node, name, document.path};
  }
  return {nullptr, name, documents.front().path};
}

Result<void> add_named_model(std::vector<Document>& documents) {
  ConfigSection training = section_of(documents, "training_config");
  const bool has_model = section_of(documents, "transformer_config").exists();
  const std::string named = training.text("model_config");
  if (has_model || named.empty()) return {};
  const auto owner = std::find_if(documents.begin(), documents.end(), [](const Document& each) {
    return each.root.find("training_config") != nullptr;
  });
  ASSIGN_OR_RETURN(const std::string path,
                   find_model_config(named, *owner, training.line_of("model_config")));
  ASSIGN_OR_RETURN(Document model, read_document(path));
  documents.push_back(std::move(model));
  return check_sections(documents.back());
}

/// The keys of train::Setting, in its order.
constexpr std::array<std::string_view, 14> kKeys{"model_type",
                                                 "embedding_dim",
                                                 "max_sequence_length",
                                                 "num_heads",
                                                 "head_dim",
                                                 "num_groups",
                                                 "intermediate_dim",
                                                 "num_blocks",
                                                 "weight_tying",
                                                 "mesh_shape",
                                                 "optimizer",
                                                 "batch_size",
                                                 "gradient_accumulation_steps",
                                                 "mesh_shape"};

static_assert(kKeys.size() == static_cast<std::size_t>(train::Setting::kDataParallel) + 1);

/// `file:line` of the first setting of a contradiction that is given, not a default; else of the model.
std::string place_of(const train::Contradiction& contradiction, const ConfigSections& sections) {
  for (const train::Setting setting : contradiction.settings) {
    const std::string_view key = kKeys[static_cast<std::size_t>(setting)];
    for (const ConfigSection* section : {&sections.model, &sections.training, &sections.device}) {
      if (section->has(key))
        return fmt::format("{}:{}", terminal_safe(section->path()), section->line_of(key));
    }
  }
  return fmt::format("{}:{}", terminal_safe(sections.model.path()), sections.model.line());
}

Result<LoadedConfig> read_documents(const std::vector<Document>& documents) {
  LoadedConfig read;
  for (const Document& document : documents) read.files.push_back(document.path);
  ConfigSections sections{section_of(documents, "training_config"),
                          section_of(documents, "transformer_config"), section_of(documents, "device_config"),
                          section_of(documents, "lora_config"), section_of(documents, "multihost_config")};
  if (!sections.model.exists()) {
    return failure(
        nothing_found(fmt::format("{}: no model is configured: a section `transformer_config` is needed",
                                  terminal_safe(documents.front().path))));
  }
  RETURN_IF_ERROR(read_sections(sections, read));
  if (const auto contradiction = contradiction_in(read.training)) {
    return failure(bad_input(fmt::format("{}: {}", place_of(*contradiction, sections), contradiction->text)));
  }
  return read;
}

}  // namespace

std::vector<std::string_view> optimizer_names() { return {kOptimizers.begin(), kOptimizers.end()}; }

Result<train::OptimizerKind> optimizer_named(std::string_view name) {
  const auto found = std::find(kOptimizers.begin(), kOptimizers.end(), name);
  if (name == "SGDComposite") return train::OptimizerKind::kSgd;
  if (found != kOptimizers.end()) return static_cast<train::OptimizerKind>(found - kOptimizers.begin());
  const std::vector<std::string_view> known(kOptimizers.begin(), kOptimizers.end());
  const std::string_view near = nearest_name(name, known);
  return failure(bad_input(
      fmt::format("unknown optimizer `{}`: known are {}{}", terminal_safe(name), fmt::join(known, ", "),
                  near.empty() ? std::string() : fmt::format("; did you mean `{}`?", near))));
}

std::string_view name_of(train::OptimizerKind kind) { return kOptimizers[static_cast<std::size_t>(kind)]; }

Result<LoadedConfig> read_training_config(const std::vector<std::string>& paths) {
  std::vector<Document> documents;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(Document document, read_document(path));
    RETURN_IF_ERROR(check_sections(document));
    documents.push_back(std::move(document));
  }
  if (documents.empty()) return failure(bad_input("no configuration is given"));
  RETURN_IF_ERROR(add_named_model(documents));
  return read_documents(documents);
}

Result<LoadedConfig> read_training_config_text(std::string_view text, const std::string& path) {
  ASSIGN_OR_RETURN(Document document, document_of(text, path));
  RETURN_IF_ERROR(check_sections(document));
  std::vector<Document> documents;
  documents.push_back(std::move(document));
  return read_documents(documents);
}

}  // namespace ttscope::sim
