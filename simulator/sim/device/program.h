#pragma once

#include <ttscope/device.h>
#include <ttscope/observe_ops.h>
#include <ttscope/tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace ttscope::sim {

/// A rectangle of cores, both corners included.
struct CoreRange {
  std::uint32_t start_x = 0;
  std::uint32_t start_y = 0;
  std::uint32_t end_x = 0;
  std::uint32_t end_y = 0;
  bool intersects(const CoreRange& other) const;
  bool operator==(const CoreRange&) const = default;
};

/// `{[0-0 - 7-7], [0-8 - 3-8]}`.
std::string core_ranges_text(const std::vector<CoreRange>& ranges);

struct CircularBuffer {
  std::uint64_t size_bytes = 0;  ///< on each core
  std::vector<CoreRange> cores;
  bool globally_allocated = false;  ///< lies in an L1 tensor, takes no space of its own
};

/// What an operation runs on the cores, as far as memory is concerned.
struct Program {
  std::string key;  ///< equal keys: the same program, found in the cache
  std::vector<CircularBuffer> circular_buffers;
  std::uint64_t binary_bytes = 0;  ///< of its kernels, in DRAM
};

struct CircularBufferPlaces {
  std::uint64_t program_id = 0;
  std::vector<std::uint64_t> addresses;  ///< one for each buffer of the program
  struct Region {
    CoreRange cores;
    std::uint64_t end = 0;
  };
  std::vector<Region> regions;  ///< one for each distinct range of cores
};

/// Circular buffers grow up from the base of L1, in the order of their creation.
CircularBufferPlaces place_circular_buffers(const Program& program, const DeviceSpec& spec);

/// Whether the program can run beside the L1 tensors of which the lowest begins at `lowest_tensor_address`.
/// The error's text is tt-metal's.
Result<void> check_circular_buffers(const CircularBufferPlaces& places, const DeviceSpec& spec,
                                    std::optional<std::uint64_t> lowest_tensor_address);

/// The circular buffers and the binary of an operation's program, without its key. Modeled: the tiles that
/// the kernels of that kind keep, and binaries of the size that was seen on devices (docs/design/device.md).
Program program_of(OpKind kind, const std::vector<Tensor>& inputs, const std::vector<TensorSpec>& outputs,
                   const DeviceSpec& spec);

/// The first `count` cores of the grid, row by row.
std::vector<CoreRange> first_cores(std::uint64_t count, const DeviceSpec& spec);

}  // namespace ttscope::sim
