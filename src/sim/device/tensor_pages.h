#pragma once

#include <ttscope/tensor.h>
#include "base/result.h"
#include "sim/device/buffer_layout.h"

namespace ttscope::sim {

inline constexpr std::uint32_t kTileSide = 32;

/// Bytes of a 32x32 tile of this type.
std::uint64_t tile_bytes(DataType type);
/// Tiles of the whole tensor: leading dimensions times tiles of the last two.
std::uint64_t tiles_of(const Shape& shape);
/// The buffer that a tensor needs: its pages, and where they go.
Result<BufferRequest> buffer_request(const TensorSpec& spec);

}  // namespace ttscope::sim
