#pragma once

#include "sim/models/families.h"

namespace ttscope::train {

/// Grouped queries with rotary positions.
class GroupedAttention : public Module {
 public:
  GroupedAttention(const sim::Device& device, const ModelConfig& config, const RotaryTables& tables);
  TensorPtr operator()(const TensorPtr& x, const TensorPtr& mask) const;
  void collect(NamedProjections& layers);

 private:
  ModelConfig config_;
  RotaryTables tables_;
  Projection query_;
  Projection key_value_;
  Projection out_;
  std::unique_ptr<RmsNorm> query_norm_;  ///< null but where heads are normalised
  std::unique_ptr<RmsNorm> key_norm_;
};

/// Gated SiLU.
class GatedLayer : public Module {
 public:
  GatedLayer(const sim::Device& device, const ModelConfig& config);
  TensorPtr operator()(const TensorPtr& x) const;
  void collect(NamedProjections& layers);

 private:
  bool is_fused() const;

  ModelConfig config_;
  Projection gate_;
  Projection up_;
  Projection down_;
};

/// The table of tokens, whole or the part of this chip.
class TokenTable : public Module {
 public:
  /// `tied`: null, or the weight that it shares.
  TokenTable(const sim::Device& device, const ModelConfig& config, const TensorPtr& tied);
  TensorPtr operator()(const TensorPtr& tokens) const;

 private:
  ModelConfig config_;
  TensorPtr weight_;
};

}  // namespace ttscope::train
