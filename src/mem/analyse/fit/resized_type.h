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
/// Data of another batch: the first dimension is a multiple of it.
TensorType with_batch(const TensorType& type, std::int64_t from, std::int64_t to);
/// Data of another sequence: dimensions that equal it, or batch x sequence.
TensorType with_sequence(const TensorType& type, const DataDimensions& now, std::int64_t to);

}  // namespace ttscope::mem
