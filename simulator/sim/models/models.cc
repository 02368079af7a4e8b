#include <ttscope/memory_owner.h>
#include <ttscope/models.h>
#include <ttscope/ops.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace ttscope::train {
namespace {

/// How the chips of a layer share a linear layer: each has a part of the outputs, or of the inputs.
enum class Split : std::uint8_t { kNone, kOutputs, kInputs };

struct ProjectionSize {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  bool has_bias = false;
  Split split = Split::kNone;
  std::uint32_t chips = 1;
};

/// A linear layer of one chip, with low-rank adapters once they are added.
class Projection : public Module {
 public:
  Projection(const sim::Device& device, const ProjectionSize& size);
  TensorPtr operator()(const TensorPtr& x) const;
  const TensorPtr& weight() const { return weight_; }
  bool has_adapter() const { return lora_a_ != nullptr; }
  void add_adapter(const sim::Device& device, const LoraConfig& config);

 private:
  std::uint32_t inputs_here() const;
  std::uint32_t outputs_here() const;

  ProjectionSize size_;
  TensorPtr weight_;
  TensorPtr bias_;
  TensorPtr lora_a_;
  TensorPtr lora_b_;
  float lora_dropout_ = 0;
};

/// A part of a model by its name, for adapters: `q_linear`.
using NamedProjections = std::vector<std::pair<std::string, Projection*>>;

Projection::Projection(const sim::Device& device, const ProjectionSize& size) : size_(size) {
  weight_ = random_parameter(device, {1, 1, outputs_here(), inputs_here()});
  register_parameter("weight", weight_);
  if (!size.has_bias) return;
  bias_ = random_parameter(device, {1, 1, 1, outputs_here()});
  register_parameter("bias", bias_);
}

std::uint32_t Projection::inputs_here() const {
  return size_.split == Split::kInputs ? size_.inputs / size_.chips : size_.inputs;
}

std::uint32_t Projection::outputs_here() const {
  return size_.split == Split::kOutputs ? size_.outputs / size_.chips : size_.outputs;
}

void Projection::add_adapter(const sim::Device& device, const LoraConfig& config) {
  lora_a_ = random_parameter(device, {1, 1, config.rank, inputs_here()});
  lora_b_ = random_parameter(device, {1, 1, outputs_here(), config.rank});
  lora_dropout_ = config.dropout;
  const sim::MemoryOwner* owner = sim::owner_of(weight_->value());
  const std::string place = owner->name.substr(0, owner->name.rfind('/'));
  register_parameter("lora_A", lora_a_);
  register_parameter("lora_B", lora_b_);
  // The layer has its full name by now; its new parameters take it over.
  sim::set_owner(lora_a_->value(), {sim::MemoryKind::kWeight, place + "/lora_A"});
  sim::set_owner(lora_b_->value(), {sim::MemoryKind::kWeight, place + "/lora_B"});
}

TensorPtr Projection::operator()(const TensorPtr& input) const {
  const bool shared = size_.chips > 1;
  const TensorPtr x = shared && size_.split == Split::kOutputs ? broadcast(input, size_.chips) : input;
  const bool summed = shared && size_.split == Split::kInputs;
  TensorPtr out = linear(x, weight_, summed ? nullptr : bias_);
  if (summed) {
    out = all_reduce(out, size_.chips);
    if (bias_) out = add(out, bias_);
  }
  if (!has_adapter()) return out;
  TensorPtr low = linear(dropout(x, lora_dropout_), lora_a_, nullptr);
  if (summed) low = all_reduce(low, size_.chips);
  return add(out, multiply(linear(low, lora_b_, nullptr), 1.0F));
}

/// Learned positions, layer norm, GELU.
std::unique_ptr<LanguageModel> make_gpt(const sim::Device& device, const ModelConfig& config);
/// Rotary positions, RMS norm, grouped queries, gated SiLU.
std::unique_ptr<LanguageModel> make_llama(const sim::Device& device, const ModelConfig& config);

}  // namespace

std::unique_ptr<LanguageModel> make_model(const sim::Device& device, const ModelConfig& config) {
  if (const auto found = contradiction_in(config)) throw std::invalid_argument(found->text);
  return config.family == ModelFamily::kGpt ? make_gpt(device, config) : make_llama(device, config);
}

