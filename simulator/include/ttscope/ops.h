#pragma once

// Operations on simulated tensors: the shapes of their results, their temporaries and their programs' memory,
// no arithmetic. All throw std::invalid_argument for shapes that do not go together and OutOfMemory when
// something does not fit. Results lie where the first input lies unless said otherwise.

#include <optional>
#include <string_view>
#include <vector>

#include <ttscope/tensor.h>

namespace ttscope::sim {

// Creation.
Tensor empty(const Device& device, const TensorSpec& spec);
Tensor full(const Device& device, const TensorSpec& spec);  ///< zeros, ones and the like
Tensor full_like(const Tensor& tensor);
Tensor from_host(const Device& device, const TensorSpec& spec);

// Placement and form.
Tensor to_memory_config(const Tensor& tensor, const MemoryConfig& memory);
Tensor to_layout(const Tensor& tensor, Layout layout);
Tensor typecast(const Tensor& tensor, DataType dtype);
/// A view of the same memory where the tiles stay as they are, else a copy.
Tensor reshape(const Tensor& tensor, const Shape& shape);
Tensor transpose(const Tensor& tensor);  ///< of the last two dimensions
Tensor concat(const std::vector<Tensor>& tensors, int dim);
Tensor slice(const Tensor& tensor, int dim, std::uint32_t begin, std::uint32_t end);
Tensor repeat(const Tensor& tensor, const Shape& times);

// Elementwise, with broadcasting. `op` names it in captures: `add`, `multiply`, `gelu`, ...
Tensor unary(std::string_view op, const Tensor& tensor);
Tensor binary(std::string_view op, const Tensor& a, const Tensor& b);
Tensor binary_scalar(std::string_view op, const Tensor& tensor, float scalar);
inline Tensor add(const Tensor& a, const Tensor& b) { return binary("add", a, b); }
inline Tensor multiply(const Tensor& a, const Tensor& b) { return binary("multiply", a, b); }
/// The result replaces the tensor.
void unary_in_place(std::string_view op, const Tensor& tensor);
/// The sum replaces `a`.
void add_in_place(const Tensor& a, const Tensor& b);
inline Tensor multiply(const Tensor& a, float scalar) { return binary_scalar("multiply", a, scalar); }

// Reductions; the reduced dimensions stay, with size 1.
Tensor sum(const Tensor& tensor, const std::vector<int>& dims);
Tensor mean(const Tensor& tensor);  ///< of everything

// Matrices. A transposed operand is read as it lies: no transposed copy is made.
struct MatmulOptions {
  bool transpose_a = false;
  bool transpose_b = false;
  std::optional<MemoryConfig> memory;
};
Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options = {});

// Normalization and softmax, over the last dimension.
struct NormResult {
  Tensor output;
  std::vector<Tensor> statistics;  ///< one column: mean and reciprocal deviation, or the root mean square
};
NormResult layer_norm(const Tensor& input, const Tensor& gamma, const Tensor& beta);
NormResult rms_norm(const Tensor& input, const Tensor& gamma);
struct NormGradients {
  Tensor input;
  std::vector<Tensor> parameters;
};
NormGradients layer_norm_backward(const Tensor& gradient, const Tensor& input, const Tensor& gamma);
NormGradients rms_norm_backward(const Tensor& gradient, const Tensor& input, const Tensor& gamma);
Tensor softmax(const Tensor& tensor);
Tensor softmax_backward(const Tensor& output, const Tensor& gradient);

// Transformers.
Tensor embedding(const Tensor& tokens, const Tensor& weight);
Tensor embedding_backward(const Tensor& tokens, const Tensor& weight, const Tensor& gradient);
struct Heads {
  Tensor query;
  Tensor key;
  Tensor value;
};
/// [B, 1, S, E] and [B, 1, S, 2 * groups * E / heads] to [B, heads, S, E / heads] and twice [B, groups, S,
/// ...].
Heads create_heads(const Tensor& query, const Tensor& key_value, std::uint32_t heads, std::uint32_t groups);
/// The same from one tensor [B, 1, S, (heads + 2 * groups) * E / heads].
Heads create_heads(const Tensor& query_key_value, std::uint32_t heads, std::uint32_t groups);
Tensor concat_heads(const Tensor& heads);  ///< [B, H, S, E] to [B, 1, S, H * E]
Tensor split_heads(const Tensor& tensor, std::uint32_t heads);
Tensor rotary_embedding(const Tensor& tensor, const Tensor& cosines, const Tensor& sines);
/// One fused operation: no matrix of attention weights is kept or made.
Tensor attention(const Tensor& query, const Tensor& key, const Tensor& value);
/// The same for training: `statistics` is what the backward pass needs of each row, float32 [B, H, S, 32].
struct AttentionResult {
  Tensor output;
  Tensor statistics;
};
/// `mask` [1, 1, S, S], or none (not initialized) for a causal one.
AttentionResult attention_forward(const Heads& heads, const Tensor& mask);
Heads attention_backward(const Tensor& gradient, const AttentionResult& result, const Heads& heads,
                         const Tensor& mask);
/// silu(linear) * gate, and its backward pass: the gradient of `linear` replaces it, that of `gate` is new.
Tensor silu_multiply(const Tensor& linear, const Tensor& gate);
Tensor silu_multiply_backward(const Tensor& linear, const Tensor& gate, const Tensor& gradient);
/// Loss of every row, and its gradient.
Tensor cross_entropy(const Tensor& logits, const Tensor& targets);
Tensor cross_entropy_backward(const Tensor& logits, const Tensor& targets);
/// The same where each of `chips` holds a part of the vocabulary: the parts are joined by collectives.
Tensor cross_entropy_in_parts(const Tensor& logits, const Tensor& targets, std::uint32_t chips);
Tensor cross_entropy_in_parts_backward(const Tensor& logits, const Tensor& targets);

// Optimizer steps work in place.
void sgd_step(const Tensor& parameter, const Tensor& gradient);
void adamw_step(const Tensor& parameter, const Tensor& gradient, const Tensor& first_moment,
                const Tensor& second_moment);
/// Any of them: `op` names it in captures, `states` change with the parameter.
void optimizer_step(std::string_view op, const Tensor& parameter, const Tensor& gradient,
                    const std::vector<Tensor>& states);

// Collectives: the share of one chip. `chips` is the number of those that take part.
Tensor all_gather(const Tensor& tensor, int dim, std::uint32_t chips);
Tensor reduce_scatter(const Tensor& tensor, int dim, std::uint32_t chips);
/// A reduce-scatter and an all-gather over the outermost dimension that can be divided.
Tensor all_reduce(const Tensor& tensor, std::uint32_t chips);

}  // namespace ttscope::sim
