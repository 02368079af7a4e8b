#pragma once

#include <cstdint>

#include "mem/analyse/memory_profile.h"

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

DataDimensions find_dimensions(const RuntimeTrace& trace, const MemoryProfile& profile, std::uint32_t rank);
/// Sets what is a width, too, once the sequence is known.
void note_collisions(const MemoryProfile& profile, DataDimensions& dimensions);

}  // namespace ttscope::mem
