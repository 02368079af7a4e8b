#pragma once

// Layers and optimizers for training loops on simulated tensors.

#include <map>
#include <string>
#include <vector>

#include <ttscope/autograd.h>

namespace ttscope::train {

using NamedTensors = std::map<std::string, TensorPtr>;

/// Parameters by name, also those of inner modules (`block_0/attention/query/weight`). Not copied: layers are
/// shared.
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
  void register_parameter(const std::string& name, const TensorPtr& parameter) { own_[name] = parameter; }
  void register_module(const std::string& name, const Module& module) { inner_[name] = &module; }

 private:
  NamedTensors own_;
  std::map<std::string, const Module*> inner_;
};

/// Weights are bfloat16 tiles in DRAM, made on the device by `random_parameter`.
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

/// Common to the optimizers: one state for each parameter.
class Optimizer {
 public:
  explicit Optimizer(NamedTensors parameters) : parameters_(std::move(parameters)) {}
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  void zero_grad();
  /// Parameters without a gradient are left alone.
  void step();

 protected:
  virtual void update(const std::string& name, const Tensor& parameter) = 0;

 private:
  NamedTensors parameters_;
};

class Sgd : public Optimizer {
 public:
  explicit Sgd(NamedTensors parameters) : Optimizer(std::move(parameters)) {}

 protected:
  void update(const std::string& name, const Tensor& parameter) override;
};

/// Two moments of each parameter, of its type; one fused step in place.
class AdamW : public Optimizer {
 public:
  explicit AdamW(const NamedTensors& parameters);

 protected:
  void update(const std::string& name, const Tensor& parameter) override;

 private:
  struct Moments {
    sim::Tensor first;
    sim::Tensor second;
  };
  std::map<std::string, Moments> moments_;
};

}  // namespace ttscope::train
