#include "sim/models/families.h"

#include <algorithm>
#include <stdexcept>

namespace ttscope::train {

std::unique_ptr<LanguageModel> make_model(const sim::Device& device, const ModelConfig& config) {
  if (const auto found = contradiction_in(config)) throw std::invalid_argument(found->text);
  return config.family == ModelFamily::kGpt ? make_gpt(device, config) : make_llama(device, config);
}

TensorPtr attend(const ModelConfig& config, const HeadTensors& heads, const TensorPtr& mask) {
  const auto kind = config.composite ? &attention_composite : &attention;
  return fuse_heads(kind(heads.query, heads.key, heads.value, mask));
}

void add_adapters_to(const Module& model, const NamedProjections& layers, const sim::Device& device,
                     const LoraConfig& config) {
  for (const auto& [name, parameter] : model.parameters()) parameter->set_requires_gradient(false);
  for (const auto& [name, layer] : layers) {
    if (std::find(config.targets.begin(), config.targets.end(), name) == config.targets.end()) continue;
    layer->add_adapter(device, config);
  }
}

}  // namespace ttscope::train
