// Its header is public: include/ttscope.
#include <ttscope/memory_owner.h>
#include <ttscope/modules.h>
#include <ttscope/ops.h>

#include <set>

namespace ttscope::train {
namespace {

TensorPtr constant_parameter(const sim::Device& device, const sim::Shape& shape) {
  const sim::OwnerScope weight(sim::MemoryKind::kWeight);
  return make_tensor(sim::full(device, {.shape = shape, .memory = {}}));
}

}  // namespace

std::string joined_name(const std::string& module, const std::string& inner) {
  return module + (inner.find('/') == std::string::npos ? "/" : ".") + inner;
}

void Module::register_parameter(const std::string& name, const TensorPtr& parameter) {
  own_[name] = parameter;
  sim::set_owner(parameter->value(), {sim::MemoryKind::kWeight, name});
}

void Module::register_module(const std::string& name, const Module& module) {
  inner_[name] = &module;
  for (const auto& [inner_name, parameter] : module.parameters()) {
    sim::set_owner(parameter->value(), {sim::MemoryKind::kWeight, joined_name(name, inner_name)});
  }
}

NamedTensors Module::parameters() const {
  NamedTensors all = own_;
  for (const auto& [name, module] : inner_) {
    for (const auto& [inner_name, parameter] : module->parameters())
      all[joined_name(name, inner_name)] = parameter;
  }
  return all;
}

std::uint64_t Module::parameter_count() const {
  std::uint64_t count = 0;
  std::set<const Tensor*> counted;  // tied weights have two names
  for (const auto& [name, parameter] : parameters()) {
    if (counted.insert(parameter.get()).second) count += parameter->shape().volume();
  }
  return count;
}

TensorPtr random_parameter(const sim::Device& device, const sim::Shape& shape) {
  const sim::OwnerScope weight(sim::MemoryKind::kWeight);
  const sim::Tensor rows =
      sim::from_host(device, {.shape = shape, .layout = sim::Layout::kRowMajor, .memory = {}});
  return make_tensor(sim::to_layout(rows, sim::Layout::kTile));
}

Linear::Linear(const sim::Device& device, std::uint32_t inputs, std::uint32_t outputs, bool has_bias)
    : weight_(random_parameter(device, {1, 1, outputs, inputs})) {
  register_parameter("weight", weight_);
  if (!has_bias) return;
  bias_ = random_parameter(device, {1, 1, 1, outputs});
  register_parameter("bias", bias_);
}

Embedding::Embedding(const sim::Device& device, std::uint32_t entries, std::uint32_t width)
    : weight_(random_parameter(device, {1, 1, entries, width})) {
  register_parameter("weight", weight_);
}

LayerNorm::LayerNorm(const sim::Device& device, std::uint32_t width)
    : gamma_(constant_parameter(device, {1, 1, 1, width})),
      beta_(constant_parameter(device, {1, 1, 1, width})) {
  register_parameter("gamma", gamma_);
  register_parameter("beta", beta_);
}

RmsNorm::RmsNorm(const sim::Device& device, std::uint32_t width)
    : gamma_(constant_parameter(device, {1, 1, 1, width})) {
  register_parameter("gamma", gamma_);
}

}  // namespace ttscope::train
