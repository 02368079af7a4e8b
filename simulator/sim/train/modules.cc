#include <ttscope/memory_owner.h>
#include <ttscope/modules.h>
#include <ttscope/ops.h>

#include <algorithm>
#include <set>

namespace ttscope::train {
namespace {

// Its header is public: include/ttscope.

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

namespace {

bool is_adam(OptimizerKind kind) {
  return kind != OptimizerKind::kSgd && kind != OptimizerKind::kNone && kind != OptimizerKind::kMuon;
}

/// Each parameter once: tied weights have two names.
NamedTensors distinct(const NamedTensors& parameters) {
  NamedTensors found;
  std::set<const Tensor*> seen;
  for (const auto& [name, parameter] : parameters) {
    if (seen.insert(parameter.get()).second) found[name] = parameter;
  }
  return found;
}

/// A moment as elementwise operations make it: the old one, two products and the new one exist at once.
void step_moment(sim::Tensor& moment, const sim::Tensor& gradient, float beta) {
  const sim::Tensor kept = sim::multiply(moment, beta);
  const sim::Tensor added = sim::multiply(gradient, 1.0F - beta);
  moment = sim::add(kept, added);
}

void composite_step(Tensor& parameter, std::vector<sim::Tensor>& states) {
  const sim::MemoryOwner owner = *sim::owner_of(parameter.value());
  const sim::OwnerScope moment(sim::MemoryKind::kMoment, owner.name);
  step_moment(states[0], parameter.grad(), 0.9F);
  step_moment(states[1], sim::unary("square", parameter.grad()), 0.999F);
  const sim::Tensor denominator = sim::unary("sqrt", states[1]);
  const sim::Tensor change = sim::binary("divide", states[0], denominator);
  parameter.set_value(sim::binary("subtract", parameter.value(), change));
  sim::set_owner(parameter.value(), owner);
}

void full_precision_step(Tensor& parameter, const std::vector<sim::Tensor>& states) {
  const sim::MemoryOwner owner = *sim::owner_of(parameter.value());
  const std::vector<sim::Tensor> moments(states.begin() + 1, states.end());
  sim::optimizer_step("AdamWDeviceOperation", states[0], parameter.grad(), moments);
  parameter.set_value(sim::typecast(states[0], parameter.value().dtype()));
  sim::set_owner(parameter.value(), owner);
}

/// The update of Muon. Its matrices are made once and then changed in place, so that one step of the
/// iteration stands for all; what it began with is there until it ends.
sim::Tensor orthogonal(const sim::Tensor& momentum, bool iterates) {
  const sim::Tensor squares = sim::unary("square", momentum);
  const sim::Tensor sums = sim::sum(squares, {-2, -1});
  const sim::Tensor norm = sim::unary("sqrt", sums);
  const sim::Tensor divisor = sim::binary_scalar("add", norm, 1e-7F);
  sim::Tensor x = sim::binary("divide", momentum, divisor);
  if (!iterates) return x;
  const bool is_tall = x.shape()[-2] > x.shape()[-1];
  if (is_tall) x = sim::transpose(x);
  sim::MatmulOptions by_transposed;
  by_transposed.transpose_b = true;
  const sim::Tensor products = sim::matmul(x, x, by_transposed);
  const sim::Tensor squared = sim::matmul(products, products);
  sim::add_in_place(products, squared);
  const sim::Tensor change = sim::matmul(products, x);
  sim::add_in_place(x, change);
  if (is_tall) x = sim::transpose(x);
  return x;
}

void muon_step(Tensor& parameter, sim::Tensor& momentum, const OptimizerConfig& config, bool is_first) {
  const sim::MemoryOwner owner = *sim::owner_of(parameter.value());
  const sim::OwnerScope moment(sim::MemoryKind::kMoment, owner.name);
  sim::Tensor next = parameter.grad();
  if (!is_first) {
    next = sim::multiply(momentum, 0.95F);
    next = sim::add(next, parameter.grad());
  }
  momentum = next;
  const sim::Tensor update = orthogonal(momentum, config.newton_schulz);
  parameter.set_value(sim::binary("subtract", parameter.value(), sim::multiply(update, 0.02F)));
  sim::set_owner(parameter.value(), owner);
}

std::vector<sim::Tensor> make_states(const std::string& name, const sim::Tensor& value,
                                     const OptimizerStates& form) {
  const sim::OwnerScope moment(sim::MemoryKind::kMoment, name);
  std::vector<sim::Tensor> states;
  sim::TensorSpec spec = value.spec();
  spec.dtype = form.dtype;
  if (form.master_weights) states.push_back(sim::typecast(value, form.dtype));
  while (states.size() < form.count) states.push_back(sim::full(value.device(), spec));
  return states;
}

}  // namespace

OptimizerStates states_of(const OptimizerConfig& config) {
  OptimizerStates states;
  if (config.kind == OptimizerKind::kSgd) states.count = config.momentum > 0 ? 1 : 0;
  if (config.kind == OptimizerKind::kMuon) states.count = 1;
  if (is_adam(config.kind)) states.count = config.amsgrad ? 3 : 2;
  if (config.kind == OptimizerKind::kAdamWComposite && config.kahan_summation) ++states.count;
  if (config.kind == OptimizerKind::kAdamWFullPrecision) {
    states.dtype = sim::DataType::kFloat32;
    states.master_weights = true;
    ++states.count;
  }
  return states;
}

std::unique_ptr<Optimizer> make_optimizer(const OptimizerConfig& config, const NamedTensors& parameters) {
  return std::make_unique<StatefulOptimizer>(parameters, config);
}

void Optimizer::zero_grad() {
  for (const auto& [name, parameter] : parameters_) {
    if (parameter->has_grad()) clear_grad(*parameter);
  }
}

void Optimizer::step() {
  for (const auto& [name, parameter] : parameters_) {
    if (parameter->has_grad()) update(name, *parameter);
  }
}

StatefulOptimizer::StatefulOptimizer(const NamedTensors& parameters, const OptimizerConfig& config)
    : Optimizer(distinct(parameters)), config_(config) {
  const OptimizerStates form = states_of(config);
  const OptimizerStates of_muon = states_of({OptimizerKind::kMuon});
  for (const auto& [name, parameter] : distinct(parameters)) {
    if (!parameter->requires_gradient()) continue;
    const bool muon = is_by_muon(name);
    if (muon) by_muon_.insert(parameter.get());
    states_[name] = make_states(name, parameter->value(), muon ? of_muon : form);
  }
}

bool StatefulOptimizer::is_by_muon(const std::string& name) const {
  if (config_.kind != OptimizerKind::kMuonWithAdamW) return config_.kind == OptimizerKind::kMuon;
  if (!name.ends_with("/weight")) return false;
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of("/.", at), name.size());
    const std::string part = name.substr(at, end - at);
    const auto& others = config_.adamw_modules;
    if (std::find(others.begin(), others.end(), part) != others.end()) return false;
    at = end + 1;
  }
  return true;
}

