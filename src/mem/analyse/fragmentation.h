#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mem/analyse/memory_profile.h"

namespace ttscope::mem {

/// How much of the free part of a bank its largest block does not reach: 1 - largest / free. 0 where nothing
/// is free, and where the largest block is above what is free, as the roundings of a log can have it.
double fragmentation_of(const MemoryBlock& block, Memory memory);

/// The worst block of each of at most `most` stretches, so that a long log gives a short curve that hides
/// nothing. Indices in `blocks`, in order.
std::vector<std::uint32_t> fragmentation_curve(std::span<const MemoryBlock> blocks, Memory memory,
                                               std::size_t most);

}  // namespace ttscope::mem
