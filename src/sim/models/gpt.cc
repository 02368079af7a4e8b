// make_gpt() of families.h: the families of models share a header, so that nobody names one by its class.
#include <ttscope/memory_owner.h>
#include <ttscope/ops.h>

#include "sim/models/families.h"
#include "sim/models/transformer_block.h"

namespace ttscope::train {
namespace {

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

}  // namespace

std::unique_ptr<LanguageModel> make_gpt(const Device& device, const ModelConfig& config) {
  return std::make_unique<Gpt>(device, config);
}

}  // namespace ttscope::train
