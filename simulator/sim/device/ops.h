#pragma once

#include <ttscope/tensor.h>

#include <string>
#include <string_view>
#include <vector>

#include "sim/device/program.h"

namespace ttscope::sim {

/// One device operation: a frame in captures, its outputs, its program.
struct OpCall {
  std::string_view name;  ///< of the frame
  std::string arguments;  ///< what is done, for captures and to tell programs apart
  std::vector<Tensor> inputs;
  std::vector<TensorSpec> outputs;
  std::vector<Tensor> in_place;  ///< inputs that are also results
  OpKind kind = OpKind::kElementwise;
};

/// The outermost operation that runs on this thread; empty: none.
std::string_view current_operation();

/// The new outputs. Throws OutOfMemory, and std::invalid_argument for impossible tensors.
std::vector<Tensor> run_op(const OpCall& call);

/// For operations with one output.
inline Tensor run_single(const OpCall& call) { return run_op(call).front(); }

/// A tensor without an operation around it, but with the frame of its creation.
Tensor create_device_tensor(const Device& device, const TensorSpec& spec);
/// Another shape for the same memory.
Tensor view_of(const Tensor& tensor, const TensorSpec& spec);

/// The input's form with another shape.
TensorSpec spec_like(const Tensor& tensor, const Shape& shape);
/// Shape of an elementwise result; throws std::invalid_argument naming the operation.
Shape broadcast_shape(std::string_view op, const Shape& a, const Shape& b);
/// Throws std::invalid_argument with this text when it does not hold.
void require(bool holds, std::string_view op, std::string_view what);

}  // namespace ttscope::sim
