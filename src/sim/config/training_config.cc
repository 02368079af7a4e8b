#include "sim/config/training_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/edit_distance.h"
#include "base/text_escape.h"
#include "io/whole_text.h"
#include "sim/config/config_section.h"
#include "sim/config/sections.h"

namespace ttscope::sim {
namespace {

namespace fs = std::filesystem;

/// In the order of train::OptimizerKind; SGD of single operations keeps what the fused one does.
constexpr std::array<std::string_view, 9> kOptimizers{
    "AdamW", "AdamWFullPrecision", "AdamWComposite", "MorehAdamW",  "SGD",
    "NoOp",  "MuonComposite",      "MuonWithAdamW",  "SGDComposite"};
constexpr std::array<std::string_view, 7> kSections{
    "training_config",  "transformer_config", "device_config", "eval_config",
    "scheduler_config", "multihost_config",   "lora_config"};
constexpr std::size_t kMostConfigBytes = std::size_t{1} << 20;

/// A file's document, with the name under which errors speak of it.
struct Document {
  std::string path;
  YamlNode root;
};

Result<Document> document_of(std::string_view text, const std::string& path) {
  if (text.size() > kMostConfigBytes)
    return failure(bad_input(fmt::format("{}: too large for a configuration", terminal_safe(path))));
  Result<YamlNode> root = read_yaml(text, path);
  if (!root) return failure(root.error());
  if (root->kind != YamlNode::Kind::kMap)
    return failure(bad_input(fmt::format("{}:{}: a configuration has sections: {}", terminal_safe(path),
                                         root->line, fmt::join(kSections, ", "))));
  return Document{path, std::move(*root)};
}

Result<Document> read_document(const std::string& path) {
  const Result<io::WholeText> text = io::open_whole_text(path);
  if (!text) return failure(text.error());
  return document_of(text->bytes(), path);
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
  const Result<std::string> path = find_model_config(named, *owner, training.line_of("model_config"));
  if (!path) return failure(path.error());
  Result<Document> model = read_document(*path);
  if (!model) return failure(model.error());
  documents.push_back(std::move(*model));
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

Result<ReadConfig> read_documents(const std::vector<Document>& documents) {
  ReadConfig read;
  for (const Document& document : documents) read.files.push_back(document.path);
  ConfigSections sections{section_of(documents, "training_config"),
                          section_of(documents, "transformer_config"), section_of(documents, "device_config"),
                          section_of(documents, "lora_config"), section_of(documents, "multihost_config")};
  if (!sections.model.exists()) {
    return failure(
        nothing_found(fmt::format("{}: no model is configured: a section `transformer_config` is needed",
                                  terminal_safe(documents.front().path))));
  }
  if (auto filled = read_sections(sections, read); !filled) return failure(filled.error());
  if (const auto contradiction = contradiction_in(read.training)) {
    return failure(bad_input(fmt::format("{}: {}", place_of(*contradiction, sections), contradiction->text)));
  }
  return read;
}

}  // namespace

bool looks_like_training_config(std::string_view beginning) {
  for (const std::string_view section : {"training_config:", "transformer_config:"}) {
    std::size_t at = beginning.find(section);
    while (at != std::string_view::npos) {
      if (at == 0 || beginning[at - 1] == '\n') return true;
      at = beginning.find(section, at + 1);
    }
  }
  return false;
}

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

Result<ReadConfig> read_training_config(const std::vector<std::string>& paths) {
  std::vector<Document> documents;
  for (const std::string& path : paths) {
    Result<Document> document = read_document(path);
    if (!document) return failure(document.error());
    if (auto checked = check_sections(*document); !checked) return failure(checked.error());
    documents.push_back(std::move(*document));
  }
  if (documents.empty()) return failure(bad_input("no configuration is given"));
  if (auto added = add_named_model(documents); !added) return failure(added.error());
  return read_documents(documents);
}

Result<ReadConfig> read_training_config_text(std::string_view text, const std::string& path) {
  Result<Document> document = document_of(text, path);
  if (!document) return failure(document.error());
  if (auto checked = check_sections(*document); !checked) return failure(checked.error());
  std::vector<Document> documents;
  documents.push_back(std::move(*document));
  return read_documents(documents);
}

}  // namespace ttscope::sim
