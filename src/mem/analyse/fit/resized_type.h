#pragma once

#include <cstdint>
#include <string_view>

#include "mem/analyse/fit/data_dimensions.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {

/// The same tensor stored or shaped in another way; the same type where that cannot be.

/// A float matrix of tiles in a block format (`bfp_bf8`).
TensorType in_block_format(const TensorType& type, std::string_view dtype);
/// Rows instead of tiles. Block formats and shards stay.
TensorType in_rows(const TensorType& type);
/// The part of one of `ways` devices: columns, else rows, in whole tiles.
TensorType split_matrix(const TensorType& type, std::int64_t ways);
/// The same of a cache of keys or values: its heads.
TensorType split_heads(const TensorType& type, std::int64_t ways);
/// Data of another batch: the first dimension is a multiple of it. Shards go to more of the `cores` as the
/// data grow, and become larger when there are no more.
TensorType with_batch(const TensorType& type, const DataDimensions& now, std::int64_t to, std::int64_t cores);
/// Data of another sequence: dimensions that equal it, or batch x sequence; where it outgrows the caches,
/// those that equal their length too.
TensorType with_sequence(const TensorType& type, const DataDimensions& now, std::int64_t to,
                         std::int64_t cores);
/// A cache of keys or values for so many tokens.
TensorType with_cache_length(const TensorType& type, std::int64_t length);

}  // namespace ttscope::mem
