#include <fmt/format.h>
#include <ttscope/autograd.h>
#include <ttscope/memory_owner.h>
#include <ttscope/ops.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace ttscope::train {

// Its header is public: include/ttscope.

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

namespace {

/// `out`, with the operation that made it in the graph if one of the inputs requires a gradient; otherwise
/// `out` requires none either, and what `gradient` holds is dropped.
TensorPtr with_node(const TensorPtr& out, GradFunction gradient, const std::vector<TensorPtr>& inputs) {
  Graph& graph = Graph::current();
  out->set_node(graph.add_node(std::move(gradient), inputs));
  if (graph.gradients_enabled() && !out->node()) out->set_requires_gradient(false);
  return out;
}

/// The gradient summed over the dimensions along which the input was repeated.
sim::Tensor unbroadcast(const sim::Tensor& grad, const sim::Shape& shape) {
  if (grad.shape() == shape) return grad;
  std::vector<int> dims;
  const auto rank = static_cast<int>(grad.shape().rank());
  const auto own_rank = static_cast<int>(shape.rank());
  for (int i = 0; i < rank; ++i) {
    const int own = i - (rank - own_rank);
    if (own < 0 || shape[own] != grad.shape()[i]) dims.push_back(i);
  }
  return sim::reshape(sim::sum(grad, dims), shape);
}

/// An elementwise function whose derivative needs its input.
TensorPtr activation(std::string_view op, std::string_view backward_op, const TensorPtr& x) {
  TensorPtr out = make_tensor(sim::unary(op, x->value()));
  return with_node(
      out, [x, out, backward_op] { x->add_grad(sim::binary(backward_op, out->grad(), x->value())); }, {x});
}

}  // namespace

TensorPtr add(const TensorPtr& a, const TensorPtr& b) {
  TensorPtr out = make_tensor(sim::add(a->value(), b->value()));
  const GradFunction gradient = [a, b, out] {
    a->add_grad(unbroadcast(out->grad(), a->shape()));
    b->add_grad(unbroadcast(out->grad(), b->shape()));
  };
  return with_node(out, gradient, {a, b});
}

TensorPtr multiply(const TensorPtr& a, const TensorPtr& b) {
  TensorPtr out = make_tensor(sim::multiply(a->value(), b->value()));
  const GradFunction gradient = [a, b, out] {
    const sim::Tensor of_a = sim::multiply(out->grad(), b->value());
    const sim::Tensor of_b = sim::multiply(out->grad(), a->value());
    a->add_grad(unbroadcast(of_a, a->shape()));
    b->add_grad(unbroadcast(of_b, b->shape()));
  };
  return with_node(out, gradient, {a, b});
}

TensorPtr multiply(const TensorPtr& a, float scalar) {
  TensorPtr out = make_tensor(sim::multiply(a->value(), scalar));
  return with_node(out, [a, out, scalar] { a->add_grad(sim::multiply(out->grad(), scalar)); }, {a});
}

TensorPtr relu(const TensorPtr& x) { return activation("relu", "relu_bw", x); }

TensorPtr gelu(const TensorPtr& x) { return activation("gelu", "gelu_bw", x); }

TensorPtr silu(const TensorPtr& x) { return activation("silu", "silu_bw", x); }

TensorPtr softmax(const TensorPtr& x) {
  TensorPtr out = make_tensor(sim::softmax(x->value()));
  return with_node(out, [x, out] { x->add_grad(sim::softmax_backward(out->value(), out->grad())); }, {x});
}

TensorPtr mean(const TensorPtr& x) {
  TensorPtr out = make_tensor(sim::mean(x->value()));
  return with_node(out, [x, out] { x->add_grad(sim::binary("mean_bw", x->value(), out->grad())); }, {x});
}

TensorPtr dropout(const TensorPtr& x, float probability) {
  if (probability < 0 || probability >= 1)
    throw std::invalid_argument("dropout: the probability must be in [0, 1)");
  if (probability == 0) return x;
  TensorPtr out = make_tensor(sim::unary("dropout", x->value()));
  return with_node(out, [x, out] { x->add_grad(sim::unary("dropout", out->grad())); }, {x});
}

