#pragma once

// Language models of tt-train's families, and the loop that trains them, on simulated tensors. What they
// make, keep and free, and in which order, follows tt-train's trainer of 2026.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ttscope/modules.h>

namespace ttscope::train {

enum class ModelFamily : std::uint8_t { kGpt, kLlama };
/// Where the table of tokens lies when layers are split over chips.
enum class EmbeddingPlacement : std::uint8_t { kReplicated, kVocabularyParts, kFeatureParts };

/// Low-rank adapters beside frozen weights; a rank of 0: none.
struct LoraConfig {
  std::uint32_t rank = 0;
  std::vector<std::string> targets{"q_linear", "kv_linear", "out_linear"};  ///< names of linear layers
  float dropout = 0;
};

/// Sizes of a transformer, as tt-train's model configurations give them.
struct ModelConfig {
  std::string name;
  ModelFamily family = ModelFamily::kLlama;
  std::uint32_t vocabulary = 96;
  std::uint32_t sequence_length = 256;
  std::uint32_t width = 384;
  std::uint32_t heads = 6;
  std::uint32_t groups = 6;     ///< heads of keys and values (Llama)
  std::uint32_t head_size = 0;  ///< of queries, keys and values; 0: width / heads
  std::uint32_t blocks = 6;
  std::uint32_t intermediate = 0;  ///< width of the gated layer; 0: two thirds of 4 x width, in steps of 256
  float dropout = 0;
  bool recompute = false;       ///< keep only the inputs of blocks, run each block again in the backward pass
  bool tied_weights = false;    ///< the table of tokens is the last layer's weight
  bool head_norms = false;      ///< queries and keys are normalized head by head (Qwen3)
  bool attention_bias = false;  ///< the projections of attention have one (Qwen3)
  bool fixed_positions = false;       ///< GPT: no learned positions
  bool composite = false;             ///< attention and gated layer made of parts, as before March 2026
  std::uint32_t tensor_parallel = 1;  ///< chips that share each layer (Llama)
  EmbeddingPlacement embedding = EmbeddingPlacement::kReplicated;
  LoraConfig lora;

  std::uint32_t head_width() const { return head_size != 0 ? head_size : heads == 0 ? 0 : width / heads; }
  /// Of the gated layer.
  std::uint32_t hidden_width() const;
  /// In whole tiles, on each of the chips.
  std::uint32_t padded_vocabulary() const;
};

/// What a configuration sets and a contradiction may be about.
enum class Setting : std::uint8_t {
  kFamily,
  kWidth,
  kSequenceLength,
  kHeads,
  kHeadSize,
  kGroups,
  kIntermediate,
  kBlocks,
  kTiedWeights,
  kTensorParallel,
  kOptimizer,
  kBatch,
  kAccumulation,
  kDataParallel,
};

struct Contradiction {
  std::string text;               ///< `width 400 cannot be divided by heads 6; 396 and 402 can`
  std::vector<Setting> settings;  ///< that do not go together, in the order of the text
};

/// What contradicts itself in it; none: nothing.
std::optional<Contradiction> contradiction_in(const ModelConfig& config);

/// Tokens to logits; of one chip.
class LanguageModel : public Module {
 public:
  /// `mask` may be null: fused attention is causal without one.
  virtual TensorPtr operator()(const TensorPtr& tokens, const TensorPtr& mask) const = 0;
  /// Freezes all parameters and adds low-rank ones to the layers that `config` names.
  virtual void add_adapters(const sim::Device& device, const LoraConfig& config) = 0;
};

/// Throws std::invalid_argument for what contradiction_in() finds.
std::unique_ptr<LanguageModel> make_model(const sim::Device& device, const ModelConfig& config);

struct TrainingConfig {
  ModelConfig model;
  OptimizerConfig optimizer;
  std::uint32_t batch = 1;          ///< sequences in a forward pass, of all chips together
  std::uint32_t accumulation = 1;   ///< forward and backward passes before the optimizer's step
  std::uint32_t data_parallel = 1;  ///< groups of chips that share the batch
  bool clip_gradients = false;
};
std::optional<Contradiction> contradiction_in(const TrainingConfig& config);

/// Told of the phases of a run: `MODEL_CREATION`, `LORA_INJECTION`, `OPTIMIZER_CREATION`, `FORWARD_PASS` and
/// `BACKWARD_PASS` (with `_micro_0` and so on where gradients are accumulated), and what follows to the end
/// of the step, `FIRST_ITERATION_COMPLETE`. Steps after the first have their number in front:
/// `STEP_2_FORWARD_PASS`.
class TrainingObserver {
 public:
  virtual ~TrainingObserver() = default;
  virtual void begin_phase(const std::string& name) = 0;
  virtual void end_phase(const std::string& name) = 0;
  /// After the model was made, inside of its phase.
  virtual void on_model(const LanguageModel& model) { static_cast<void>(model); }
  /// Asked after a micro-step of which more follow. True: the next would find and leave memory just as this
  /// one did; the rest is left out, and skip_phase() is told of its phases instead.
  virtual bool repeats() { return false; }
  virtual void skip_phase(const std::string& name) { static_cast<void>(name); }
  /// After the optimizer's step, inside of its phase.
  virtual void on_step(std::uint32_t step) { static_cast<void>(step); }
};

/// Trains so many steps. Throws OutOfMemory where something does not fit; the phase that was begun and not
/// ended is the one that failed.
void run_training(const sim::Device& device, const TrainingConfig& config, std::uint32_t steps,
                  TrainingObserver& observer);

}  // namespace ttscope::train
