#include "sim/models/llama_layers.h"

namespace ttscope::train {
namespace {

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

}  // namespace

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

}  // namespace ttscope::train
