#include "mem/analyse/fit/data_dimensions.h"

#include <algorithm>

namespace ttscope::mem {
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
DataDimensions find_dimensions(const RuntimeTrace& trace, const MemoryProfile& profile,
                               std::uint32_t rank_index) {
  const RankProfile& rank = profile.ranks[rank_index];
  const TensorType* largest = nullptr;
  const TensorType* tokens = nullptr;
  const TensorType* embedded = nullptr;
  for (const Buffer& buffer : rank.buffers) {
    if (buffer.kind != TensorKind::kInput) continue;
    const TensorType& type = type_of(trace, rank, buffer);
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
