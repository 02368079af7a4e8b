// make_llama() of families.h: the families of models share a header, so that nobody names one by its class.
#include <ttscope/memory_owner.h>

#include "sim/models/llama_layers.h"
#include "sim/models/transformer_block.h"

namespace ttscope::train {
namespace {

using sim::Device;

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

}  // namespace

std::unique_ptr<LanguageModel> make_llama(const Device& device, const ModelConfig& config) {
  return std::make_unique<Llama>(device, config);
}

}  // namespace ttscope::train
