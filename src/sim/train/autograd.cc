// Its header is public: include/ttscope.
#include <ttscope/autograd.h>
#include <ttscope/memory_owner.h>
#include <ttscope/ops.h>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ttscope::train {

Graph& Graph::current() {
  static thread_local Graph graph;
  return graph;
}

std::optional<std::size_t> Graph::add_node(GradFunction gradient, const std::vector<TensorPtr>& inputs) {
  const bool wanted = std::any_of(inputs.begin(), inputs.end(),
                                  [](const TensorPtr& input) { return input && input->requires_gradient(); });
  if (!gradients_enabled_ || !wanted) return std::nullopt;
  Node node;
  node.gradient = std::move(gradient);
  node.module = sim::OwnerScope::current().name;
  for (const TensorPtr& input : inputs) {
    if (input && input->node()) node.inputs.push_back(*input->node());
  }
  nodes_.push_back(std::move(node));
  return nodes_.size() - 1;
}

std::vector<std::size_t> Graph::order_from(std::size_t node) const {
  // Depth first, children before parents; the explicit stack holds the next input to visit.
  std::vector<std::size_t> order;
  std::vector<bool> visited(nodes_.size(), false);
  std::vector<std::pair<std::size_t, std::size_t>> path{{node, 0}};
  visited[node] = true;
  while (!path.empty()) {
    auto& [at, next] = path.back();
    const std::vector<std::size_t>& inputs = nodes_[at].inputs;
    if (next == inputs.size()) {
      order.push_back(at);
      path.pop_back();
      continue;
    }
    const std::size_t input = inputs[next++];
    if (visited[input]) continue;
    visited[input] = true;
    path.emplace_back(input, 0);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

void Graph::run_backwards_from(std::size_t node, bool retain_graph) {
  if (node >= nodes_.size())
    throw std::runtime_error("[Tensor::backward] the graph of this tensor was reset");
  for (const std::size_t each : order_from(node)) {
    // A copy: the function may add operations of its own (recomputation), which moves the nodes.
    const GradFunction gradient = retain_graph ? nodes_[each].gradient : std::move(nodes_[each].gradient);
    if (!gradient) {
      throw std::runtime_error(
          "[Tensor::backward] This backward function should not be called! Memory from the node "
          "is released! Use retain_graph to call backward twice");
    }
    nodes_[each].gradient = retain_graph ? gradient : GradFunction();
    const std::string module = nodes_[each].module;
    const sim::OwnerScope owner(sim::MemoryKind::kGradient, module);
    gradient();
  }
}

void Graph::reset() {
  // What the operations keep may itself look at the graph while it is freed.
  const std::vector<Node> old = std::move(nodes_);
  nodes_.clear();
}

void Tensor::set_grad(const sim::Tensor& grad) {
  if (grad.is_initialized() && grad.shape() != shape()) {
    throw std::logic_error(fmt::format("Shapes of gradients are not equal. Expected: {}, got: {}",
                                       shape().text(), grad.shape().text()));
  }
  grad_ = grad;
  const sim::MemoryOwner* owner = sim::owner_of(value_);
  if (grad.is_initialized() && owner->kind == sim::MemoryKind::kWeight) {
    sim::set_owner(grad, {sim::MemoryKind::kGradient, owner->name});
  }
}

void Tensor::add_grad(const sim::Tensor& grad) {
  if (!requires_gradient_) return;
  if (!has_grad()) {
    set_grad(grad);
    return;
  }
  set_grad(sim::add(grad_, grad));
}

void Tensor::backward(bool retain_graph) {
  if (!node_) throw std::runtime_error("[Tensor::backward] This tensor has no associated gradient function.");
  if (!has_grad()) grad_ = sim::full_like(value_);
  Graph::current().run_backwards_from(*node_, retain_graph);
}

TensorPtr make_tensor(sim::Tensor value, bool requires_gradient) {
  return std::make_shared<Tensor>(std::move(value), requires_gradient);
}

TensorPtr recompute(const std::function<TensorPtr(const TensorPtr&)>& forward, const TensorPtr& input) {
  if (!Graph::current().gradients_enabled()) return forward(input);
  TensorPtr out;
  {
    const NoGradients off;
    out = forward(input);
  }
  GradFunction gradient = [forward, input, out] {
    const TensorPtr detached = make_tensor(input->value());
    TensorPtr again;
    {
      const sim::OwnerScope owner(sim::MemoryKind::kActivation);
      again = forward(detached);
    }
    again->set_grad(out->grad());
    again->backward();
    input->add_grad(detached->grad());
  };
  // Whatever the input requires: parameters inside of the block may require a gradient.
  out->set_node(Graph::current().add_node(std::move(gradient), {input, out}));
  return out;
}

}  // namespace ttscope::train
