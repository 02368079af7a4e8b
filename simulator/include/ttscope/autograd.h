#pragma once

// Training on simulated tensors: values, gradients and the order in which a backward pass makes and frees
// them. The operations keep what tt-train's keep, so that a loop written with them shows the memory that
// tt-train needs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ttscope/tensor.h>

namespace ttscope::train {

class Tensor;
using TensorPtr = std::shared_ptr<Tensor>;
using GradFunction = std::function<void()>;

/// The operations of forward passes, to be run backwards. One for each thread.
class Graph {
 public:
  static Graph& current();

  /// Nothing, and the function is dropped, while gradients are off or where no input requires one.
  std::optional<std::size_t> add_node(GradFunction gradient, const std::vector<TensorPtr>& inputs);
  void run_backwards_from(std::size_t node, bool retain_graph);
  /// Forgets all operations, and with them what they keep.
  void reset();

  bool gradients_enabled() const { return gradients_enabled_; }
  void enable_gradients(bool enabled) { gradients_enabled_ = enabled; }

 private:
  struct Node {
    GradFunction gradient;
    std::vector<std::size_t> inputs;
    std::string module;  ///< what the gradients made by it belong to
  };
  std::vector<std::size_t> order_from(std::size_t node) const;

  std::vector<Node> nodes_;
  bool gradients_enabled_ = true;
};

/// Turns gradients off for as long as it lives.
class NoGradients {
 public:
  NoGradients() : before_(Graph::current().gradients_enabled()) { Graph::current().enable_gradients(false); }
  ~NoGradients() { Graph::current().enable_gradients(before_); }
  NoGradients(const NoGradients&) = delete;
  NoGradients& operator=(const NoGradients&) = delete;

 private:
  bool before_;
};

/// A value, its gradient once there is one, and the operation that made it.
class Tensor {
 public:
  explicit Tensor(sim::Tensor value, bool requires_gradient = true)
      : value_(std::move(value)), requires_gradient_(requires_gradient) {}

  const sim::Tensor& value() const { return value_; }
  const sim::Shape& shape() const { return value_.shape(); }
  const sim::Tensor& grad() const { return grad_; }
  bool has_grad() const { return grad_.is_initialized(); }
  bool requires_gradient() const { return requires_gradient_; }
  /// Off: a frozen parameter. Operations on frozen inputs alone keep nothing for the backward pass.
  void set_requires_gradient(bool requires_gradient) { requires_gradient_ = requires_gradient; }
  void set_grad(const sim::Tensor& grad);
  /// Takes it over, or adds it to what is there, into new memory. Does nothing if no gradient is required.
  void add_grad(const sim::Tensor& grad);
  void clear_grad() { grad_ = sim::Tensor(); }

  /// Runs everything that led to this tensor backwards. Throws std::runtime_error if no operation made it.
  void backward(bool retain_graph = false);
  const std::optional<std::size_t>& node() const { return node_; }
  void set_node(std::optional<std::size_t> node) { node_ = node; }
  void set_value(const sim::Tensor& value) { value_ = value; }

 private:
  sim::Tensor value_;
  sim::Tensor grad_;
  bool requires_gradient_;
  std::optional<std::size_t> node_;
};

TensorPtr make_tensor(sim::Tensor value, bool requires_gradient = true);

TensorPtr add(const TensorPtr& a, const TensorPtr& b);
TensorPtr multiply(const TensorPtr& a, const TensorPtr& b);
TensorPtr multiply(const TensorPtr& a, float scalar);
TensorPtr relu(const TensorPtr& x);
TensorPtr gelu(const TensorPtr& x);
TensorPtr silu(const TensorPtr& x);
TensorPtr softmax(const TensorPtr& x);
TensorPtr mean(const TensorPtr& x);
/// A copy with elements dropped, and the mask's seed: the backward pass makes the mask again.
TensorPtr dropout(const TensorPtr& x, float probability);
/// x times the transpose of `weight` [1, 1, out, in], plus `bias` unless that is null.
TensorPtr linear(const TensorPtr& x, const TensorPtr& weight, const TensorPtr& bias);
TensorPtr matmul(const TensorPtr& a, const TensorPtr& b);
TensorPtr embedding(const TensorPtr& tokens, const TensorPtr& weight);
TensorPtr layer_norm(const TensorPtr& x, const TensorPtr& gamma, const TensorPtr& beta);
TensorPtr rms_norm(const TensorPtr& x, const TensorPtr& gamma);
/// The loss of every row. `chips` above 1: each holds that part of the vocabulary.
TensorPtr cross_entropy(const TensorPtr& logits, const TensorPtr& targets, std::uint32_t chips = 1);
/// Its mean.
TensorPtr cross_entropy_loss(const TensorPtr& logits, const TensorPtr& targets);

struct HeadTensors {
  TensorPtr query;
  TensorPtr key;
  TensorPtr value;
};
/// From queries and keys-with-values; see sim::create_heads.
HeadTensors create_heads(const TensorPtr& query, const TensorPtr& key_value, std::uint32_t heads,
                         std::uint32_t groups);
/// From all three in one tensor.
HeadTensors create_heads(const TensorPtr& query_key_value, std::uint32_t heads);
TensorPtr fuse_heads(const TensorPtr& heads);

/// Tables of rotary position embeddings, for the forward and the backward pass.
struct RotaryTables {
  sim::Tensor cosines;
  sim::Tensor sines;
  sim::Tensor negated_sines;
};
RotaryTables make_rotary_tables(const sim::Device& device, std::uint32_t sequence_length,
                                std::uint32_t head_size);
TensorPtr rotary_embedding(const TensorPtr& x, const RotaryTables& tables);

/// Fused attention, tt-train's default since March 2026: beside its output it keeps one float32 column of
/// tiles for each row (the logarithm of the softmax's sum). Keys and values may have fewer heads than
/// queries. Without `mask` (null) it is causal.
TensorPtr attention(const TensorPtr& query, const TensorPtr& key, const TensorPtr& value,
                    const TensorPtr& mask);
/// Attention from its parts, tt-train's of before: the matrix of attention weights is kept for the backward
/// pass. `mask` may be null.
TensorPtr attention_composite(const TensorPtr& query, const TensorPtr& key, const TensorPtr& value,
                              const TensorPtr& mask);

/// The gated layer silu(x w1^T) * (x w3^T), times w2^T, in one operation as tt-train has it: it keeps the two
/// products and the gated values, frees each as soon as its backward pass has used it.
TensorPtr swiglu(const TensorPtr& x, const TensorPtr& w1, const TensorPtr& w2, const TensorPtr& w3,
                 float dropout_probability = 0);

/// Runs `forward` without keeping anything but its input and output, and a second time in the backward pass.
TensorPtr recompute(const std::function<TensorPtr(const TensorPtr&)>& forward, const TensorPtr& input);

// Collectives. Each chip holds a part of a layer (tensor parallel); `chips` is their number.

/// The value passes unchanged to the parts of a layer; their gradients are summed over the chips.
TensorPtr broadcast(const TensorPtr& x, std::uint32_t chips);
/// Sums the partial results of the chips; the gradient passes unchanged.
TensorPtr all_reduce(const TensorPtr& x, std::uint32_t chips);
/// The whole tensor from the parts that the chips hold; each chip keeps its part of the gradient.
TensorPtr all_gather(const TensorPtr& x, int dim, std::uint32_t chips);

}  // namespace ttscope::train
