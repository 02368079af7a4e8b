#pragma once

#include <cstdint>
#include <string_view>

#include "mem/analyze/memory_profile.h"
#include "mem/model/tensor_type.h"

namespace ttscope::mem {

/// What the inputs of a model tell of its batch and its sequence; 0 where they do not.
struct DataDimensions {
  std::int64_t batch = 0;
  std::int64_t sequence = 0;
  std::int64_t tokens = 0;            ///< batch x sequence, where both are in one input
  std::int64_t cache_length = 0;      ///< tokens that the caches of keys and values hold
  std::int64_t head_size = 0;         ///< their last dimension
  bool is_width_too = false;          ///< a weight has a dimension of the length of the sequence
  bool cache_is_width_too = false;    ///< or of the length of the caches
  bool tokens_are_width_too = false;  ///< or of batch x sequence
};

DataDimensions find_dimensions(const RuntimeLog& log, const MemoryProfile& profile, std::uint32_t rank);
/// Sets what is a width, too, once the sequence is known.
void note_collisions(const MemoryProfile& profile, DataDimensions& dimensions);

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
