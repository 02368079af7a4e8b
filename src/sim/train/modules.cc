// Its header is public: include/ttscope.
#include <ttscope/modules.h>
#include <ttscope/ops.h>

namespace ttscope::train {
namespace {

TensorPtr constant_parameter(const sim::Device& device, const sim::Shape& shape) {
  return make_tensor(sim::full(device, {.shape = shape, .memory = {}}));
}

}  // namespace

NamedTensors Module::parameters() const {
  NamedTensors all = own_;
  for (const auto& [name, module] : inner_) {
    const std::string place = name + "/";
    for (const auto& [inner_name, parameter] : module->parameters()) all[place + inner_name] = parameter;
  }
  return all;
}

std::uint64_t Module::parameter_count() const {
  std::uint64_t count = 0;
  for (const auto& [name, parameter] : parameters()) count += parameter->shape().volume();
  return count;
}

TensorPtr random_parameter(const sim::Device& device, const sim::Shape& shape) {
  return make_tensor(sim::from_host(device, {.shape = shape, .memory = {}}));
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

void Optimizer::zero_grad() {
  for (const auto& [name, parameter] : parameters_) parameter->clear_grad();
}

void Optimizer::step() {
  for (const auto& [name, parameter] : parameters_) {
    if (parameter->has_grad()) update(name, *parameter);
  }
}

void Sgd::update(const std::string&, const Tensor& parameter) {
  sim::sgd_step(parameter.value(), parameter.grad());
}

AdamW::AdamW(const NamedTensors& parameters) : Optimizer(parameters) {
  for (const auto& [name, parameter] : parameters) {
    moments_[name] = {sim::full_like(parameter->value()), sim::full_like(parameter->value())};
  }
}

void AdamW::update(const std::string& name, const Tensor& parameter) {
  const Moments& moments = moments_.at(name);
  sim::adamw_step(parameter.value(), parameter.grad(), moments.first, moments.second);
}

}  // namespace ttscope::train
