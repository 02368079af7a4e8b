#pragma once

#include <string>

#include <ttscope/memory_owner.h>
#include <ttscope/models.h>

namespace ttscope::train {

/// How the chips of a layer share a linear layer: each has a part of the outputs, or of the inputs.
enum class Split : std::uint8_t { kNone, kOutputs, kInputs };

struct ProjectionSize {
  std::uint32_t inputs = 0;
  std::uint32_t outputs = 0;
  bool has_bias = false;
  Split split = Split::kNone;
  std::uint32_t chips = 1;
};

/// A linear layer of one chip, with low-rank adapters once they are added.
class Projection : public Module {
 public:
  Projection(const sim::Device& device, const ProjectionSize& size);
  TensorPtr operator()(const TensorPtr& x) const;
  const TensorPtr& weight() const { return weight_; }
  bool has_adapter() const { return lora_a_ != nullptr; }
  void add_adapter(const sim::Device& device, const LoraConfig& config);

 private:
  std::uint32_t inputs_here() const;
  std::uint32_t outputs_here() const;

  ProjectionSize size_;
  TensorPtr weight_;
  TensorPtr bias_;
  TensorPtr lora_a_;
  TensorPtr lora_b_;
  float lora_dropout_ = 0;
};

/// A part of a model by its name, for adapters: `q_linear`.
using NamedProjections = std::vector<std::pair<std::string, Projection*>>;

}  // namespace ttscope::train
