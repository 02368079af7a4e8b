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

std::string not_divisible(const char* what, std::uint32_t value, const char* by_what, std::uint32_t by) {
  if (by != 0 && value % by == 0) return {};
  std::string wrong = fmt::format("{} {} cannot be divided by {} {}", what, value, by_what, by);
  if (by == 0) return wrong;
  const std::uint64_t below = value / by * std::uint64_t{by};
  if (below == 0) return fmt::format("{}; {} can", wrong, by);
  return fmt::format("{}; {} and {} can", wrong, below, below + by);
}

std::string contradiction_in_parts(const ModelConfig& config) {
  const std::uint32_t chips = config.tensor_parallel;
  if (chips <= 1) return {};
  if (config.family == ModelFamily::kGpt) return "tt-train has no tensor-parallel GPT: use the Llama family";
  if (config.tied_weights && config.embedding != EmbeddingPlacement::kVocabularyParts) {
    return "tied weights need the embedding split by the vocabulary when layers are split over chips";
  }
  for (const std::string& found :
       {not_divisible("heads", config.heads, "tensor parallel", chips),
        not_divisible("groups", config.groups, "tensor parallel", chips),
        not_divisible("the intermediate size", config.hidden_width(), "tensor parallel", chips)}) {
    if (!found.empty()) return found;
  }
  return {};
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

std::string contradiction_in(const ModelConfig& config) {
  for (const std::string& found :
       {not_divisible("width", config.width, "a tile's side,", kTile),
        not_divisible("the sequence length", config.sequence_length, "a tile's side,", kTile),
        config.head_size != 0 && config.heads != 0
            ? std::string()
            : not_divisible("width", config.width, "heads", config.heads),
        config.family == ModelFamily::kLlama ? not_divisible("heads", config.heads, "groups", config.groups)
                                             : std::string(),
        config.family == ModelFamily::kLlama && config.heads != 0
            ? not_divisible("the size of a head,", config.head_width(), "a tile's side,", kTile)
            : std::string(),
        contradiction_in_parts(config)}) {
    if (!found.empty()) return found;
  }
  if (config.blocks == 0) return "a model needs at least one block";
  if (config.blocks > kMostBlocks)
    return fmt::format("{} blocks are more than {}", config.blocks, kMostBlocks);
  return {};
}

std::string contradiction_in(const TrainingConfig& config) {
  const OptimizerKind kind = config.optimizer.kind;
  const bool by_muon = kind == OptimizerKind::kMuon || kind == OptimizerKind::kMuonWithAdamW;
  if (by_muon && config.model.tensor_parallel > 1)
    return "Muon needs whole weights: tt-train refuses it where layers are split over chips";
  if (std::string found = contradiction_in(config.model); !found.empty()) return found;
  if (config.batch == 0 || config.accumulation == 0) return "batch and accumulation must be above 0";
  const ModelConfig& model = config.model;
  const double columns =
      std::max({3.0 * model.width, 1.0 * model.hidden_width(), 1.0 * model.padded_vocabulary(),
                1.0 * model.heads * model.sequence_length});
  if (columns * config.batch * model.sequence_length > kMostValues) {
    return fmt::format("batch {} and sequence length {} make tensors that no device has room for",
                       config.batch, model.sequence_length);
  }
  if (config.data_parallel > 1) {
    return not_divisible("batch", config.batch, "data parallel", config.data_parallel);
  }
  return {};
}

}  // namespace ttscope::train
