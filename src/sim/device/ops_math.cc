// Declared in include/ttscope/ops.h.
#include <fmt/format.h>

#include <ttscope/ops.h>
#include "sim/device/op_run.h"
#include "sim/device/op_shapes.h"

namespace ttscope::sim {
namespace {

/// One column for each row of the tensor.
TensorSpec column_of(const Tensor& tensor) { return spec_like(tensor, tensor.shape().with(-1, 1)); }

Shape transposed_if(bool transposed, const Shape& shape) {
  require(shape.rank() >= 2, "matmul", "needs two dimensions");
  return transposed ? shape.with(-1, shape[-2]).with(-2, shape[-1]) : shape;
}

Shape matmul_shape(const Shape& left, const Shape& right) {
  require(left[-1] == right[-2], "matmul",
          fmt::format("{} and {} do not go together: {} columns, {} rows", left.text(), right.text(),
                      left[-1], right[-2]));
  const Shape batch = broadcast_shape("matmul", left.with(-1, 1).with(-2, 1), right.with(-1, 1).with(-2, 1));
  return batch.with(-2, left[-2]).with(-1, right[-1]);
}

}  // namespace

Tensor unary(std::string_view op, const Tensor& tensor) {
  return run_single(
      {"UnaryDeviceOperation", std::string(op), {tensor}, {tensor.spec()}, {}, OpKind::kElementwise});
}

Tensor binary(std::string_view op, const Tensor& a, const Tensor& b) {
  const Shape shape = broadcast_shape(op, a.shape(), b.shape());
  const Tensor& form = a.shape() == shape ? a : b;
  return run_single({"BinaryNgDeviceOperation",
                     std::string(op),
                     {a, b},
                     {spec_like(form, shape)},
                     {},
                     OpKind::kElementwise});
}

Tensor binary_scalar(std::string_view op, const Tensor& tensor, float scalar) {
  return run_single({"BinaryNgDeviceOperation",
                     fmt::format("{}, scalar={}", op, scalar),
                     {tensor},
                     {tensor.spec()},
                     {},
                     OpKind::kElementwise});
}

void unary_in_place(std::string_view op, const Tensor& tensor) {
  run_op({"UnaryDeviceOperation", std::string(op), {tensor}, {}, {tensor}, OpKind::kElementwise});
}

void add_in_place(const Tensor& a, const Tensor& b) {
  require(a.shape() == b.shape(), "add_in_place", "the shapes differ");
  run_op({"BinaryNgDeviceOperation", "add", {a, b}, {}, {a}, OpKind::kElementwise});
}

Tensor sum(const Tensor& tensor, const std::vector<int>& dims) {
  Shape shape = tensor.shape();
  for (const int dim : dims) shape = shape.with(dim, 1);
  return run_single({"ReduceDeviceOperation",
                     fmt::format("sum, dims={}", fmt::join(dims, " ")),
                     {tensor},
                     {spec_like(tensor, shape)},
                     {},
                     OpKind::kRowwise});
}

Tensor mean(const Tensor& tensor) {
  std::vector<std::uint32_t> ones(tensor.shape().rank(), 1);
  return run_single({"ReduceDeviceOperation",
                     "mean",
                     {tensor},
                     {spec_like(tensor, Shape(std::move(ones)))},
                     {},
                     OpKind::kRowwise});
}

Tensor matmul(const Tensor& a, const Tensor& b, const MatmulOptions& options) {
  const Shape left = transposed_if(options.transpose_a, a.shape());
  const Shape right = transposed_if(options.transpose_b, b.shape());
  TensorSpec spec = spec_like(a, matmul_shape(left, right));
  spec.memory = options.memory.value_or(spec.memory);
  const std::string arguments =
      fmt::format("transpose_a={}, transpose_b={}", options.transpose_a, options.transpose_b);
  return run_single({"MatmulDeviceOperation", arguments, {a, b}, {spec}, {}, OpKind::kMatmul});
}

NormResult layer_norm(const Tensor& input, const Tensor& gamma, const Tensor& beta) {
  require(input.shape()[-1] == gamma.shape()[-1] && gamma.shape() == beta.shape(), "layer_norm",
          "gamma and beta need one value for each column");
  const TensorSpec column = column_of(input);
  auto outputs = run_op({"LayerNormDeviceOperation",
                         "",
                         {input, gamma, beta},
                         {input.spec(), column, column},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {outputs[1], outputs[2]}};
}

NormResult rms_norm(const Tensor& input, const Tensor& gamma) {
  require(input.shape()[-1] == gamma.shape()[-1], "rms_norm", "gamma needs one value for each column");
  auto outputs = run_op({"RMSNormForwardDeviceOperation",
                         "",
                         {input, gamma},
                         {input.spec(), column_of(input)},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {outputs[1]}};
}

NormGradients layer_norm_backward(const Tensor& gradient, const Tensor& input, const Tensor& gamma) {
  // The parameters' gradients are made for every row and summed up over the rows.
  auto outputs = run_op({"LayerNormBackwardDeviceOperation",
                         "",
                         {input, gamma, gradient},
                         {input.spec(), input.spec(), input.spec()},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {sum(outputs[1], {0, 1, 2}), sum(outputs[2], {0, 1, 2})}};
}

NormGradients rms_norm_backward(const Tensor& gradient, const Tensor& input, const Tensor& gamma) {
  auto outputs = run_op({"RMSNormBackwardDeviceOperation",
                         "",
                         {input, gamma, gradient},
                         {input.spec(), input.spec()},
                         {},
                         OpKind::kRowwise});
  return {outputs[0], {sum(outputs[1], {0, 1, 2})}};
}

Tensor softmax(const Tensor& tensor) {
  return run_single({"SoftmaxDeviceOperation", "", {tensor}, {tensor.spec()}, {}, OpKind::kRowwise});
}

Tensor softmax_backward(const Tensor& output, const Tensor& gradient) {
  require(output.shape() == gradient.shape(), "softmax_backward", "the gradient has another shape");
  return run_single(
      {"MorehSoftmaxBackwardOperation", "", {output, gradient}, {output.spec()}, {}, OpKind::kRowwise});
}

void optimizer_step(std::string_view op, const Tensor& parameter, const Tensor& gradient,
                    const std::vector<Tensor>& states) {
  require(parameter.shape() == gradient.shape(), op, "the gradient has another shape");
  std::vector<Tensor> inputs{parameter, gradient};
  inputs.insert(inputs.end(), states.begin(), states.end());
  std::vector<Tensor> changed{parameter};
  changed.insert(changed.end(), states.begin(), states.end());
  run_op({op, "", inputs, {}, changed, OpKind::kElementwise});
}

void sgd_step(const Tensor& parameter, const Tensor& gradient) {
  optimizer_step("SGDDeviceOperation", parameter, gradient, {});
}

void adamw_step(const Tensor& parameter, const Tensor& gradient, const Tensor& first_moment,
                const Tensor& second_moment) {
  optimizer_step("AdamWDeviceOperation", parameter, gradient, {first_moment, second_moment});
}

}  // namespace ttscope::sim
