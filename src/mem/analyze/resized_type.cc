#include "mem/analyze/resized_type.h"

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

std::int64_t up_to_whole(std::int64_t value, std::int64_t by) {
  return value / by + (value % by != 0 ? 1 : 0);
}

/// Rows of shards over cores: as many cores as there are rows of what one holds, then larger shards.
TensorType with_shard_rows(const TensorType& type, double ratio, std::int64_t cores) {
  TensorType resized = type;
  if (resized.memref.empty() || resized.grid.empty() || resized.memref.front() < 1) return resized;
  std::int64_t& rows = resized.memref.front();
  constexpr std::int64_t kMaxGridRows = 8;
  const bool by_columns = type.layout == MemoryLayout::kWidthSharded;
  const bool by_block = type.layout == MemoryLayout::kBlockSharded;
  const std::int64_t most = by_columns ? 1 : by_block ? kMaxGridRows : std::max<std::int64_t>(cores, 1);
  const std::int64_t spread = by_columns ? 1 : std::max<std::int64_t>(resized.grid.front(), 1);
  const double all = static_cast<double>(rows) * static_cast<double>(spread) * ratio;
  constexpr double kMaxRows = 1e15;
  const auto wanted =
      std::max<std::int64_t>(static_cast<std::int64_t>(std::min(all, kMaxRows) + 0.999999), 1);
  // Shards that are larger than they must be though there are cores left stay so: somebody chose it.
  const bool is_choice = rows > 1 && spread < most;
  const std::int64_t used = std::min(is_choice ? up_to_whole(wanted, rows) : wanted, most);
  rows = up_to_whole(wanted, used);
  if (!by_columns) resized.grid.front() = used;
  return resized;
}

/// Whether the last dimension only happens to equal the sequence, which is an earlier one: the width of the
/// model, or the size of a head where the sequence comes behind heads.
bool ends_in_width(const TensorType& type, const DataDimensions& now) {
  const std::size_t rank = type.shape.size();
  if (rank >= 2 && now.tokens_are_width_too && now.tokens != now.sequence && type.shape.back() == now.tokens)
    return true;
  if (rank < 2 || type.shape.back() != now.sequence) return false;
  const bool has_heads = rank >= 4 && type.shape[rank - 2] == now.sequence;
  const bool collides = has_heads ? now.head_size == now.sequence : now.is_width_too;
  const auto is_sequence = [&](std::int64_t dim) { return dim == now.sequence || dim == now.tokens; };
  return collides && std::any_of(type.shape.begin(), type.shape.end() - 1, is_sequence);
}

TensorType with_data_shape(const TensorType& type, const std::vector<std::int64_t>& shape,
                           std::int64_t cores) {
  if (!type.is_sharded()) return with_local_shape(type, shape);
  // In tiles, of which shards are made: 100 rows are 4 of them.
  const auto stored = [&](std::int64_t length, std::size_t dim) {
    const bool tiled = type.is_tiled() && dim + 2 >= shape.size();
    return static_cast<double>(tiled ? up_to_whole(length, kTile) : std::max<std::int64_t>(length, 1));
  };
  double ratio = 1;
  for (std::size_t i = 0; i < shape.size(); ++i)
    ratio *= stored(shape[i], i) / std::max(stored(type.shape[i], i), 1.0);
  TensorType resized = with_shard_rows(type, ratio, cores);
  resized.shape = shape;
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
  if (!type.is_tiled() || type.is_sharded() || type.dtype.starts_with("bfp_") || type.shape.empty())
    return type;
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
    return type.is_sharded() ? type : with_local_shape(type, shape);
  }
  return type;
}

TensorType split_heads(const TensorType& type, std::int64_t ways) {
  const bool can = ways > 1 && type.shape.size() == 4 && type.shape[1] % ways == 0 && !type.is_sharded();
  if (!can) return type;
  std::vector<std::int64_t> shape = type.shape;
  shape[1] /= ways;
  return with_local_shape(type, shape);
}

TensorType with_batch(const TensorType& type, const DataDimensions& now, std::int64_t to,
                      std::int64_t cores) {
  const bool can =
      type.shape.size() >= 2 && now.batch > 0 && type.shape[0] > 0 && type.shape[0] % now.batch == 0;
  if (!can) return type;
  std::vector<std::int64_t> shape = type.shape;
  shape[0] = saturating_multiply(shape[0] / now.batch, to);
  return with_data_shape(type, shape, cores);
}

