#pragma once

#include <cstdint>
#include <vector>

#include <ttscope/observe_ops.h>
#include <ttscope/tensor.h>
#include "sim/device/program.h"

namespace ttscope::sim {

/// The circular buffers and the binary of an operation's program, without its key. Modelled: the tiles that
/// the kernels of that kind keep, and binaries of the size that was seen on devices (docs/design/device.md).
Program program_of(OpKind kind, const std::vector<Tensor>& inputs, const std::vector<TensorSpec>& outputs,
                   const DeviceSpec& spec);

/// The first `count` cores of the grid, row by row.
std::vector<CoreRange> first_cores(std::uint64_t count, const DeviceSpec& spec);

}  // namespace ttscope::sim