void StatefulOptimizer::clear_grad(Tensor& parameter) {
  const bool zeros = config_.kind == OptimizerKind::kSgd ||
                     config_.kind == OptimizerKind::kAdamWFullPrecision || by_muon_.contains(&parameter);
  if (!zeros) return parameter.clear_grad();
  parameter.set_grad(sim::full_like(parameter.value()));
}

void StatefulOptimizer::update(const std::string& name, Tensor& parameter) {
  const auto found = states_.find(name);
  if (found == states_.end()) return;
  std::vector<sim::Tensor>& states = found->second;
  if (by_muon_.contains(&parameter))
    return muon_step(parameter, states[0], config_, stepped_.insert(name).second);
  switch (config_.kind) {
    case OptimizerKind::kAdamWFullPrecision:
      return full_precision_step(parameter, states);
    case OptimizerKind::kAdamWComposite:
      return composite_step(parameter, states);
    case OptimizerKind::kAdamW:
    case OptimizerKind::kMuonWithAdamW:
      return sim::optimizer_step("AdamWDeviceOperation", parameter.value(), parameter.grad(), states);
    case OptimizerKind::kMorehAdamW:
      return sim::optimizer_step("MorehAdamWDeviceOperation", parameter.value(), parameter.grad(), states);
    case OptimizerKind::kSgd:
      return sim::optimizer_step("SGDDeviceOperation", parameter.value(), parameter.grad(), states);
    case OptimizerKind::kMuon:
    case OptimizerKind::kNone:
      return;
  }
}

}  // namespace ttscope::train
