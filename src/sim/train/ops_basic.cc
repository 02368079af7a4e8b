// Declared in include/ttscope/autograd.h.
#include <ttscope/autograd.h>
#include <ttscope/ops.h>

#include <stdexcept>

#include "sim/train/graph_node.h"

namespace ttscope::train {
namespace {

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

}  // namespace ttscope::train
