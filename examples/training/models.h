#pragma once

#include <ttscope/modules.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// Sizes of a transformer, as the training configurations of tt-train give them.
struct ModelConfig {
  std::string name;
  std::uint32_t vocabulary = 0;
  std::uint32_t sequence_length = 0;
  std::uint32_t width = 0;
  std::uint32_t heads = 0;
  std::uint32_t groups = 0;  ///< heads of keys and values
  std::uint32_t blocks = 0;
  float dropout = 0;
  bool recompute = false;  ///< keep only the inputs of blocks, run each block again in the backward pass
};

/// Tokens to logits.
class LanguageModel : public ttscope::train::Module {
 public:
  virtual ttscope::train::TensorPtr operator()(const ttscope::train::TensorPtr& tokens,
                                               const ttscope::train::TensorPtr& mask) const = 0;
};

ModelConfig nano_gpt_config();
ModelConfig tiny_llama_config();

/// Learned positions, layer norm, GELU.
std::unique_ptr<LanguageModel> make_gpt(const ttscope::sim::Device& device, const ModelConfig& config);
/// Rotary positions, RMS norm, grouped queries, gated SiLU.
std::unique_ptr<LanguageModel> make_llama(const ttscope::sim::Device& device, const ModelConfig& config);
