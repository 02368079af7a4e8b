#include "sim/models/projection.h"

namespace ttscope::train {

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

}  // namespace ttscope::train
