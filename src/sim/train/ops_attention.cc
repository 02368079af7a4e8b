// Declared in include/ttscope/autograd.h.
#include <ttscope/autograd.h>
#include <ttscope/ops.h>

#include <cmath>

#include "sim/train/graph_node.h"

namespace ttscope::train {
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