namespace {

/// Attention of the kind that the configuration asks for.
TensorPtr attend(const ModelConfig& config, const HeadTensors& heads, const TensorPtr& mask) {
  const auto kind = config.composite ? &attention_composite : &attention;
  return fuse_heads(kind(heads.query, heads.key, heads.value, mask));
}

/// Freezes everything and adds adapters where the last part of a layer's name is among the targets.
void add_adapters_to(const Module& model, const NamedProjections& layers, const sim::Device& device,
                     const LoraConfig& config) {
  for (const auto& [name, parameter] : model.parameters()) parameter->set_requires_gradient(false);
  for (const auto& [name, layer] : layers) {
    if (std::find(config.targets.begin(), config.targets.end(), name) == config.targets.end()) continue;
    layer->add_adapter(device, config);
  }
}

/// What all families repeat: attention and a layer, each behind a norm and added to what came in.
class TransformerBlock : public Module {
 public:
  TensorPtr operator()(const std::string& place, const TensorPtr& x, const TensorPtr& mask) const;
  /// Its layers, by the names that adapters ask for.
  virtual void collect(NamedProjections& layers) = 0;

 private:
  virtual TensorPtr norm_for_attention(const TensorPtr& x) const = 0;
  virtual TensorPtr attention_of(const TensorPtr& x, const TensorPtr& mask) const = 0;
  virtual TensorPtr norm_for_mlp(const TensorPtr& x) const = 0;
  virtual TensorPtr mlp_of(const TensorPtr& x) const = 0;

  TensorPtr attend_at(const std::string& place, const TensorPtr& x, const TensorPtr& mask) const;
  TensorPtr mix_at(const std::string& place, const TensorPtr& x) const;
};

using TransformerBlocks = std::vector<std::unique_ptr<TransformerBlock>>;

TensorPtr TransformerBlock::operator()(const std::string& place, const TensorPtr& x,
                                       const TensorPtr& mask) const {
  const sim::ModuleScope block(place);
  // A tensor is dropped where the next one replaces it, as in tt-train.
  TensorPtr attended = norm_for_attention(x);
  attended = attend_at(place, attended, mask);
  attended = add(attended, x);
  TensorPtr mixed = norm_for_mlp(attended);
  mixed = mix_at(place, mixed);
  return add(mixed, attended);
}

TensorPtr TransformerBlock::attend_at(const std::string& place, const TensorPtr& x,
                                      const TensorPtr& mask) const {
  const sim::ModuleScope part(place + ".attention");
  return attention_of(x, mask);
}

TensorPtr TransformerBlock::mix_at(const std::string& place, const TensorPtr& x) const {
  const sim::ModuleScope part(place + ".mlp");
  return mlp_of(x);
}

/// Through one block after the other; with `recomputes` only their inputs are kept for the backward pass.
TensorPtr run_blocks(const TransformerBlocks& blocks, TensorPtr x, const TensorPtr& mask, bool recomputes) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto forward = [&block = *blocks[i], place = "layers." + std::to_string(i),
                          mask](const TensorPtr& input) { return block(place, input, mask); };
    x = recomputes ? recompute(forward, x) : forward(x);
  }
  return x;
}

/// The layers of all of them.
NamedProjections layers_of(const TransformerBlocks& blocks) {
  NamedProjections layers;
  for (const auto& block : blocks) block->collect(layers);
  return layers;
}

/// Grouped queries with rotary positions.
class GroupedAttention : public Module {
 public:
  GroupedAttention(const sim::Device& device, const ModelConfig& config, const RotaryTables& tables);
  TensorPtr operator()(const TensorPtr& x, const TensorPtr& mask) const;
  void collect(NamedProjections& layers);

 private:
  ModelConfig config_;
  RotaryTables tables_;
  Projection query_;
  Projection key_value_;
  Projection out_;
  std::unique_ptr<RmsNorm> query_norm_;  ///< null but where heads are normalized
  std::unique_ptr<RmsNorm> key_norm_;
};

/// Gated SiLU.
class GatedLayer : public Module {
 public:
  GatedLayer(const sim::Device& device, const ModelConfig& config);
  TensorPtr operator()(const TensorPtr& x) const;
  void collect(NamedProjections& layers);

