#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ttscope/tensor.h>
#include "sim/device/op_programs.h"

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

}  // namespace ttscope::sim
