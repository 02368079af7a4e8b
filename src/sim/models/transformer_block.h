#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/models/projection.h"

namespace ttscope::train {

/// What all families repeat: attention and a layer, each behind a norm and added to what came in.
class TransformerBlock : public Module {
 public:
  TensorPtr operator()(const std::string& place, const TensorPtr& x, const TensorPtr& mask) const;
  /// Its layers, by the names that adapters ask for.
  virtual void collect(NamedProjections& layers) = 0;

 private:
  virtual TensorPtr norm_for_attention(const TensorPtr& x) const = 0;
  virtual TensorPtr attention_of(const TensorPtr& x, const TensorPtr& mask) const = 0;
  virtual TensorPtr norm_for_mlp(const TensorPtr& x) const = 0;
  virtual TensorPtr mlp_of(const TensorPtr& x) const = 0;

  TensorPtr attend_at(const std::string& place, const TensorPtr& x, const TensorPtr& mask) const;
  TensorPtr mix_at(const std::string& place, const TensorPtr& x) const;
};

using TransformerBlocks = std::vector<std::unique_ptr<TransformerBlock>>;

/// Through one block after the other; with `recomputes` only their inputs are kept for the backward pass.
TensorPtr run_blocks(const TransformerBlocks& blocks, TensorPtr x, const TensorPtr& mask, bool recomputes);
/// The layers of all of them.
NamedProjections layers_of(const TransformerBlocks& blocks);

}  // namespace ttscope::train
