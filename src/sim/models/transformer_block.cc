#include "sim/models/transformer_block.h"

namespace ttscope::train {

TensorPtr TransformerBlock::operator()(const std::string& place, const TensorPtr& x,
                                       const TensorPtr& mask) const {
  const sim::ModuleScope block(place);
  // A tensor is dropped where the next one replaces it, as in tt-train.
  TensorPtr attended = norm_for_attention(x);
  attended = attend_at(place, attended, mask);
  attended = add(attended, x);
  TensorPtr mixed = norm_for_mlp(attended);
  mixed = mix_at(place, mixed);
  return add(mixed, attended);
}

TensorPtr TransformerBlock::attend_at(const std::string& place, const TensorPtr& x,
                                      const TensorPtr& mask) const {
  const sim::ModuleScope part(place + ".attention");
  return attention_of(x, mask);
}

TensorPtr TransformerBlock::mix_at(const std::string& place, const TensorPtr& x) const {
  const sim::ModuleScope part(place + ".mlp");
  return mlp_of(x);
}

TensorPtr run_blocks(const TransformerBlocks& blocks, TensorPtr x, const TensorPtr& mask, bool recomputes) {
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto forward = [&block = *blocks[i], place = "layers." + std::to_string(i),
                          mask](const TensorPtr& input) { return block(place, input, mask); };
    x = recomputes ? recompute(forward, x) : forward(x);
  }
  return x;
}

NamedProjections layers_of(const TransformerBlocks& blocks) {
  NamedProjections layers;
  for (const auto& block : blocks) block->collect(layers);
  return layers;
}

}  // namespace ttscope::train
