#pragma once

// Who wants to know what a simulated device runs: a profiler, a log, a program that runs it somewhere else.

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <ttscope/tensor.h>

namespace ttscope::sim {

/// Operations that use L1 and kernels alike.
enum class OpKind : std::uint8_t { kCopy, kElementwise, kRowwise, kMatmul, kAttention, kCollective };

/// An operation that a device ran, for as long as its observer looks at it.
struct ObservedOp {
  std::string_view name;       ///< `MatmulDeviceOperation`
  std::string_view arguments;  ///< what was done: `transpose_a=false, transpose_b=true`; may be empty
  std::string_view program;    ///< equal ones are the same program
  OpKind kind = OpKind::kElementwise;
  const std::vector<Tensor>& inputs;
  const std::vector<Tensor>& outputs;  ///< new ones, then inputs that were changed
};

/// From now on `observer` is told of each operation after it ran, not of those that are only recorded; none:
/// nobody is. It must run no operation itself. What it throws leaves the operation, whose outputs are then
/// lost; it may call this function.
void observe_ops(const Device& device, std::function<void(const ObservedOp&)> observer);

}  // namespace ttscope::sim
