#include "mem/analyse/fit/resized_type.h"

#include <algorithm>

namespace ttscope::mem {
namespace {

constexpr std::int64_t kTile = 32;

bool is_floating(std::string_view dtype) {
  return dtype == "bf16" || dtype == "f16" || dtype == "f32" || dtype.starts_with("bfp_");
}

bool is_large_matrix(const TensorType& type) {
  const std::size_t rank = type.shape.size();
  return rank >= 2 && type.shape[rank - 1] >= kTile && type.shape[rank - 2] >= kTile;
}

/// Shards keep their cores: each holds so much more or less, in whole pages.
TensorType with_shape(const TensorType& type, const std::vector<std::int64_t>& shape) {
  if (!type.is_sharded()) return with_local_shape(type, shape);
  double ratio = 1;
  for (std::size_t i = 0; i < shape.size(); ++i)
    ratio *= static_cast<double>(shape[i]) / static_cast<double>(std::max<std::int64_t>(type.shape[i], 1));
  TensorType resized = type;
  resized.shape = shape;
  if (!resized.memref.empty()) {
    const double rows = static_cast<double>(resized.memref.front()) * ratio;
    resized.memref.front() = std::max<std::int64_t>(static_cast<std::int64_t>(rows + 0.999999), 1);
  }
  compute_sizes(resized);
  return resized;
}

}  // namespace

TensorType in_block_format(const TensorType& type, std::string_view dtype) {
  if (!type.is_tiled() || !is_floating(type.dtype) || !is_large_matrix(type)) return type;
  TensorType smaller = type;
  smaller.dtype = dtype;
  compute_sizes(smaller);
  return smaller.page_bytes < type.page_bytes ? smaller : type;
}

TensorType in_rows(const TensorType& type) {
  if (!type.is_tiled() || type.is_sharded() || type.dtype.starts_with("bfp_") || type.shape.empty()) return type;
  TensorType rows = type;
  rows.tile_height = rows.tile_width = 0;
  return with_local_shape(rows, type.shape);
}

TensorType split_matrix(const TensorType& type, std::int64_t ways) {
  if (ways < 2 || !is_large_matrix(type)) return type;
  const std::size_t rank = type.shape.size();
  for (const std::size_t dim : {rank - 1, rank - 2}) {
    if (type.shape[dim] % (ways * kTile) != 0) continue;
    std::vector<std::int64_t> shape = type.shape;
    shape[dim] /= ways;
    return with_shape(type, shape);
  }
  return type;
}

TensorType split_heads(const TensorType& type, std::int64_t ways) {
  if (ways < 2 || type.shape.size() != 4 || type.shape[1] % ways != 0) return type;
  std::vector<std::int64_t> shape = type.shape;
  shape[1] /= ways;
  return with_shape(type, shape);
}

TensorType with_batch(const TensorType& type, std::int64_t from, std::int64_t to) {
  if (type.shape.size() < 2 || from < 1 || type.shape[0] < 1 || type.shape[0] % from != 0) return type;
  std::vector<std::int64_t> shape = type.shape;
  shape[0] = saturating_multiply(shape[0] / from, to);
  return with_shape(type, shape);
}

TensorType with_sequence(const TensorType& type, const DataDimensions& now, std::int64_t to) {
  if (now.sequence < 1) return type;
  std::vector<std::int64_t> shape = type.shape;
  for (std::int64_t& dim : shape) {
    if (dim == now.sequence) {
      dim = to;
    } else if (dim == now.tokens && now.tokens > 0) {
      dim = saturating_multiply(now.tokens / now.sequence, to);
    }
  }
  return shape == type.shape ? type : with_shape(type, shape);
}

}  // namespace ttscope::mem