TensorType with_cache_length(const TensorType& type, std::int64_t length) {
  if (type.shape.size() != 4 || type.is_sharded()) return type;
  std::vector<std::int64_t> shape = type.shape;
  shape[2] = up_to_whole(length, kTile) * kTile;
  return with_local_shape(type, shape);
}

TensorType with_sequence(const TensorType& type, const DataDimensions& now, std::int64_t to,
                         std::int64_t cores) {
  if (now.sequence < 1) return type;
  std::vector<std::int64_t> shape = type.shape;
  const bool keeps_widths = now.cache_is_width_too && shape.size() < 4 && is_floating(type.dtype);
  const std::size_t scaled = shape.size() - (ends_in_width(type, now) ? 1 : 0);
  const bool folded = std::find(shape.begin(), shape.end(), now.sequence) == shape.end() && shape.size() < 4;
  for (std::size_t i = 0; i < scaled; ++i) {
    std::int64_t& dim = shape[i];
    if (dim == now.sequence) {
      dim = to;
    } else if (dim == now.tokens && folded) {
      dim = saturating_multiply(now.tokens / now.sequence, to);
    } else if (dim == now.cache_length && to > now.cache_length && !keeps_widths) {
      dim = up_to_whole(to, kTile) * kTile;
    }
  }
  return shape == type.shape ? type : with_data_shape(type, shape, cores);
}

namespace {

bool is_integer(std::string_view dtype) {
  return dtype.starts_with("si") || dtype.starts_with("ui") || dtype.starts_with("u") ||
         dtype.starts_with("i");
}

bool is_larger(const TensorType& type, const TensorType* than) {
  return than == nullptr || type.logical_bytes > than->logical_bytes;
}

}  // namespace

/// The batch is the first dimension of the largest input. The sequence is the second one of the largest
/// matrix of integers, the tokens; where there is none, of the largest input of three dimensions.
DataDimensions find_dimensions(const RuntimeLog& log, const MemoryProfile& profile,
                               std::uint32_t rank_index) {
  const RankProfile& rank = profile.ranks[rank_index];
  const TensorType* largest = nullptr;
  const TensorType* tokens = nullptr;
  const TensorType* embedded = nullptr;
  for (const Buffer& buffer : rank.buffers) {
    if (buffer.kind != TensorKind::kInput) continue;
    const TensorType& type = type_of(log, rank, buffer);
    if (type.shape.size() < 2 || type.shape[0] < 1 || type.shape[1] < 1) continue;
    if (is_larger(type, largest)) largest = &type;
    const bool of_integers = is_integer(type.dtype);
    if (type.shape.size() == 2 && of_integers && is_larger(type, tokens)) tokens = &type;
    if (type.shape.size() == 3 && !of_integers && is_larger(type, embedded)) embedded = &type;
  }
  DataDimensions found;
  for (const Argument& argument : profile.arguments) {
    if (!argument.kv_cache || argument.shape.size() != 4) continue;
    found.cache_length = std::max(found.cache_length, argument.shape[2]);
    found.head_size = argument.shape[3];
  }
  if (largest != nullptr) found.batch = largest->shape[0];
  if (tokens == nullptr) tokens = embedded;
  if (tokens == nullptr) return found;
  found.sequence = tokens->shape[1];
  found.tokens = saturating_multiply(tokens->shape[0], tokens->shape[1]);
  return found;
}

void note_collisions(const MemoryProfile& profile, DataDimensions& dimensions) {
  for (const Argument& argument : profile.arguments) {
    const auto& shape = argument.shape;
    // Of matrices: a list of frequencies that happens to be as long is no width of the model.
    const auto has = [&](std::int64_t length) {
      return argument.is_weight() && shape.size() >= 2 &&
             std::find(shape.begin(), shape.end(), length) != shape.end();
    };
    dimensions.is_width_too |= has(dimensions.sequence);
    dimensions.cache_is_width_too |= has(dimensions.cache_length);
    dimensions.tokens_are_width_too |= has(dimensions.tokens);
  }
}

}  // namespace ttscope::mem
