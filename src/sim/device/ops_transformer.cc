// Declared in include/ttscope/ops.h.
#include <fmt/format.h>

#include <ttscope/ops.h>
#include "sim/device/op_run.h"
#include "sim/device/op_shapes.h"
#include "sim/device/tensor_pages.h"

namespace ttscope::sim {
namespace {

Heads heads_from(const std::vector<Tensor>& inputs, std::uint32_t heads, std::uint32_t groups,
                 std::uint32_t head_size) {
  const Shape& shape = inputs.front().shape();
  const TensorSpec query = spec_like(inputs.front(), Shape{shape[0], heads, shape[-2], head_size});
  const TensorSpec key = spec_like(inputs.front(), Shape{shape[0], groups, shape[-2], head_size});
  auto outputs = run_op({"NlpCreateHeadsDeviceOperation",
                         fmt::format("num_q_heads={}, num_kv_heads={}", heads, groups),
                         inputs,
                         {query, key, key},
                         {},
                         OpKind::kCopy});
  return {outputs[0], outputs[1], outputs[2]};
}

void require_heads(const Heads& heads) {
  const Shape& query = heads.query.shape();
  const Shape& key = heads.key.shape();
  require(key == heads.value.shape() && query[-1] == key[-1] && query[1] % key[1] == 0, "attention",
          "heads of queries, keys and values do not go together");
}

std::vector<Tensor> with_mask(std::vector<Tensor> inputs, const Tensor& mask) {
  if (mask.is_initialized()) inputs.push_back(mask);
  return inputs;
}

/// One float32 tile for each 32 rows: values of rows, in the first column.
TensorSpec row_statistics(const Tensor& tensor) {
  TensorSpec spec = spec_like(tensor, tensor.shape().with(-1, kTileSide));
  spec.dtype = DataType::kFloat32;
  return spec;
}

}  // namespace

Tensor embedding(const Tensor& tokens, const Tensor& weight) {
  const Shape& shape = weight.shape();
  require(tokens.layout() == Layout::kRowMajor, "embedding", "the tokens must be in row-major layout");
  // The rows of the table are looked up in row-major layout.
  const Tensor rows = to_layout(weight, Layout::kRowMajor);
  TensorSpec spec = spec_like(weight, Shape{tokens.shape()[0], 1, tokens.shape()[-1], shape[-1]});
  spec.layout = Layout::kTile;
  return run_single({"EmbeddingsDeviceOperation", "", {tokens, rows}, {spec}, {}, OpKind::kCopy});
}

Tensor embedding_backward(const Tensor& tokens, const Tensor& weight, const Tensor& gradient) {
  return run_single(
      {"EmbeddingBackwardDeviceOperation", "", {tokens, gradient}, {weight.spec()}, {}, OpKind::kRowwise});
}

Heads create_heads(const Tensor& query, const Tensor& key_value, std::uint32_t heads, std::uint32_t groups) {
  require(heads > 0 && groups > 0 && query.shape()[-1] % heads == 0, "create_heads",
          "the width is not divisible by the number of heads");
  const std::uint32_t head_size = query.shape()[-1] / heads;
  require(key_value.shape()[-1] == 2 * groups * head_size, "create_heads",
          "keys and values need two heads for each group");
  return heads_from({query, key_value}, heads, groups, head_size);
}

Heads create_heads(const Tensor& query_key_value, std::uint32_t heads, std::uint32_t groups) {
  const std::uint32_t all = heads + 2 * groups;
  require(all > 0 && query_key_value.shape()[-1] % all == 0, "create_heads",
          "the width is not divisible by the number of heads");
  return heads_from({query_key_value}, heads, groups, query_key_value.shape()[-1] / all);
}

Tensor concat_heads(const Tensor& heads) {
  const Shape& shape = heads.shape();
  const Shape fused{shape[0], 1, shape[-2], shape[1] * shape[-1]};
  return run_single(
      {"NLPConcatHeadsDeviceOperation", "", {heads}, {spec_like(heads, fused)}, {}, OpKind::kCopy});
}

Tensor split_heads(const Tensor& tensor, std::uint32_t heads) {
  const Shape& shape = tensor.shape();
  require(heads > 0 && shape[-1] % heads == 0, "split_heads",
          "the width is not divisible by the number of heads");
  const Tensor turned = transpose(tensor);
  const Tensor split = reshape(turned, Shape{shape[0], heads, shape[-1] / heads, shape[-2]});
  return transpose(split);
}

Tensor rotary_embedding(const Tensor& tensor, const Tensor& cosines, const Tensor& sines) {
  require(cosines.shape() == sines.shape() && cosines.shape()[-1] == tensor.shape()[-1], "rotary_embedding",
          "the tables need the size of a head");
  return run_single({"RotaryEmbeddingLlamaDeviceOperation",
                     "",
                     {tensor, cosines, sines},
                     {tensor.spec()},
                     {},
                     OpKind::kElementwise});
}

Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value) {
  require_heads({query, key, value});
  return run_single({"SDPAOperation", "", {query, key, value}, {query.spec()}, {}, OpKind::kAttention});
}

