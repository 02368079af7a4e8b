#pragma once

#include <cstdint>
#include <vector>

#include <ttscope/tensor.h>
#include "sim/device/program.h"

namespace ttscope::sim {

/// Operations that use L1 and kernels alike.
enum class OpKind : std::uint8_t { kCopy, kElementwise, kRowwise, kMatmul, kAttention, kCollective };

/// The circular buffers and the binary of an operation's program, without its key. Modelled: the tiles that
/// the kernels of that kind keep, and binaries of the size that was seen on devices (docs/design/device.md).
Program program_of(OpKind kind, const std::vector<Tensor>& inputs, const std::vector<TensorSpec>& outputs,
                   const DeviceSpec& spec);

/// The first `count` cores of the grid, row by row.
std::vector<CoreRange> first_cores(std::uint64_t count, const DeviceSpec& spec);

}  // namespace ttscope::sim
