#pragma once

#include <memory>

#include <ttscope/models.h>
#include "sim/models/projection.h"

namespace ttscope::train {

/// Learned positions, layer norm, GELU.
std::unique_ptr<LanguageModel> make_gpt(const sim::Device& device, const ModelConfig& config);
/// Rotary positions, RMS norm, grouped queries, gated SiLU.
std::unique_ptr<LanguageModel> make_llama(const sim::Device& device, const ModelConfig& config);

/// Attention of the kind that the configuration asks for.
TensorPtr attend(const ModelConfig& config, const HeadTensors& heads, const TensorPtr& mask);

/// Freezes everything and adds adapters where the last part of a layer's name is among the targets.
void add_adapters_to(const Module& model, const NamedProjections& layers, const sim::Device& device,
                     const LoraConfig& config);

}  // namespace ttscope::train