AttentionResult attention_forward(const Heads& heads, const Tensor& mask) {
  require_heads(heads);
  auto outputs = run_op({"SDPAForwardDeviceOperation",
                         "",
                         with_mask({heads.query, heads.key, heads.value}, mask),
                         {heads.query.spec(), row_statistics(heads.query)},
                         {},
                         OpKind::kAttention});
  return {outputs[0], outputs[1]};
}

Heads attention_backward(const Tensor& gradient, const AttentionResult& result, const Heads& heads,
                         const Tensor& mask) {
  // Two programs: queries, with one value for each row that the second needs, then keys and values.
  const auto of_query = run_op(
      {"SDPABackwardQDeviceOperation",
       "",
       with_mask({gradient, result.output, heads.query, heads.key, heads.value, result.statistics}, mask),
       {heads.query.spec(), row_statistics(heads.query)},
       {},
       OpKind::kAttention});
  const auto of_key_value = run_op(
      {"SDPABackwardKVDeviceOperation",
       "",
       with_mask({gradient, heads.query, heads.key, heads.value, result.statistics, of_query[1]}, mask),
       {heads.key.spec(), heads.value.spec()},
       {},
       OpKind::kAttention});
  return {of_query[0], of_key_value[0], of_key_value[1]};
}

Tensor silu_multiply(const Tensor& linear, const Tensor& gate) {
  require(linear.shape() == gate.shape(), "silu_multiply", "the shapes differ");
  return run_single({"BinaryNgDeviceOperation",
                     "multiply, silu",
                     {linear, gate},
                     {linear.spec()},
                     {},
                     OpKind::kElementwise});
}

Tensor silu_multiply_backward(const Tensor& linear, const Tensor& gate, const Tensor& gradient) {
  require(linear.shape() == gradient.shape(), "silu_multiply_backward", "the gradient has another shape");
  return run_single({"SwiGLUElemwiseBwDeviceOperation",
                     "",
                     {linear, gate, gradient},
                     {gate.spec()},
                     {linear},
                     OpKind::kElementwise});
}

Tensor cross_entropy(const Tensor& logits, const Tensor& targets) {
  return run_single({"CrossEntropyForwardDeviceOperation",
                     "",
                     {logits, targets},
                     {spec_like(logits, logits.shape().with(-1, 1))},
                     {},
                     OpKind::kRowwise});
}

Tensor cross_entropy_backward(const Tensor& logits, const Tensor& targets) {
  return run_single(
      {"CrossEntropyBackwardDeviceOperation", "", {logits, targets}, {logits.spec()}, {}, OpKind::kRowwise});
}

Tensor cross_entropy_in_parts(const Tensor& logits, const Tensor& targets, std::uint32_t chips) {
  const Tensor exponentials = typecast(logits, DataType::kFloat32);
  const Tensor sums = all_reduce(sum(exponentials, {-1}), chips);
  const Tensor rows = cross_entropy(logits, targets);
  return binary("subtract", sums, rows);
}

Tensor cross_entropy_in_parts_backward(const Tensor& logits, const Tensor& targets) {
  const Tensor probabilities = typecast(logits, DataType::kFloat32);
  return run_single({"SubtractAtTargetDeviceOperation",
                     "",
                     {probabilities, targets},
                     {logits.spec()},
                     {},
                     OpKind::kRowwise});
}

}  // namespace ttscope::sim