TensorPtr linear(const TensorPtr& x, const TensorPtr& weight, const TensorPtr& bias) {
  sim::Tensor value = sim::matmul(x->value(), weight->value(), {.transpose_b = true, .memory = {}});
  if (bias) value = sim::add(value, bias->value());
  TensorPtr out = make_tensor(std::move(value));
  const GradFunction gradient = [x, weight, bias, out] {
    const sim::Shape& shape = x->shape();
    const auto rows = static_cast<std::uint32_t>(shape.volume() / shape[-1]);
    const sim::Tensor flat = sim::reshape(x->value(), sim::Shape{1, 1, rows, shape[-1]});
    const sim::Tensor flat_grad = sim::reshape(out->grad(), sim::Shape{1, 1, rows, out->shape()[-1]});
    const sim::Tensor of_weight = sim::matmul(flat_grad, flat, {.transpose_a = true, .memory = {}});
    const sim::Tensor of_input = sim::matmul(flat_grad, weight->value());
    if (bias) bias->add_grad(unbroadcast(flat_grad, bias->shape()));
    x->add_grad(sim::reshape(of_input, shape));
    weight->add_grad(sim::reshape(of_weight, weight->shape()));
  };
  return with_node(out, gradient, {weight, x, bias});
}

TensorPtr matmul(const TensorPtr& a, const TensorPtr& b) {
  TensorPtr out = make_tensor(sim::matmul(a->value(), b->value()));
  const GradFunction gradient = [a, b, out] {
    a->add_grad(
        unbroadcast(sim::matmul(out->grad(), b->value(), {.transpose_b = true, .memory = {}}), a->shape()));
    b->add_grad(
        unbroadcast(sim::matmul(a->value(), out->grad(), {.transpose_a = true, .memory = {}}), b->shape()));
  };
  return with_node(out, gradient, {a, b});
}

TensorPtr embedding(const TensorPtr& tokens, const TensorPtr& weight) {
  TensorPtr out = make_tensor(sim::embedding(tokens->value(), weight->value()));
  const GradFunction gradient = [tokens, weight, out] {
    weight->add_grad(sim::embedding_backward(tokens->value(), weight->value(), out->grad()));
  };
  return with_node(out, gradient, {weight, tokens});
}

TensorPtr layer_norm(const TensorPtr& x, const TensorPtr& gamma, const TensorPtr& beta) {
  const sim::NormResult result = sim::layer_norm(x->value(), gamma->value(), beta->value());
  TensorPtr out = make_tensor(result.output);
  const GradFunction gradient = [x, gamma, beta, out, statistics = result.statistics] {
    const sim::NormGradients grads = sim::layer_norm_backward(out->grad(), x->value(), gamma->value());
    x->add_grad(grads.input);
    gamma->add_grad(sim::reshape(grads.parameters[0], gamma->shape()));
    beta->add_grad(sim::reshape(grads.parameters[1], beta->shape()));
  };
  return with_node(out, gradient, {x, gamma, beta});
}

TensorPtr rms_norm(const TensorPtr& x, const TensorPtr& gamma) {
  const sim::NormResult result = sim::rms_norm(x->value(), gamma->value());
  TensorPtr out = make_tensor(result.output);
  const GradFunction gradient = [x, gamma, out, statistics = result.statistics] {
    const sim::NormGradients grads = sim::rms_norm_backward(out->grad(), x->value(), gamma->value());
    x->add_grad(grads.input);
    gamma->add_grad(sim::reshape(grads.parameters[0], gamma->shape()));
  };
  return with_node(out, gradient, {x, gamma});
}

TensorPtr cross_entropy(const TensorPtr& logits, const TensorPtr& targets, std::uint32_t chips) {
  const TensorPtr rows =
      make_tensor(chips > 1 ? sim::cross_entropy_in_parts(logits->value(), targets->value(), chips)
                            : sim::cross_entropy(logits->value(), targets->value()));
  const GradFunction gradient = [logits, targets, rows, chips] {
    const sim::Tensor of_rows = chips > 1
                                    ? sim::cross_entropy_in_parts_backward(logits->value(), targets->value())
                                    : sim::cross_entropy_backward(logits->value(), targets->value());
    logits->add_grad(sim::multiply(of_rows, rows->grad()));
  };
  return with_node(rows, gradient, {logits});
}

