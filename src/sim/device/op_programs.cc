#include "sim/device/op_programs.h"

#include <algorithm>

#include "sim/device/tensor_pages.h"

namespace ttscope::sim {
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

bool lies_in_l1_shards(const TensorSpec& spec) {
  return spec.memory.type == BufferType::kL1 && spec.memory.layout != BufferLayout::kInterleaved;
}

/// A buffer of `tiles` tiles for each tensor; one that lies in shards in L1 is used in place.
void add_streams(Program& program, const std::vector<TensorSpec>& tensors, std::uint64_t tiles,
                 const std::vector<CoreRange>& cores) {
  for (const TensorSpec& tensor : tensors) {
    program.circular_buffers.push_back({tiles * tile_bytes_of(tensor), cores, lies_in_l1_shards(tensor)});
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
