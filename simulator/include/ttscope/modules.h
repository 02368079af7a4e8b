#pragma once

// Layers and optimizers for training loops on simulated tensors.

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <ttscope/autograd.h>

namespace ttscope::train {

using NamedTensors = std::map<std::string, TensorPtr>;

/// Parameters by name, also those of inner modules: `layers.0.mlp.w1/weight`. Modules are joined by dots, the
/// parameter follows after a slash. Captures know the memory by these names. Not copied: layers are shared.
class Module {
 public:
  virtual ~Module() = default;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  NamedTensors parameters() const;
  /// Values of all parameters, without padding.
  std::uint64_t parameter_count() const;

 protected:
  Module() = default;
  void register_parameter(const std::string& name, const TensorPtr& parameter);
  /// `module` must be complete: the memory of its parameters gets its longer name here.
  void register_module(const std::string& name, const Module& module);

 private:
  NamedTensors own_;
  std::map<std::string, const Module*> inner_;
};

/// The name of what `inner` names, seen from outside: `mlp` and `w1/weight` are `mlp.w1/weight`.
std::string joined_name(const std::string& module, const std::string& inner);

/// Weights are bfloat16 tiles in DRAM. `random_parameter` brings rows from the host and makes tiles of them
/// on the device, as tt-train does: for a moment the weight is there twice.
TensorPtr random_parameter(const sim::Device& device, const sim::Shape& shape);

class Linear : public Module {
 public:
  Linear(const sim::Device& device, std::uint32_t inputs, std::uint32_t outputs, bool has_bias = true);
  TensorPtr operator()(const TensorPtr& x) const { return linear(x, weight_, bias_); }
  const TensorPtr& weight() const { return weight_; }

 private:
  TensorPtr weight_;
  TensorPtr bias_;
};

class Embedding : public Module {
 public:
  Embedding(const sim::Device& device, std::uint32_t entries, std::uint32_t width);
  /// With a table that another layer has: tied weights.
  explicit Embedding(TensorPtr weight) : weight_(std::move(weight)) {}
  TensorPtr operator()(const TensorPtr& tokens) const { return embedding(tokens, weight_); }

 private:
  TensorPtr weight_;
};

class LayerNorm : public Module {
 public:
  LayerNorm(const sim::Device& device, std::uint32_t width);
  TensorPtr operator()(const TensorPtr& x) const { return layer_norm(x, gamma_, beta_); }

 private:
  TensorPtr gamma_;
  TensorPtr beta_;
};

class RmsNorm : public Module {
 public:
  RmsNorm(const sim::Device& device, std::uint32_t width);
  TensorPtr operator()(const TensorPtr& x) const { return rms_norm(x, gamma_); }

 private:
  TensorPtr gamma_;
};

/// Common to the optimizers: states for each parameter that requires a gradient.
class Optimizer {
 public:
  explicit Optimizer(NamedTensors parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  /// Frees the gradients, or makes zeros of them: as tt-train's optimizer of that kind does it.
  void zero_grad();
  /// Parameters without a gradient are left alone.
  void step();

 protected:
  virtual void update(const std::string& name, Tensor& parameter) = 0;
  virtual void clear_grad(Tensor& parameter) { parameter.clear_grad(); }

 private:
  NamedTensors parameters_;
};

enum class OptimizerKind : std::uint8_t {
  kAdamW,               ///< moments of the parameters' type; one fused step in place
  kAdamWFullPrecision,  ///< float32 moments and master weights; the parameter is made anew of them
  kAdamWComposite,      ///< bfloat16 moments; the step is made of elementwise operations
  kMorehAdamW,          ///< bfloat16 moments; one step in place
  kSgd,                 ///< momentum, if it is above 0
  kNone,                ///< no states, no updates
  kMuon,                ///< one momentum for each parameter; each step makes matrices of its own
  kMuonWithAdamW,       ///< Muon for weights of layers, kAdamW for the rest
};

struct OptimizerConfig {
  OptimizerKind kind = OptimizerKind::kAdamW;
  bool amsgrad = false;          ///< a third moment (AdamW of all kinds)
  bool kahan_summation = false;  ///< a compensation for each value (kAdamWComposite)
  float momentum = 0;            ///< kSgd
  bool newton_schulz = true;     ///< kMuon: steps that make the update orthogonal; none without
  /// kMuonWithAdamW: modules whose weights are left to AdamW.
  std::vector<std::string> adamw_modules = {"tok_emb", "pos_emb", "fc", "kv_linear", "qkv_linear"};
};

/// How many states of which type an optimizer keeps for each parameter.
struct OptimizerStates {
  std::uint32_t count = 0;
  sim::DataType dtype = sim::DataType::kBfloat16;
  bool master_weights = false;  ///< the first of them is made from the parameter
};
OptimizerStates states_of(const OptimizerConfig& config);

std::unique_ptr<Optimizer> make_optimizer(const OptimizerConfig& config, const NamedTensors& parameters);

/// One that keeps states, as its configuration says.
class StatefulOptimizer : public Optimizer {
 public:
  StatefulOptimizer(const NamedTensors& parameters, const OptimizerConfig& config);

 protected:
  void update(const std::string& name, Tensor& parameter) override;
  void clear_grad(Tensor& parameter) override;

 private:
  bool is_by_muon(const std::string& name) const;

  OptimizerConfig config_;
  std::map<std::string, std::vector<sim::Tensor>> states_;
  std::set<const Tensor*> by_muon_;
  std::set<std::string> stepped_;  ///< of Muon: its first step takes the gradient as its momentum
};

class AdamW : public StatefulOptimizer {
 public:
  explicit AdamW(const NamedTensors& parameters) : StatefulOptimizer(parameters, {}) {}
};

class Sgd : public StatefulOptimizer {
 public:
  explicit Sgd(const NamedTensors& parameters, float momentum = 0)
      : StatefulOptimizer(parameters, {OptimizerKind::kSgd, false, false, momentum}) {}
};

}  // namespace ttscope::train