TensorPtr cross_entropy_loss(const TensorPtr& logits, const TensorPtr& targets) {
  return mean(cross_entropy(logits, targets));
}

namespace {

/// What the forward pass keeps; each is freed where the backward pass has used it last.
struct Kept {
  sim::Tensor linear;
  sim::Tensor gate;
  sim::Tensor gated;
  bool dropped = false;  ///< elements of the output were
};

sim::Tensor flat(const sim::Tensor& tensor) {
  const sim::Shape& shape = tensor.shape();
  const auto rows = static_cast<std::uint32_t>(shape.volume() / shape[-1]);
  return sim::reshape(tensor, sim::Shape{1, 1, rows, shape[-1]});
}

void add_weight_grad(const TensorPtr& weight, const sim::Tensor& of_output, const sim::Tensor& input) {
  const sim::Tensor grad = sim::matmul(flat(of_output), flat(input), {.transpose_a = true, .memory = {}});
  weight->add_grad(sim::reshape(grad, weight->shape()));
}

void swiglu_backward(const TensorPtr& x, const std::vector<TensorPtr>& weights, const TensorPtr& out,
                     Kept kept) {
  const TensorPtr& w1 = weights[0];
  const TensorPtr& w2 = weights[1];
  const TensorPtr& w3 = weights[2];
  sim::Tensor of_out = kept.dropped ? sim::unary("dropout", out->grad()) : out->grad();
  add_weight_grad(w2, of_out, kept.gated);
  kept.gated.deallocate();
  sim::Tensor of_gated = sim::matmul(of_out, w2->value());
  of_out = sim::Tensor();
  sim::Tensor of_gate = sim::silu_multiply_backward(kept.linear, kept.gate, of_gated);
  sim::Tensor of_linear = kept.linear;  // replaced in place
  kept.gate.deallocate();
  of_gated.deallocate();

  sim::Tensor of_x = sim::matmul(of_linear, w1->value());
  sim::Tensor from_gate = sim::matmul(of_gate, w3->value());
  sim::add_in_place(of_x, from_gate);
  from_gate.deallocate();
  x->add_grad(of_x);
  of_x = sim::Tensor();
  add_weight_grad(w1, of_linear, x->value());
  of_linear.deallocate();
  add_weight_grad(w3, of_gate, x->value());
}

}  // namespace

// NOLINTNEXTLINE(readability-function-size): the parameters are those of tt-train
TensorPtr swiglu(const TensorPtr& x, const TensorPtr& w1, const TensorPtr& w2, const TensorPtr& w3,
                 float dropout_probability) {
  const sim::MatmulOptions transposed{.transpose_a = false, .transpose_b = true, .memory = {}};
  Kept kept;
  kept.linear = sim::matmul(x->value(), w1->value(), transposed);
  kept.gate = sim::matmul(x->value(), w3->value(), transposed);
  kept.gated = sim::silu_multiply(kept.linear, kept.gate);
  kept.dropped = dropout_probability > 0;
  const TensorPtr out = make_tensor(sim::matmul(kept.gated, w2->value(), transposed));
  if (kept.dropped) sim::unary_in_place("dropout", out->value());
  const std::vector<TensorPtr> weights{w1, w2, w3};
  const GradFunction gradient = [x, weights, out, kept] { swiglu_backward(x, weights, out, kept); };
  return with_node(out, gradient, {x, w1, w2, w3});
}

TensorPtr broadcast(const TensorPtr& x, std::uint32_t chips) {
  const TensorPtr out = make_tensor(x->value());
  return with_node(out, [x, out, chips] { x->add_grad(sim::all_reduce(out->grad(), chips)); }, {x});
}

