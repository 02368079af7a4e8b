#include "sim/device/tensor_pages.h"

#include <fmt/format.h>

#include <array>

#include "mem/model/tensor_type.h"

namespace ttscope::sim {
namespace {

/// The names under which model/tensor_type knows the sizes of elements.
std::string_view element_name(DataType type) {
  static constexpr std::array<std::string_view, 8> kNames{"bf16", "f32",  "bfp_bf8", "bfp_bf4",
                                                          "u32",  "si32", "u16",     "u8"};
  return kNames[static_cast<std::size_t>(type)];
}

bool is_block_format(DataType type) { return type == DataType::kBfloat8B || type == DataType::kBfloat4B; }

std::uint32_t tiles_along(std::uint32_t size) { return (size + kTileSide - 1) / kTileSide; }

std::uint64_t last_dim(const Shape& shape) { return shape.rank() == 0 ? 1 : shape[-1]; }

std::uint64_t element_size(DataType type) {
  return static_cast<std::uint64_t>(mem::element_bytes(element_name(type)));
}

Result<void> apply_shards(const TensorSpec& spec, BufferRequest& request) {
  if (!spec.memory.shard) {
    return failure(
        bad_input(fmt::format("a {} tensor needs a shard specification", name_of(spec.memory.layout))));
  }
  const ShardSpec& shard = *spec.memory.shard;
  request.shard_cores = shard.cores;
  if (spec.layout == Layout::kTile) {
    request.pages_per_shard = std::uint64_t{tiles_along(shard.height)} * tiles_along(shard.width);
  } else {
    request.page_bytes = shard.width * element_size(spec.dtype);
    request.pages_per_shard = shard.height;
  }
  const std::uint64_t held = request.pages_per_shard * shard.cores * request.page_bytes;
  if (held < request.size_bytes) {
    return failure(
        bad_input(fmt::format("{} shards of {} x {} hold {} B, the tensor {} has {} B", shard.cores,
                              shard.height, shard.width, held, spec.shape.text(), request.size_bytes)));
  }
  return {};
}

}  // namespace

std::uint64_t tile_bytes(DataType type) {
  return static_cast<std::uint64_t>(ttscope::mem::tile_bytes(element_name(type), kTileSide, kTileSide));
}

std::uint64_t tiles_of(const Shape& shape) {
  const std::size_t rank = shape.rank();
  std::uint64_t tiles = 1;
  for (std::size_t i = 0; i < rank; ++i) {
    const std::uint32_t dim = shape.dims()[i];
    tiles *= i + 2 >= rank ? tiles_along(dim) : dim;
  }
  return tiles;
}

std::uint64_t TensorSpec::stored_bytes() const {
  if (layout == Layout::kTile) return tiles_of(shape) * tile_bytes(dtype);
  return shape.volume() * element_size(dtype);
}

Result<BufferRequest> buffer_request(const TensorSpec& spec) {
  if (spec.layout == Layout::kRowMajor && is_block_format(spec.dtype)) {
    return failure(bad_input(fmt::format("{} exists only in tiles", name_of(spec.dtype))));
  }
  BufferRequest request;
  request.type = spec.memory.type;
  request.layout = spec.memory.layout;
  request.size_bytes = spec.stored_bytes();
  request.page_bytes =
      spec.layout == Layout::kTile ? tile_bytes(spec.dtype) : last_dim(spec.shape) * element_size(spec.dtype);
  if (spec.memory.layout != BufferLayout::kInterleaved) {
    if (auto sharded = apply_shards(spec, request); !sharded) return failure(sharded.error());
  }
  return request;
}

}  // namespace ttscope::sim
