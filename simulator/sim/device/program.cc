#include "sim/device/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/device/allocator.h"
#include "sim/device/device_state.h"

namespace ttscope::sim {
namespace {

std::string range_text(const CoreRange& range) {
  return fmt::format("[{}-{} - {}-{}]", range.start_x, range.start_y, range.end_x, range.end_y);
}

using Regions = std::vector<CircularBufferPlaces::Region>;

Regions distinct_regions(const Program& program, std::uint64_t base) {
  Regions regions;
  for (const CircularBuffer& buffer : program.circular_buffers) {
    for (const CoreRange& cores : buffer.cores) {
      const auto known = std::find_if(regions.begin(), regions.end(),
                                      [&](const auto& region) { return region.cores == cores; });
      if (known == regions.end()) regions.push_back({cores, base});
    }
  }
  return regions;
}

bool contains(const std::vector<CoreRange>& ranges, const CoreRange& range) {
  return std::find(ranges.begin(), ranges.end(), range) != ranges.end();
}

void mark(Regions& regions, const CircularBuffer& buffer, std::uint64_t start) {
  for (auto& region : regions) {
    const bool own = contains(buffer.cores, region.cores);
    const bool touched =
        own || std::any_of(buffer.cores.begin(), buffer.cores.end(),
                           [&](const CoreRange& cores) { return cores.intersects(region.cores); });
    if (!touched || (!own && region.end > start)) continue;
    region.end = start + buffer.size_bytes;
  }
}

}  // namespace

bool CoreRange::intersects(const CoreRange& other) const {
  return start_x <= other.end_x && other.start_x <= end_x && start_y <= other.end_y && other.start_y <= end_y;
}

std::string core_ranges_text(const std::vector<CoreRange>& ranges) {
  std::string text = "{";
  for (const CoreRange& range : ranges) {
    if (text.size() > 1) text += ", ";
    text += range_text(range);
  }
  return text + "}";
}

CircularBufferPlaces place_circular_buffers(const Program& program, const DeviceSpec& spec) {
  CircularBufferPlaces places;
  places.regions = distinct_regions(program, spec.l1_base_address);
  for (const CircularBuffer& buffer : program.circular_buffers) {
    std::uint64_t start = spec.l1_base_address;
    for (const auto& region : places.regions) {
      if (contains(buffer.cores, region.cores)) start = std::max(start, region.end);
    }
    start = round_up(start, spec.dram_alignment_bytes);
    places.addresses.push_back(start);
    if (!buffer.globally_allocated) mark(places.regions, buffer, start);
  }
  return places;
}

Result<void> check_circular_buffers(const CircularBufferPlaces& places, const DeviceSpec& spec,
                                    std::optional<std::uint64_t> lowest_tensor_address) {
  for (const auto& region : places.regions) {
    if (region.end > spec.l1_bytes_per_core) {
      return failure(
          bad_input(fmt::format("Statically allocated circular buffers on core range {} grow to {} B which "
                                "is beyond max L1 size of {} B",
                                range_text(region.cores), region.end, spec.l1_bytes_per_core)));
    }
    if (lowest_tensor_address && region.end > *lowest_tensor_address) {
      return failure(bad_input(fmt::format(
          "Statically allocated circular buffers in program {} clash with L1 buffers on core range {}. "
          "L1 buffer allocated at {} and static circular buffer region ends at {}",
          places.program_id, range_text(region.cores), *lowest_tensor_address, region.end)));
    }
  }
  return {};
}

namespace {

// Sizes of kernel binaries as seen on devices.
constexpr std::uint64_t kCopyBinaryBytes = 4096;
constexpr std::uint64_t kElementwiseBinaryBytes = 10240;
constexpr std::uint64_t kRowwiseBinaryBytes = 14336;
constexpr std::uint64_t kCollectiveBinaryBytes = 22528;
constexpr std::uint64_t kAttentionBinaryBytes = 43008;
// A product has a compute kernel and two that read blocks and send them to the other cores of their row and
// column; those that only receive are small.
constexpr std::uint64_t kMatmulSendersBytes = 14336;
constexpr std::uint64_t kMatmulSendersBlackholeBytes = 20480;
constexpr std::uint64_t kMatmulReceiverBytes = 1024;

constexpr std::uint64_t kDoubleBuffered = 2;
constexpr std::uint64_t kMaxRowTiles = 16;  ///< longer rows pass through L1 in parts
constexpr std::uint64_t kMatmulSide = 16;   ///< tiles of an output block that a core makes, along each side
constexpr std::uint64_t kMatmulDepth = 2;   ///< tiles along the inner dimension at a time

std::uint64_t row_tiles(const TensorSpec& spec) {
  const std::uint64_t width = spec.shape.rank() == 0 ? 1 : spec.shape[-1];
  return (width + kTileSide - 1) / kTileSide;
}

std::uint64_t column_tiles(const TensorSpec& spec) {
  const std::uint64_t height = spec.shape.rank() < 2 ? 1 : spec.shape[-2];
  return (height + kTileSide - 1) / kTileSide;
}

std::uint64_t tile_bytes_of(const TensorSpec& spec) { return tile_bytes(spec.dtype); }

bool is_in_l1_shards(const TensorSpec& spec) {
  return spec.memory.type == BufferType::kL1 && spec.memory.layout != BufferLayout::kInterleaved;
}

/// A buffer of `tiles` tiles for each tensor; one that lies in shards in L1 is used in place.
void add_streams(Program& program, const std::vector<TensorSpec>& tensors, std::uint64_t tiles,
                 const std::vector<CoreRange>& cores) {
  for (const TensorSpec& tensor : tensors) {
    program.circular_buffers.push_back({tiles * tile_bytes_of(tensor), cores, is_in_l1_shards(tensor)});
  }
}

void add_matmul(Program& program, const std::vector<TensorSpec>& tensors,
                const std::vector<CoreRange>& cores) {
  const TensorSpec& output = tensors.back();
  const std::uint64_t height = std::min(column_tiles(output), kMatmulSide);
  const std::uint64_t width = std::min(row_tiles(output), kMatmulSide);
  const std::uint64_t depth = std::min(row_tiles(tensors.front()), kMatmulDepth);
  program.circular_buffers.push_back(
      {height * depth * kDoubleBuffered * tile_bytes_of(tensors.front()), cores, false});
  program.circular_buffers.push_back(
      {depth * width * kDoubleBuffered * tile_bytes_of(tensors[1]), cores, false});
  program.circular_buffers.push_back({height * width * tile_bytes_of(output), cores, false});
}

/// Cores that make a product: columns and rows of them.
struct MatmulGrid {
  std::uint32_t columns = 1;
  std::uint32_t rows = 1;
};

/// Between interleaved tensors in DRAM the output is spread over the whole grid; otherwise each core makes a
/// block as large as L1 allows.
MatmulGrid matmul_grid(const std::vector<TensorSpec>& tensors, const DeviceSpec& spec) {
  const bool all_in_dram = std::all_of(tensors.begin(), tensors.end(), [](const TensorSpec& tensor) {
    return tensor.memory.type == BufferType::kDram && tensor.memory.layout == BufferLayout::kInterleaved;
  });
  const auto divided = [&](std::uint64_t tiles, std::uint32_t cores) {
    const std::uint64_t each = all_in_dram ? (tiles + cores - 1) / cores : kMatmulSide;
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>((tiles + each - 1) / each, 1, cores));
  };
  return {divided(row_tiles(tensors.back()), spec.grid_x),
          divided(column_tiles(tensors.back()), spec.grid_y)};
}

/// With more than two columns the receivers of the right half use the other network: kernels of their own.
std::uint64_t matmul_binary_bytes(const MatmulGrid& grid, Arch arch) {
  std::uint64_t receivers = 0;
  if (grid.columns > 1 || grid.rows > 1) receivers += 2;
  if (grid.columns > 2 && grid.rows > 1) receivers += 2;
  const std::uint64_t senders = arch == Arch::kBlackhole ? kMatmulSendersBlackholeBytes : kMatmulSendersBytes;
  return senders + receivers * kMatmulReceiverBytes;
}

}  // namespace

