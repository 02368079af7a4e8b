#include "mem/analyse/fragmentation.h"

#include <algorithm>

namespace ttscope::mem {
namespace {

/// Whether the free part of `b` is more fragmented than that of `a`: largest / free compared without
/// dividing.
bool less_fragmented(const MemoryBlock& a, const MemoryBlock& b, std::size_t memory) {
  if (a.free[memory] == 0 || b.free[memory] == 0) return a.free[memory] == 0 && b.free[memory] != 0;
  return std::uint64_t{b.largest_free[memory]} * a.free[memory] <
         std::uint64_t{a.largest_free[memory]} * b.free[memory];
}

}  // namespace

double fragmentation_of(const MemoryBlock& block, Memory memory) {
  const std::size_t m = index_of(memory);
  if (block.free[m] == 0 || block.largest_free[m] >= block.free[m]) return 0;
  return 1.0 - static_cast<double>(block.largest_free[m]) / static_cast<double>(block.free[m]);
}

std::vector<std::uint32_t> fragmentation_curve(std::span<const MemoryBlock> blocks, Memory memory,
                                               std::size_t most) {
  const std::size_t stretch = blocks.size() / most + 1;
  std::vector<std::uint32_t> curve;
  for (std::size_t begin = 0; begin < blocks.size(); begin += stretch) {
    std::size_t worst = begin;
    for (std::size_t i = begin; i < std::min(begin + stretch, blocks.size()); ++i) {
      if (less_fragmented(blocks[worst], blocks[i], index_of(memory))) worst = i;
    }
    curve.push_back(static_cast<std::uint32_t>(worst));
  }
  return curve;
}

}  // namespace ttscope::mem
