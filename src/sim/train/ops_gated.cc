// Declared in include/ttscope/autograd.h.
#include <ttscope/autograd.h>
#include <ttscope/ops.h>

#include "sim/train/graph_node.h"

namespace ttscope::train {
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

}  // namespace ttscope::train
