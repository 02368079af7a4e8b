#include <ttscope/ops.h>

#include "models.h"

using ttscope::sim::Device;
using namespace ttscope::train;

namespace {

/// Two thirds of four times the width, in whole steps of 256.
std::uint32_t hidden_width(std::uint32_t width) {
  const auto wanted = static_cast<std::uint32_t>(static_cast<float>(4 * width) * (2.0F / 3.0F));
  return (wanted + 255) / 256 * 256;
}

class Attention : public Module {
 public:
  Attention(const Device& device, const ModelConfig& config, const RotaryTables& tables)
      : config_(config),
        tables_(tables),
        query_(device, config.width, config.width, false),
        key_value_(device, config.width, 2 * config.groups * (config.width / config.heads), false),
        out_(device, config.width, config.width, false) {
    register_module("q_linear", query_);
    register_module("kv_linear", key_value_);
    register_module("out_linear", out_);
  }

  TensorPtr operator()(const TensorPtr& x, const TensorPtr& mask) const {
    const TensorPtr query = query_(x);
    const TensorPtr key_value = key_value_(x);
    HeadTensors heads = create_heads(query, key_value, config_.heads, config_.groups);
    heads.query = rotary_embedding(heads.query, tables_);
    heads.key = rotary_embedding(heads.key, tables_);
    const TensorPtr mixed = fuse_heads(attention(heads.query, heads.key, heads.value, mask));
    return dropout(out_(mixed), config_.dropout);
  }

 private:
  ModelConfig config_;
  RotaryTables tables_;
  Linear query_;
  Linear key_value_;
  Linear out_;
};

class Mlp : public Module {
 public:
  Mlp(const Device& device, const ModelConfig& config)
      : dropout_(config.dropout),
        gate_(device, config.width, hidden_width(config.width), false),
        up_(device, config.width, hidden_width(config.width), false),
        down_(device, hidden_width(config.width), config.width, false) {
    register_module("w1", gate_);
    register_module("w3", up_);
    register_module("w2", down_);
  }

  TensorPtr operator()(const TensorPtr& x) const {
    const TensorPtr gate = silu(gate_(x));
    const TensorPtr up = up_(x);
    return dropout(down_(multiply(gate, up)), dropout_);
  }

 private:
  float dropout_;
  Linear gate_;
  Linear up_;
  Linear down_;
};

class Block : public Module {
 public:
  Block(const Device& device, const ModelConfig& config, const RotaryTables& tables)
      : attention_norm_(device, config.width),
        attention_(device, config, tables),
        mlp_norm_(device, config.width),
        mlp_(device, config) {
    register_module("attention_norm", attention_norm_);
    register_module("attention", attention_);
    register_module("mlp_norm", mlp_norm_);
    register_module("mlp", mlp_);
  }

  TensorPtr operator()(const TensorPtr& x, const TensorPtr& mask) const {
    const TensorPtr attended = add(attention_(attention_norm_(x), mask), x);
    return add(mlp_(mlp_norm_(attended)), attended);
  }

 private:
  RmsNorm attention_norm_;
  Attention attention_;
  RmsNorm mlp_norm_;
  Mlp mlp_;
};

class Llama : public LanguageModel {
 public:
  Llama(const Device& device, const ModelConfig& config)
      : recompute_(config.recompute),
        embedding_(device, config.vocabulary, config.width),
        norm_(device, config.width),
        out_(device, config.width, config.vocabulary, false) {
    const RotaryTables tables =
        make_rotary_tables(device, config.sequence_length, config.width / config.heads);
    register_module("tok_emb", embedding_);
    for (std::uint32_t i = 0; i < config.blocks; ++i) {
      blocks_.push_back(std::make_unique<Block>(device, config, tables));
      register_module("llama_block_" + std::to_string(i), *blocks_.back());
    }
    register_module("ln_fc", norm_);
    register_module("fc", out_);
  }

  TensorPtr operator()(const TensorPtr& tokens, const TensorPtr& mask) const override {
    TensorPtr x = embedding_(tokens);
    for (const auto& block : blocks_) {
      const auto forward = [&block = *block, mask](const TensorPtr& input) { return block(input, mask); };
      x = recompute_ ? recompute(forward, x) : forward(x);
    }
    return out_(norm_(x));
  }

 private:
  bool recompute_;
  Embedding embedding_;
  std::vector<std::unique_ptr<Block>> blocks_;
  RmsNorm norm_;
  Linear out_;
};

}  // namespace

ModelConfig tiny_llama_config() {
  ModelConfig config;
  config.name = "TinyLlama";
  config.vocabulary = 96;  // characters, rounded up to whole tiles
  config.sequence_length = 2048;
  config.width = 2048;
  config.heads = 32;
  config.groups = 4;
  config.blocks = 22;
  return config;
}

std::unique_ptr<LanguageModel> make_llama(const Device& device, const ModelConfig& config) {
  return std::make_unique<Llama>(device, config);
}