TensorPtr all_reduce(const TensorPtr& x, std::uint32_t chips) {
  const TensorPtr out = make_tensor(sim::all_reduce(x->value(), chips));
  return with_node(out, [x, out] { x->add_grad(out->grad()); }, {x});
}

TensorPtr all_gather(const TensorPtr& x, int dim, std::uint32_t chips) {
  const TensorPtr out = make_tensor(sim::all_gather(x->value(), dim, chips));
  return with_node(out, [x, out, dim, chips] { x->add_grad(sim::reduce_scatter(out->grad(), dim, chips)); },
                   {x});
}

namespace {

/// a times b, where b has one head for each group of heads of a: b is repeated for the product.
sim::Tensor grouped_matmul(const sim::Tensor& a, const sim::Tensor& b, const sim::MatmulOptions& options) {
  const std::uint32_t heads = a.shape()[1];
  const std::uint32_t groups = b.shape()[1];
  if (heads == groups) return sim::matmul(a, b, options);
  const std::uint32_t batch = a.shape()[0];
  const std::uint32_t per_group = heads / groups;
  const sim::Tensor left = sim::reshape(a, sim::Shape{batch * groups, per_group, a.shape()[2], a.shape()[3]});
  const sim::Tensor right = sim::reshape(b, sim::Shape{batch * groups, 1, b.shape()[2], b.shape()[3]});
  const sim::Tensor repeated = sim::repeat(right, sim::Shape{1, per_group, 1, 1});
  const sim::Tensor product = sim::matmul(left, repeated, options);
  return sim::reshape(product, sim::Shape{batch, heads, product.shape()[2], product.shape()[3]});
}

sim::Tensor sum_over_groups(const sim::Tensor& grad, std::uint32_t groups) {
  const sim::Shape& shape = grad.shape();
  if (shape[1] == groups) return grad;
  const sim::Tensor grouped =
      sim::reshape(grad, sim::Shape{shape[0] * groups, shape[1] / groups, shape[2], shape[3]});
  return sim::reshape(sim::sum(grouped, {1}), sim::Shape{shape[0], groups, shape[2], shape[3]});
}

/// mask * scores + (mask - 1) * large: all parts exist at once.
sim::Tensor masked(const sim::Tensor& scores, const sim::Tensor& mask) {
  const sim::Tensor kept = sim::multiply(mask, scores);
  const sim::Tensor inverted = sim::binary_scalar("subtract", mask, 1.0F);
  const sim::Tensor penalty = sim::multiply(inverted, 1e9F);
  return sim::add(kept, penalty);
}

void attention_backward(const HeadTensors& in, const TensorPtr& out, const sim::Tensor& weights,
                        float scale) {
  const std::uint32_t groups = in.key->shape()[1];
  sim::Tensor of_weights =
      grouped_matmul(out->grad(), in.value->value(), {.transpose_b = true, .memory = {}});
  sim::Tensor of_scores = sim::softmax_backward(weights, of_weights);
  of_weights.deallocate();
  of_scores = sim::multiply(of_scores, scale);
  const sim::Tensor of_query = grouped_matmul(of_scores, in.key->value(), {});
  const sim::Tensor of_key =
      sum_over_groups(sim::matmul(of_scores, in.query->value(), {.transpose_a = true, .memory = {}}), groups);
  const sim::Tensor of_value =
      sum_over_groups(sim::matmul(weights, out->grad(), {.transpose_a = true, .memory = {}}), groups);
  in.query->add_grad(of_query);
  in.key->add_grad(of_key);
  in.value->add_grad(of_value);
}

/// Heads of keys and values wait for each other: the gradient of the heads needs all three.
HeadTensors linked_heads(const sim::Heads& heads, const std::function<void(const HeadTensors&)>& backward,
                         const std::vector<TensorPtr>& inputs) {
  HeadTensors out{make_tensor(heads.query), make_tensor(heads.key), make_tensor(heads.value)};
  with_node(
      out.query, [out, backward] { backward(out); }, inputs);
  std::vector<TensorPtr> after = inputs;
  after.push_back(out.query);
  with_node(
      out.key, [] {}, after);
  with_node(
      out.value, [] {}, after);
  return out;
}

}  // namespace

