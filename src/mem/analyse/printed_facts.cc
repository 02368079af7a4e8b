#include "mem/analyse/printed_facts.h"

#include <array>

namespace ttscope::mem {
namespace {

/// Banks of a rank that has blocks. Where processes of a log open the device with different sizes, those of
/// each memory where most of it was allocated: what a peak is compared with.
Geometry geometry_at_peaks(const RuntimeTrace& trace, const RankTrace& rank) {
  Geometry geometry = trace.geometries[rank.blocks.back().geometry];
  if (trace.geometries.size() == 1) return geometry;
  std::array<MilliMib, kMemoryCount> highest{};
  for (const MemoryBlock& block : rank.blocks) {
    const Geometry& of_block = trace.geometries[block.geometry];
    for (const Memory memory : kMemories) {
      const std::size_t m = index_of(memory);
      if (!block.has(memory) || of_block.total[m] == 0 || block.allocated[m] < highest[m]) continue;
      highest[m] = block.allocated[m];
      geometry.banks[m] = of_block.banks[m];
      geometry.total[m] = of_block.total[m];
    }
  }
  return geometry;
}

}  // namespace

void take_printed_facts(const RuntimeTrace& trace, const RankTrace& rank, DeviceFacts& facts) {
  if (rank.blocks.empty()) return;
  const Geometry geometry = geometry_at_peaks(trace, rank);
  for (std::size_t m = 0; m < kMemoryCount; ++m) {
    if (geometry.banks[m] != 0) facts.banks[m] = geometry.banks[m];
    facts.capacity_bytes_per_bank[m] = bytes_of(geometry.total[m]);
  }
  facts.source = FactSource::kMemoryLines;
}

}  // namespace ttscope::mem
