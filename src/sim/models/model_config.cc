// Declared in include/ttscope/models.h.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include <ttscope/models.h>

namespace ttscope::train {
namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kHiddenStep = 256;
constexpr std::uint32_t kMostBlocks = 4096;
constexpr double kMostValues = 1e15;  // of one tensor: far beyond any device, far from overflow

/// A number of a configuration as sentences speak of it; of no setting: it is given.
struct Named {
  const char* words;
  std::uint32_t value;
  std::vector<Setting> settings;
};

const Named& tile_side() {
  static const Named kSide{"a tile's side,", kTile, {}};
  return kSide;
}

std::optional<Contradiction> not_divisible(const Named& what, const Named& by) {
  if (by.value != 0 && what.value % by.value == 0) return std::nullopt;
  Contradiction found;
  found.text = fmt::format("{} {} cannot be divided by {} {}", what.words, what.value, by.words, by.value);
  found.settings = what.settings;
  found.settings.insert(found.settings.end(), by.settings.begin(), by.settings.end());
  if (by.value == 0) return found;
  const std::uint64_t below = what.value / by.value * std::uint64_t{by.value};
  found.text += below == 0 ? fmt::format("; {} can", by.value)
                           : fmt::format("; {} and {} can", below, below + by.value);
  return found;
}

std::optional<Contradiction> contradiction_in_sizes(const ModelConfig& config) {
  const Named width{"width", config.width, {Setting::kWidth}};
  const Named heads{"heads", config.heads, {Setting::kHeads}};
  if (auto found = not_divisible(width, tile_side())) return found;
  const Named length{"the sequence length", config.sequence_length, {Setting::kSequenceLength}};
  if (auto found = not_divisible(length, tile_side())) return found;
  if (config.head_size == 0 || config.heads == 0) {
    if (auto found = not_divisible(width, heads)) return found;
  }
  if (config.family != ModelFamily::kLlama) return std::nullopt;
  if (auto found = not_divisible(heads, {"groups", config.groups, {Setting::kGroups}})) return found;
  if (config.heads == 0) return std::nullopt;
  return not_divisible(
      {"the size of a head,", config.head_width(), {Setting::kHeadSize, Setting::kHeads, Setting::kWidth}},
      tile_side());
}

std::optional<Contradiction> contradiction_in_parts(const ModelConfig& config) {
  const std::uint32_t chips = config.tensor_parallel;
  if (chips <= 1) return std::nullopt;
  if (config.family == ModelFamily::kGpt) {
    return Contradiction{"tt-train has no tensor-parallel GPT: use the Llama family",
                         {Setting::kTensorParallel, Setting::kFamily}};
  }
  if (config.tied_weights && config.embedding != EmbeddingPlacement::kVocabularyParts) {
    return Contradiction{
        "tied weights need the embedding split by the vocabulary when layers are split over chips",
        {Setting::kTiedWeights, Setting::kTensorParallel}};
  }
  const Named parts{"tensor parallel", chips, {Setting::kTensorParallel}};
  if (auto found = not_divisible({"heads", config.heads, {Setting::kHeads}}, parts)) return found;
  if (auto found = not_divisible({"groups", config.groups, {Setting::kGroups}}, parts)) return found;
  return not_divisible({"the intermediate size", config.hidden_width(), {Setting::kIntermediate}}, parts);
}

}  // namespace

std::uint32_t ModelConfig::hidden_width() const {
  if (family == ModelFamily::kGpt) return 4 * width;
  if (intermediate != 0) return intermediate;
  const std::uint64_t wanted = std::uint64_t{4} * width * 2 / 3;
  return static_cast<std::uint32_t>((wanted + kHiddenStep - 1) / kHiddenStep * kHiddenStep);
}

std::uint32_t ModelConfig::padded_vocabulary() const {
  const std::uint32_t whole_tiles = (vocabulary + kTile - 1) / kTile * kTile;
  const std::uint32_t step = std::lcm(kTile, tensor_parallel);
  return (whole_tiles + step - 1) / step * step;
}

std::optional<Contradiction> contradiction_in(const ModelConfig& config) {
  if (auto found = contradiction_in_sizes(config)) return found;
  if (auto found = contradiction_in_parts(config)) return found;
  if (config.blocks == 0) return Contradiction{"a model needs at least one block", {Setting::kBlocks}};
  if (config.blocks > kMostBlocks) {
    return Contradiction{fmt::format("{} blocks are more than {}", config.blocks, kMostBlocks),
                         {Setting::kBlocks}};
  }
  return std::nullopt;
}

std::optional<Contradiction> contradiction_in(const TrainingConfig& config) {
  const OptimizerKind kind = config.optimizer.kind;
  const bool by_muon = kind == OptimizerKind::kMuon || kind == OptimizerKind::kMuonWithAdamW;
  if (by_muon && config.model.tensor_parallel > 1) {
    return Contradiction{"Muon needs whole weights: tt-train refuses it where layers are split over chips",
                         {Setting::kOptimizer, Setting::kTensorParallel}};
  }
  if (auto found = contradiction_in(config.model)) return found;
  if (config.batch == 0 || config.accumulation == 0) {
    return Contradiction{"batch and accumulation must be above 0", {Setting::kBatch, Setting::kAccumulation}};
  }
  const ModelConfig& model = config.model;
  const double columns =
      std::max({3.0 * model.width, 1.0 * model.hidden_width(), 1.0 * model.padded_vocabulary(),
                1.0 * model.heads * model.sequence_length});
  if (columns * config.batch * model.sequence_length > kMostValues) {
    return Contradiction{
        fmt::format("batch {} and sequence length {} make tensors that no device has room for", config.batch,
                    model.sequence_length),
        {Setting::kBatch, Setting::kSequenceLength}};
  }
  if (config.data_parallel <= 1) return std::nullopt;
  return not_divisible({"batch", config.batch, {Setting::kBatch}},
                       {"data parallel", config.data_parallel, {Setting::kDataParallel}});
}

}  // namespace ttscope::train