std::vector<CoreRange> first_cores(std::uint64_t count, const DeviceSpec& spec) {
  const std::uint64_t all = spec.l1_banks();
  const auto used = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(count, 1, all));
  const std::uint32_t rows = used / spec.grid_x;
  const std::uint32_t rest = used % spec.grid_x;
  std::vector<CoreRange> ranges;
  if (rows > 0) ranges.push_back({0, 0, spec.grid_x - 1, rows - 1});
  if (rest > 0) ranges.push_back({0, rows, rest - 1, rows});
  return ranges;
}

Program program_of(OpKind kind, const std::vector<Tensor>& inputs, const std::vector<TensorSpec>& outputs,
                   const DeviceSpec& spec) {
  std::vector<TensorSpec> tensors;
  tensors.reserve(inputs.size() + outputs.size());
  for (const Tensor& input : inputs) tensors.push_back(input.spec());
  tensors.insert(tensors.end(), outputs.begin(), outputs.end());
  const TensorSpec& result = tensors.back();
  Program program;
  const auto cores = first_cores(tiles_of(result.shape), spec);
  const MatmulGrid grid = kind == OpKind::kMatmul ? matmul_grid(tensors, spec) : MatmulGrid{};
  switch (kind) {
    case OpKind::kCopy:
      add_streams(program, tensors, kDoubleBuffered, cores);
      program.binary_bytes = kCopyBinaryBytes;
      break;
    case OpKind::kElementwise:
      add_streams(program, tensors, kDoubleBuffered, cores);
      program.binary_bytes = kElementwiseBinaryBytes;
      break;
    case OpKind::kRowwise:
    case OpKind::kAttention:
      add_streams(program, tensors, kDoubleBuffered * std::min(row_tiles(result), kMaxRowTiles), cores);
      program.binary_bytes = kind == OpKind::kAttention ? kAttentionBinaryBytes : kRowwiseBinaryBytes;
      break;
    case OpKind::kMatmul:
      add_matmul(program, tensors, {{0, 0, grid.columns - 1, grid.rows - 1}});
      program.binary_bytes = matmul_binary_bytes(grid, spec.arch);
      break;
    case OpKind::kCollective:
      add_streams(program, tensors, kDoubleBuffered, cores);
      program.binary_bytes = kCollectiveBinaryBytes;
      break;
  }
  return program;
}

}  // namespace ttscope::sim