 private:
  bool is_fused() const;

  ModelConfig config_;
  Projection gate_;
  Projection up_;
  Projection down_;
};

/// The table of tokens, whole or the part of this chip.
class TokenTable : public Module {
 public:
  /// `tied`: null, or the weight that it shares.
  TokenTable(const sim::Device& device, const ModelConfig& config, const TensorPtr& tied);
  TensorPtr operator()(const TensorPtr& tokens) const;

 private:
  ModelConfig config_;
  TensorPtr weight_;
};

ProjectionSize to_parts(const ModelConfig& config, std::uint32_t inputs, std::uint32_t outputs) {
  return {inputs, outputs, false, config.tensor_parallel > 1 ? Split::kOutputs : Split::kNone,
          config.tensor_parallel};
}

ProjectionSize from_parts(const ModelConfig& config, std::uint32_t inputs, std::uint32_t outputs) {
  return {inputs, outputs, false, config.tensor_parallel > 1 ? Split::kInputs : Split::kNone,
          config.tensor_parallel};
}

std::uint32_t key_value_width(const ModelConfig& config) { return 2 * config.groups * config.head_width(); }

ProjectionSize of_attention(const ModelConfig& config, ProjectionSize size) {
  size.has_bias = config.attention_bias;
  return size;
}

TensorPtr table_of(const sim::Device& device, const ModelConfig& config) {
  std::uint32_t rows = config.padded_vocabulary();
  std::uint32_t columns = config.width;
  if (config.embedding == EmbeddingPlacement::kVocabularyParts) rows /= config.tensor_parallel;
  if (config.embedding == EmbeddingPlacement::kFeatureParts) columns /= config.tensor_parallel;
  return random_parameter(device, {1, 1, rows, columns});
}

GroupedAttention::GroupedAttention(const sim::Device& device, const ModelConfig& config,
                                   const RotaryTables& tables)
    : config_(config),
      tables_(tables),
      query_(device,
             of_attention(config, to_parts(config, config.width, config.heads * config.head_width()))),
      key_value_(device, of_attention(config, to_parts(config, config.width, key_value_width(config)))),
      out_(device,
           of_attention(config, from_parts(config, config.heads * config.head_width(), config.width))) {
  register_module("q_linear", query_);
  register_module("kv_linear", key_value_);
  register_module("out_linear", out_);
  if (!config.head_norms) return;
  query_norm_ = std::make_unique<RmsNorm>(device, config.head_width());
  key_norm_ = std::make_unique<RmsNorm>(device, config.head_width());
  register_module("q_norm", *query_norm_);
  register_module("k_norm", *key_norm_);
}

TensorPtr GroupedAttention::operator()(const TensorPtr& x, const TensorPtr& mask) const {
  const TensorPtr query = query_(x);
  const TensorPtr key_value = key_value_(x);
  HeadTensors heads = create_heads(query, key_value, config_.heads / config_.tensor_parallel,
                                   config_.groups / config_.tensor_parallel);
  if (query_norm_) heads.query = (*query_norm_)(heads.query);
  if (key_norm_) heads.key = (*key_norm_)(heads.key);
  heads.query = rotary_embedding(heads.query, tables_);
  heads.key = rotary_embedding(heads.key, tables_);
  const TensorPtr mixed = attend(config_, heads, mask);
  return dropout(out_(mixed), config_.dropout);
}

void GroupedAttention::collect(NamedProjections& layers) {
  layers.insert(layers.end(), {{"q_linear", &query_}, {"kv_linear", &key_value_}, {"out_linear", &out_}});
}

GatedLayer::GatedLayer(const sim::Device& device, const ModelConfig& config)
    : config_(config),
      gate_(device, to_parts(config, config.width, config.hidden_width())),
      up_(device, to_parts(config, config.width, config.hidden_width())),
      down_(device, from_parts(config, config.hidden_width(), config.width)) {
  register_module("w1", gate_);
  register_module("w3", up_);
  register_module("w2", down_);
}

bool GatedLayer::is_fused() const {
  const bool adapted = gate_.has_adapter() || up_.has_adapter() || down_.has_adapter();
  return config_.tensor_parallel == 1 && !config_.composite && !adapted;
}

