#include "mem/model/tensor_type.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace ttscope::mem {
namespace {

constexpr std::int64_t kSizeLimit = std::int64_t{1} << 62;

std::int64_t product(const std::vector<std::int64_t>& dims, std::size_t count) {
  std::int64_t result = 1;
  for (std::size_t i = 0; i < count; ++i)
    result = saturating_multiply(result, std::max<std::int64_t>(dims[i], 0));
  return result;
}

std::int64_t product(const std::vector<std::int64_t>& dims) { return product(dims, dims.size()); }

std::int64_t divide_up(std::int64_t value, std::int64_t by) { return value / by + (value % by != 0 ? 1 : 0); }

std::int64_t round_up(std::int64_t value, std::int64_t to) {
  return value > kSizeLimit - to ? kSizeLimit : divide_up(value, to) * to;
}

/// Block formats share an exponent byte among 16 elements, so one element has no whole number of bytes.
std::int64_t block_tile_bytes(std::string_view dtype) {
  if (dtype == "bfp_f8" || dtype == "bfp_bf8") return 1088;
  if (dtype == "bfp_f4" || dtype == "bfp_bf4") return 576;
  if (dtype == "bfp_f2" || dtype == "bfp_bf2") return 320;
  return 0;
}

std::int64_t logical_size(const TensorType& type) {
  const std::int64_t elements = product(type.shape);
  const std::int64_t block = block_tile_bytes(type.dtype);
  if (block == 0) return saturating_multiply(elements, element_bytes(type.dtype));
  return divide_up(saturating_multiply(elements, block), 1024);
}

}  // namespace

std::int64_t saturating_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  return __builtin_mul_overflow(a, b, &result) || result > kSizeLimit ? kSizeLimit : result;
}

std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return a > 0 ? kSizeLimit : -kSizeLimit;
  return std::clamp(result, -kSizeLimit, kSizeLimit);
}

std::int64_t element_bytes(std::string_view dtype) {
  if (dtype == "bool") return 1;
  if (dtype == "index") return 8;
  // Every other MLIR element name carries its width in bits: bf16, si32, u8, i1, f8E4M3FN.
  const std::size_t digits = dtype.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  std::int64_t bits = 0;
  const auto read = std::from_chars(dtype.data() + digits, dtype.data() + dtype.size(), bits);
  return read.ec != std::errc() || bits > 1024 ? 0 : std::max<std::int64_t>(bits / 8, 1);
}

std::int64_t tile_bytes(std::string_view dtype, std::int64_t height, std::int64_t width) {
  const std::int64_t block = block_tile_bytes(dtype);
  const std::int64_t elements = saturating_multiply(height, width);
  if (block != 0) return divide_up(saturating_multiply(elements, block), 1024);
  return saturating_multiply(elements, element_bytes(dtype));
}

void compute_sizes(TensorType& type) {
  type.logical_bytes = logical_size(type);
  if (!type.has_layout) return;
  // L1 interleaved layouts carry the compute grid, and their memref is one core's part, as for shards.
  const bool split =
      type.is_sharded() || type.buffer == BufferType::kL1 || type.buffer == BufferType::kL1Small;
  type.shard_count = split ? std::max<std::int64_t>(product(type.grid), 1) : 1;
  if (type.is_tiled()) {
    type.page_bytes = tile_bytes(type.dtype, type.tile_height, type.tile_width);
    type.pages_per_shard = product(type.memref);
  } else {
    const std::int64_t row = type.memref.empty() ? 1 : std::max<std::int64_t>(type.memref.back(), 0);
    type.page_bytes = saturating_multiply(row, element_bytes(type.dtype));
    type.pages_per_shard = product(type.memref, type.memref.empty() ? 0 : type.memref.size() - 1);
  }
  type.padded_bytes =
      saturating_multiply(saturating_multiply(type.page_bytes, type.pages_per_shard), type.shard_count);
}

TensorType with_local_shape(const TensorType& type, const std::vector<std::int64_t>& local_shape) {
  TensorType local = type;
  local.shape = local_shape;
  if (type.has_layout && !type.is_sharded() && !type.memref.empty()) {
    const std::size_t rank = local_shape.size();
    const std::int64_t height = rank > 1 ? local_shape[rank - 2] : 1;
    const std::int64_t width = rank > 0 ? local_shape[rank - 1] : 1;
    const std::int64_t outer = rank > 2 ? product(local_shape, rank - 2) : 1;
    if (type.is_tiled()) {
      local.memref = {saturating_multiply(outer, divide_up(height, type.tile_height)),
                      divide_up(width, type.tile_width)};
    } else {
      local.memref = {saturating_multiply(outer, height), width};
    }
    local.grid.assign(local.grid.size(), 1);  // the memref is now the whole, not one core's part of it
  }
  compute_sizes(local);
  return local;
}

std::int64_t bytes_per_bank(const TensorType& type, const DeviceFacts& device) {
  if (!type.has_layout || !type.on_device()) return 0;
  const bool in_dram = type.buffer == BufferType::kDram;
  const std::int64_t align = in_dram ? device.dram_alignment_bytes : device.l1_alignment_bytes;
  const std::int64_t banks =
      std::max<std::uint32_t>(device.banks[index_of(in_dram ? Memory::kDram : Memory::kL1)], 1);
  const std::int64_t total_pages = saturating_multiply(type.pages_per_shard, type.shard_count);
  const std::int64_t pages = type.is_sharded() ? type.pages_per_shard : divide_up(total_pages, banks);
  const std::int64_t size = saturating_multiply(pages, round_up(type.page_bytes, align));
  return round_up(size,
                  device.dram_alignment_bytes);  // the free list rounds every block to the DRAM alignment
}

std::string_view name_of(BufferType buffer) {
  constexpr std::array<std::string_view, 6> kNames = {"", "dram", "l1", "system_memory", "l1_small", "trace"};
  return kNames[static_cast<std::size_t>(buffer)];
}

std::string_view name_of(MemoryLayout layout) {
  constexpr std::array<std::string_view, 6> kNames = {
      "", "interleaved", "height_sharded", "width_sharded", "block_sharded", "nd_sharded"};
  return kNames[static_cast<std::size_t>(layout)];
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text;
  for (const std::int64_t dim : shape) {
    if (!text.empty()) text += 'x';
    text += dim < 0 ? "?" : std::to_string(dim);
  }
  return text;
}

std::vector<std::int64_t> padded_shape(const TensorType& type) {
  if (!type.is_tiled() || type.memref.empty()) return type.shape;
  std::vector<std::int64_t> dims = type.memref;
  if (dims.size() == 1) dims.insert(dims.begin(), 1);
  const bool split = type.shard_count > 1 && type.grid.size() >= 2;
  const std::int64_t grid_rows = split ? type.grid[0] : 1;
  const std::int64_t grid_columns = split ? type.grid[1] : 1;
  std::int64_t& rows = dims[dims.size() - 2];
  std::int64_t& columns = dims[dims.size() - 1];
  const auto stored = [](std::int64_t tiles, std::int64_t tile, std::int64_t cores) {
    return tiles < 0
               ? -1
               : saturating_multiply(saturating_multiply(tiles, tile), cores);  // a dynamic dim stays one
  };
  rows = stored(rows, type.tile_height, grid_rows);
  columns = stored(columns, type.tile_width, grid_columns);
  return dims;
}

}  // namespace ttscope::mem
