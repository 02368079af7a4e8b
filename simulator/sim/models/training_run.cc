#include <fmt/format.h>
#include <ttscope/memory_owner.h>
#include <ttscope/models.h>
#include <ttscope/ops.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace ttscope::train {
namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kHiddenStep = 256;
constexpr std::uint32_t kMaxBlocks = 4096;
constexpr double kMaxValues = 1e15;  // of one tensor: far beyond any device, far from overflow

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
  if (config.blocks > kMaxBlocks) {
    return Contradiction{fmt::format("{} blocks are more than {}", config.blocks, kMaxBlocks),
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
  if (columns * config.batch * model.sequence_length > kMaxValues) {
    return Contradiction{
        fmt::format("batch {} and sequence length {} make tensors that no device has room for", config.batch,
                    model.sequence_length),
        {Setting::kBatch, Setting::kSequenceLength}};
  }
  if (config.data_parallel <= 1) return std::nullopt;
  return not_divisible({"batch", config.batch, {Setting::kBatch}},
                       {"data parallel", config.data_parallel, {Setting::kDataParallel}});
}

namespace {

/// Tokens, what should follow them, and which positions count.
struct Batch {
  TensorPtr tokens;
  TensorPtr targets;
  TensorPtr loss_mask;
};

class TrainingRun {
 public:
  TrainingRun(const sim::Device& device, const TrainingConfig& config, TrainingObserver& observer)
      : device_(device), config_(config), observer_(observer) {}

  void run(std::uint32_t steps) {
    Graph::current().reset();
    phase("MODEL_CREATION", [this] {
      if (config_.model.composite) mask_ = make_mask();
      model_ = make_model(device_, config_.model);
      observer_.on_model(*model_);
    });
    if (config_.model.lora.rank > 0) {
      phase("LORA_INJECTION", [this] { model_->add_adapters(device_, config_.model.lora); });
    }
    phase("OPTIMIZER_CREATION",
          [this] { optimizer_ = make_optimizer(config_.optimizer, model_->parameters()); });
    for (std::uint32_t step = 1; step <= steps; ++step) train_step(step);
  }

 private:
  template <typename Work>
  void phase(const std::string& name, const Work& work) {
    observer_.begin_phase(name);
    work();
    observer_.end_phase(name);
  }

  void train_step(std::uint32_t step) {
    const std::string prefix = step == 1 ? "" : "STEP_" + std::to_string(step) + "_";
    bool repeated = false;
    for (std::uint32_t micro = 0; micro < config_.accumulation; ++micro) {
      const std::string suffix = config_.accumulation == 1 ? "" : "_micro_" + std::to_string(micro);
      const std::string forward_name = fmt::format("{}FORWARD_PASS{}", prefix, suffix);
      const std::string backward_name = fmt::format("{}BACKWARD_PASS{}", prefix, suffix);
      // The first micro-step makes the gradients: only those after it can be alike.
      const bool same = micro > 0 && !repeated && observer_.repeats();
      repeated = repeated || (micro > 1 && same);
      if (repeated) {
        observer_.skip_phase(forward_name);
        observer_.skip_phase(backward_name);
        continue;
      }
      phase(forward_name, [&] {
        if (micro == 0) optimizer_->zero_grad();
        forward();
      });
      phase(backward_name, [this] { backward(); });
    }
    phase(step == 1 ? "FIRST_ITERATION_COMPLETE" : prefix + "COMPLETE", [&] {
      share_gradients();
      optimizer_->step();
      observer_.on_step(step);
    });
  }

  void forward() {
    batch_ = make_batch();
    const TensorPtr logits = (*model_)(batch_.tokens, mask_);
    const sim::ModuleScope part("loss");
    const TensorPtr rows = cross_entropy(logits, batch_.targets, config_.model.tensor_parallel);
    loss_ = mean(multiply(rows, batch_.loss_mask));
  }

  void backward() {
    if (config_.accumulation > 1) loss_ = multiply(loss_, 1.0F / static_cast<float>(config_.accumulation));
    loss_->backward();
    Graph::current().reset();
  }

  /// Chips that had different parts of the batch take the mean of their gradients.
  void share_gradients() {
    const std::uint32_t chips = config_.data_parallel;
    const auto parameters = model_->parameters();
    for (const auto& [name, parameter] : parameters) {
      if (chips <= 1 || !parameter->has_grad()) continue;
      const sim::OwnerScope gradient(sim::MemoryKind::kGradient, name);
      const sim::Tensor sum = sim::all_reduce(parameter->grad(), chips);
      parameter->set_grad(sim::multiply(sum, 1.0F / static_cast<float>(chips)));
    }
    if (!config_.clip_gradients) return;
    for (const auto& [name, parameter] : parameters) {
      if (parameter->has_grad()) sim::unary_in_place("clip_norm", parameter->grad());
    }
  }

  TensorPtr make_mask() const {
    const std::uint32_t length = config_.model.sequence_length;
    return make_tensor(sim::from_host(device_, {.shape = {1, 1, length, length}, .memory = {}}), false);
  }

  Batch make_batch() const {
    const std::uint32_t length = config_.model.sequence_length;
    const std::uint32_t sequences = config_.batch / config_.data_parallel;
    const sim::TensorSpec tokens{.shape = {sequences, 1, 1, length},
                                 .dtype = sim::DataType::kUint32,
                                 .layout = sim::Layout::kRowMajor,
                                 .memory = {}};
    const sim::TensorSpec mask{.shape = {sequences, 1, length, 1}, .memory = {}};
    return {make_tensor(sim::from_host(device_, tokens), false),
            make_tensor(sim::from_host(device_, tokens), false),
            make_tensor(sim::from_host(device_, mask), false)};
  }

  sim::Device device_;
  TrainingConfig config_;
  TrainingObserver& observer_;
  TensorPtr mask_;
  std::unique_ptr<LanguageModel> model_;
  std::unique_ptr<Optimizer> optimizer_;
  Batch batch_;
  TensorPtr loss_;
};

}  // namespace

void run_training(const sim::Device& device, const TrainingConfig& config, std::uint32_t steps,
                  TrainingObserver& observer) {
  if (const auto found = contradiction_in(config)) throw std::invalid_argument(found->text);
  TrainingRun run(device, config, observer);
  try {
    run.run(steps);
  } catch (...) {
    Graph::current().reset();  // what the operations kept must not outlive the run
    throw;
  }
}

}  // namespace ttscope::train
