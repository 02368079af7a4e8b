#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mem/model/device.h"

namespace ttscope::mem {

enum class BufferType : std::uint8_t { kNone, kDram, kL1, kSystemMemory, kL1Small, kTrace };

enum class MemoryLayout : std::uint8_t {
  kNone,
  kInterleaved,
  kHeightSharded,
  kWidthSharded,
  kBlockSharded,
  kNdSharded
};

/// One `tensor<shape x element, layout>` as the compiler wrote it. Sizes that do not depend on the device are
/// computed once, when the text is parsed; all saturate instead of overflowing.
struct TensorType {
  std::string_view text;            ///< whole type text; owned by the trace
  std::vector<std::int64_t> shape;  ///< logical dims; a dynamic dim is -1
  std::string dtype;  ///< element as stored; differs from the tensor's when the layout packs it (`bfp_bf8`)
  std::string
      tensor_dtype;  ///< element as written in the tensor (`bf16`, `!ttcore.tile<..>` gives `bfp_bf8`)
  std::vector<std::int64_t> memref;  ///< dims of one shard: tiles when tiled, elements otherwise
  std::vector<std::int64_t> grid;    ///< cores (or banks) that hold shards
  std::int64_t tile_height = 0;      ///< 0 when row-major
  std::int64_t tile_width = 0;
  BufferType buffer = BufferType::kNone;
  MemoryLayout layout = MemoryLayout::kNone;
  bool is_tensor = false;  ///< false for `!ttnn.device` and the like
  bool has_layout = false;
  std::int64_t logical_bytes = 0;  ///< elements x element bytes, no padding
  std::int64_t padded_bytes = 0;   ///< whole tensor as stored: shard x cores
  std::int64_t page_bytes = 0;     ///< a tile, or a row of a row-major shard
  std::int64_t pages_per_shard = 0;
  std::int64_t shard_count = 1;

  bool is_tiled() const { return tile_height > 0; }
  bool is_sharded() const { return layout >= MemoryLayout::kHeightSharded; }
  bool on_device() const { return buffer != BufferType::kNone && buffer != BufferType::kSystemMemory; }
};

/// Bytes of one 32x32 tile (or any tile shape) of an element type; 0 for unknown names.
std::int64_t tile_bytes(std::string_view dtype, std::int64_t height, std::int64_t width);
/// Bytes of one element stored outside a block format; 0 for unknown names.
std::int64_t element_bytes(std::string_view dtype);

/// Fills the size fields from shape, dtype, memref, grid and layout.
void compute_sizes(TensorType& type);
/// The same tensor as one device of a mesh holds it.
TensorType with_local_shape(const TensorType& type, const std::vector<std::int64_t>& local_shape);

/// Bytes the allocator takes in every bank (lockstep), 0 for host tensors: pages, alignment and block
/// rounding included.
std::int64_t bytes_per_bank(const TensorType& type, const DeviceFacts& device);

std::string_view name_of(BufferType buffer);
std::string_view name_of(MemoryLayout layout);
std::string shape_text(const std::vector<std::int64_t>& shape);  ///< `1x32x4`; empty for rank 0
/// Dims of the tensor as stored (tile-aligned), for display.
std::vector<std::int64_t> padded_shape(const TensorType& type);

/// a*b (of values >= 0) and a+b for sizes from hostile text: clamp at 2^62 instead of overflowing.
std::int64_t saturating_multiply(std::int64_t a, std::int64_t b);
std::int64_t saturating_add(std::int64_t a, std::int64_t b);

}  // namespace ttscope::mem