TensorPtr GatedLayer::operator()(const TensorPtr& x) const {
  if (is_fused()) return swiglu(x, gate_.weight(), down_.weight(), up_.weight(), config_.dropout);
  const TensorPtr gate = silu(gate_(x));
  const TensorPtr up = up_(x);
  TensorPtr gated = multiply(gate, up);
  gated = down_(gated);
  return dropout(gated, config_.dropout);
}

void GatedLayer::collect(NamedProjections& layers) {
  layers.insert(layers.end(), {{"w1", &gate_}, {"w3", &up_}, {"w2", &down_}});
}

TokenTable::TokenTable(const sim::Device& device, const ModelConfig& config, const TensorPtr& tied)
    : config_(config), weight_(tied ? tied : table_of(device, config)) {
  if (!tied) register_parameter("weight", weight_);
}

TensorPtr TokenTable::operator()(const TensorPtr& tokens) const {
  TensorPtr found = embedding(tokens, weight_);
  const std::uint32_t chips = config_.tensor_parallel;
  if (chips > 1 && config_.embedding == EmbeddingPlacement::kVocabularyParts) return all_reduce(found, chips);
  if (chips > 1 && config_.embedding == EmbeddingPlacement::kFeatureParts) return all_gather(found, 3, chips);
  return found;
}

using sim::Device;

class GptBlock : public TransformerBlock {
 public:
  GptBlock(const Device& device, const ModelConfig& config)
      : config_(config),
        attention_norm_(device, config.width),
        mlp_norm_(device, config.width),
        query_key_value_(device, {config.width, 3 * config.width, true}),
        out_(device, {config.width, config.width, true}),
        up_(device, {config.width, config.hidden_width(), true}),
        down_(device, {config.hidden_width(), config.width, true}) {
    register_module("ln1", attention_norm_);
    register_module("ln2", mlp_norm_);
    register_module("attention.qkv_linear", query_key_value_);
    register_module("attention.out_linear", out_);
    register_module("mlp.fc1", up_);
    register_module("mlp.fc2", down_);
  }

  void collect(NamedProjections& layers) override {
    layers.insert(layers.end(),
                  {{"qkv_linear", &query_key_value_}, {"out_linear", &out_}, {"fc1", &up_}, {"fc2", &down_}});
  }

 private:
  TensorPtr norm_for_attention(const TensorPtr& x) const override { return attention_norm_(x); }
  TensorPtr norm_for_mlp(const TensorPtr& x) const override { return mlp_norm_(x); }

  TensorPtr attention_of(const TensorPtr& x, const TensorPtr& mask) const override {
    const HeadTensors heads = create_heads(query_key_value_(x), config_.heads);
    const TensorPtr mixed = attend(config_, heads, mask);
    return dropout(out_(mixed), config_.dropout);
  }

  TensorPtr mlp_of(const TensorPtr& x) const override {
    TensorPtr hidden = up_(x);
    hidden = gelu(hidden);
    hidden = down_(hidden);
    return dropout(hidden, config_.dropout);
  }

  ModelConfig config_;
  LayerNorm attention_norm_;
  LayerNorm mlp_norm_;
  Projection query_key_value_;
  Projection out_;
  Projection up_;
  Projection down_;
};

class Gpt : public LanguageModel {
 public:
  Gpt(const Device& device, const ModelConfig& config)
      : config_(config),
        out_(device, {config.width, config.padded_vocabulary()}),
        embedding_(config.tied_weights ? Embedding(out_.weight())
                                       : Embedding(device, config.padded_vocabulary(), config.width)) {
    register_module("fc", out_);
    if (!config.tied_weights) register_module("tok_emb", embedding_);
    make_positions(device);
    for (std::uint32_t i = 0; i < config.blocks; ++i) {
      blocks_.push_back(std::make_unique<GptBlock>(device, config));
      register_module("layers." + std::to_string(i), *blocks_.back());
    }
    norm_ = std::make_unique<LayerNorm>(device, config.width);
    register_module("ln_fc", *norm_);
  }

  TensorPtr operator()(const TensorPtr& tokens, const TensorPtr& mask) const override {
    const TensorPtr x = run_blocks(blocks_, embed(tokens), mask, config_.recompute);
    const sim::ModuleScope part("fc");
    return out_((*norm_)(x));
  }