HeadTensors create_heads(const TensorPtr& query, const TensorPtr& key_value, std::uint32_t heads,
                         std::uint32_t groups) {
  const auto backward = [query, key_value](const HeadTensors& out) {
    const sim::Tensor of_query = sim::concat_heads(out.query->grad());
    const sim::Tensor of_key = sim::concat_heads(out.key->grad());
    const sim::Tensor of_value = sim::concat_heads(out.value->grad());
    query->add_grad(of_query);
    key_value->add_grad(sim::concat({of_key, of_value}, 3));
  };
  return linked_heads(sim::create_heads(query->value(), key_value->value(), heads, groups), backward,
                      {query, key_value});
}

HeadTensors create_heads(const TensorPtr& query_key_value, std::uint32_t heads) {
  const auto backward = [query_key_value](const HeadTensors& out) {
    const sim::Tensor of_query = sim::concat_heads(out.query->grad());
    const sim::Tensor of_key = sim::concat_heads(out.key->grad());
    const sim::Tensor of_value = sim::concat_heads(out.value->grad());
    query_key_value->add_grad(sim::concat({of_query, of_key, of_value}, 3));
  };
  return linked_heads(sim::create_heads(query_key_value->value(), heads, heads), backward, {query_key_value});
}

TensorPtr fuse_heads(const TensorPtr& heads) {
  TensorPtr out = make_tensor(sim::concat_heads(heads->value()));
  const GradFunction gradient = [heads, out] {
    heads->add_grad(sim::split_heads(out->grad(), heads->shape()[1]));
  };
  return with_node(out, gradient, {heads});
}

RotaryTables make_rotary_tables(const sim::Device& device, std::uint32_t sequence_length,
                                std::uint32_t head_size) {
  const sim::TensorSpec spec{.shape = {1, 1, sequence_length, head_size}, .memory = {}};
  return {sim::from_host(device, spec), sim::from_host(device, spec), sim::from_host(device, spec)};
}

TensorPtr rotary_embedding(const TensorPtr& x, const RotaryTables& tables) {
  TensorPtr out = make_tensor(sim::rotary_embedding(x->value(), tables.cosines, tables.sines));
  const GradFunction gradient = [x, out, tables] {
    x->add_grad(sim::rotary_embedding(out->grad(), tables.cosines, tables.negated_sines));
  };
  return with_node(out, gradient, {x});
}

TensorPtr attention(const TensorPtr& query, const TensorPtr& key, const TensorPtr& value,
                    const TensorPtr& mask) {
  const sim::Tensor mask_value = mask ? mask->value() : sim::Tensor();
  const sim::AttentionResult result =
      sim::attention_forward({query->value(), key->value(), value->value()}, mask_value);
  const TensorPtr out = make_tensor(result.output);
  const GradFunction gradient = [query, key, value, mask_value, out, result] {
    const sim::Heads grads = sim::attention_backward(
        out->grad(), result, {query->value(), key->value(), value->value()}, mask_value);
    query->add_grad(grads.query);
    key->add_grad(grads.key);
    value->add_grad(grads.value);
  };
  return with_node(out, gradient, {query, key, value});
}

TensorPtr attention_composite(const TensorPtr& query, const TensorPtr& key, const TensorPtr& value,
                              const TensorPtr& mask) {
  const float scale = 1.0F / std::sqrt(static_cast<float>(query->shape()[-1]));
  const sim::Tensor scaled = sim::multiply(query->value(), scale);
  sim::Tensor scores = grouped_matmul(scaled, key->value(), {.transpose_b = true, .memory = {}});
  if (mask) scores = masked(scores, mask->value());
  const sim::Tensor weights = sim::softmax(scores);
  TensorPtr out = make_tensor(grouped_matmul(weights, value->value(), {}));
  const HeadTensors in{query, key, value};
  const GradFunction gradient = [in, out, weights, scale] { attention_backward(in, out, weights, scale); };
  return with_node(out, gradient, {query, key, value});
}

}  // namespace ttscope::train
