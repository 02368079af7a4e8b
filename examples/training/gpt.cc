#include <ttscope/ops.h>

#include "models.h"

using ttscope::sim::Device;
using namespace ttscope::train;

namespace {

class Block : public Module {
 public:
  Block(const Device& device, const ModelConfig& config)
      : config_(config),
        attention_norm_(device, config.width),
        query_key_value_(device, config.width, 3 * config.width),
        out_(device, config.width, config.width),
        mlp_norm_(device, config.width),
        up_(device, config.width, 4 * config.width),
        down_(device, 4 * config.width, config.width) {
    register_module("ln1", attention_norm_);
    register_module("attention/qkv_linear", query_key_value_);
    register_module("attention/out_linear", out_);
    register_module("ln2", mlp_norm_);
    register_module("mlp/fc1", up_);
    register_module("mlp/fc2", down_);
  }

  TensorPtr operator()(const TensorPtr& x, const TensorPtr& mask) const {
    const TensorPtr attended = add(attend(attention_norm_(x), mask), x);
    const TensorPtr hidden = gelu(up_(mlp_norm_(attended)));
    return add(dropout(down_(hidden), config_.dropout), attended);
  }

 private:
  TensorPtr attend(const TensorPtr& x, const TensorPtr& mask) const {
    const HeadTensors heads = create_heads(query_key_value_(x), config_.heads);
    const TensorPtr mixed = fuse_heads(attention(heads.query, heads.key, heads.value, mask));
    return dropout(out_(mixed), config_.dropout);
  }

  ModelConfig config_;
  LayerNorm attention_norm_;
  Linear query_key_value_;
  Linear out_;
  LayerNorm mlp_norm_;
  Linear up_;
  Linear down_;
};

class Gpt : public LanguageModel {
 public:
  Gpt(const Device& device, const ModelConfig& config)
      : config_(config),
        embedding_(device, config.vocabulary, config.width),
        positions_(random_parameter(device, {1, 1, config.sequence_length, config.width})),
        norm_(device, config.width),
        out_(device, config.width, config.vocabulary, false) {
    register_module("tok_emb", embedding_);
    register_parameter("pos_emb/weight", positions_);
    for (std::uint32_t i = 0; i < config.blocks; ++i) {
      blocks_.push_back(std::make_unique<Block>(device, config));
      register_module("gpt_block_" + std::to_string(i), *blocks_.back());
    }
    register_module("ln_fc", norm_);
    register_module("fc", out_);
  }

  TensorPtr operator()(const TensorPtr& tokens, const TensorPtr& mask) const override {
    TensorPtr x = dropout(add(embedding_(tokens), positions_), config_.dropout);
    for (const auto& block : blocks_) {
      const auto forward = [&block = *block, mask](const TensorPtr& input) { return block(input, mask); };
      x = config_.recompute ? recompute(forward, x) : forward(x);
    }
    return out_(norm_(x));
  }

 private:
  ModelConfig config_;
  Embedding embedding_;
  TensorPtr positions_;
  std::vector<std::unique_ptr<Block>> blocks_;
  LayerNorm norm_;
  Linear out_;
};

}  // namespace

ModelConfig nano_gpt_config() {
  ModelConfig config;
  config.name = "nano-GPT";
  config.vocabulary = 96;  // characters, rounded up to whole tiles
  config.sequence_length = 256;
  config.width = 384;
  config.heads = 6;
  config.groups = 6;
  config.blocks = 6;
  config.dropout = 0.2F;
  return config;
}

std::unique_ptr<LanguageModel> make_gpt(const Device& device, const ModelConfig& config) {
  return std::make_unique<Gpt>(device, config);
}
