#pragma once

#include <vector>

#include <ttscope/autograd.h>

namespace ttscope::train {

/// `out`, with the operation that made it in the graph if one of the inputs requires a gradient; otherwise
/// `out` requires none either, and what `gradient` holds is dropped.
inline TensorPtr with_node(const TensorPtr& out, GradFunction gradient,
                           const std::vector<TensorPtr>& inputs) {
  Graph& graph = Graph::current();
  out->set_node(graph.add_node(std::move(gradient), inputs));
  if (graph.gradients_enabled() && !out->node()) out->set_requires_gradient(false);
  return out;
}

}  // namespace ttscope::train