  void add_adapters(const Device& device, const LoraConfig& config) override {
    add_adapters_to(*this, layers_of(blocks_), device, config);
  }

 private:
  void make_positions(const Device& device) {
    const sim::Shape shape{1, 1, config_.sequence_length, config_.width};
    if (config_.fixed_positions) {
      positions_ = make_tensor(sim::from_host(device, {.shape = shape, .memory = {}}), false);
      return;
    }
    positions_ = random_parameter(device, shape);
    register_parameter("pos_emb/weight", positions_);
  }

  TensorPtr embed(const TensorPtr& tokens) const {
    const sim::ModuleScope part("tok_emb");
    return dropout(add(embedding_(tokens), positions_), config_.dropout);
  }

  ModelConfig config_;
  Projection out_;
  Embedding embedding_;
  TensorPtr positions_;
  TransformerBlocks blocks_;
  std::unique_ptr<LayerNorm> norm_;
};

std::unique_ptr<LanguageModel> make_gpt(const Device& device, const ModelConfig& config) {
  return std::make_unique<Gpt>(device, config);
}

class LlamaBlock : public TransformerBlock {
 public:
  LlamaBlock(const Device& device, const ModelConfig& config, const RotaryTables& tables)
      : mlp_(device, config),
        attention_norm_(device, config.width),
        mlp_norm_(device, config.width),
        attention_(device, config, tables) {
    register_module("mlp", mlp_);
    register_module("attention_norm", attention_norm_);
    register_module("mlp_norm", mlp_norm_);
    register_module("attention", attention_);
  }

  void collect(NamedProjections& layers) override {
    attention_.collect(layers);
    mlp_.collect(layers);
  }

 private:
  TensorPtr norm_for_attention(const TensorPtr& x) const override { return attention_norm_(x); }
  TensorPtr norm_for_mlp(const TensorPtr& x) const override { return mlp_norm_(x); }
  TensorPtr attention_of(const TensorPtr& x, const TensorPtr& mask) const override {
    return attention_(x, mask);
  }
  TensorPtr mlp_of(const TensorPtr& x) const override { return mlp_(x); }

  GatedLayer mlp_;
  RmsNorm attention_norm_;
  RmsNorm mlp_norm_;
  GroupedAttention attention_;
};

ProjectionSize size_of_last(const ModelConfig& config) {
  return {config.width, config.padded_vocabulary(), false,
          config.tensor_parallel > 1 ? Split::kOutputs : Split::kNone, config.tensor_parallel};
}

class Llama : public LanguageModel {
 public:
  Llama(const Device& device, const ModelConfig& config)
      : recompute_(config.recompute),
        out_(device, size_of_last(config)),
        tokens_(device, config, config.tied_weights ? out_.weight() : nullptr) {
    register_module("fc", out_);
    register_module("tok_emb", tokens_);
    const RotaryTables tables = make_rotary_tables(device, config.sequence_length, config.head_width());
    for (std::uint32_t i = 0; i < config.blocks; ++i) {
      blocks_.push_back(std::make_unique<LlamaBlock>(device, config, tables));
      register_module("layers." + std::to_string(i), *blocks_.back());
    }
    norm_ = std::make_unique<RmsNorm>(device, config.width);
    register_module("ln_fc", *norm_);
  }

  TensorPtr operator()(const TensorPtr& tokens, const TensorPtr& mask) const override {
    const TensorPtr x = run_blocks(blocks_, embed(tokens), mask, recompute_);
    const sim::ModuleScope part("fc");
    return out_((*norm_)(x));
  }

  void add_adapters(const Device& device, const LoraConfig& config) override {
    add_adapters_to(*this, layers_of(blocks_), device, config);
  }

 private:
  TensorPtr embed(const TensorPtr& tokens) const {
    const sim::ModuleScope part("tok_emb");
    return tokens_(tokens);
  }

  bool recompute_;
  Projection out_;
  TokenTable tokens_;
  TransformerBlocks blocks_;
  std::unique_ptr<RmsNorm> norm_;
};

std::unique_ptr<LanguageModel> make_llama(const Device& device, const ModelConfig& config) {
  return std::make_unique<Llama>(device, config);
}

}  // namespace

}  // namespace ttscope::train
