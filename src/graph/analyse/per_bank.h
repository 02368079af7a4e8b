#pragma once

#include <cstdint>
#include <limits>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// Stops at the ends of the range: sizes in a damaged capture may be anything.
inline std::int64_t sum_of(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(left, right, &sum)) return sum;
  return right < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// What a buffer takes of a bank: as recorded, or where an old capture does not say, worked out from its
/// pages and its cores or the banks of DRAM (derived), or else its whole size.
std::int64_t per_bank_bytes(const BufferFacts& facts);

/// The buffer node a buffer_deallocate (or buffer_allocate) belongs to: its first connection; the node itself
/// where the capture has no such connection.
std::uint32_t buffer_node_of(const GraphTrace& trace, std::uint32_t event);

/// The facts that tell the whole size of what a buffer_deallocate frees: the connected buffer node's.
const BufferFacts& whole_of_freed(const GraphTrace& trace, std::uint32_t deallocate);
/// The facts that tell its size in a bank: its own, or the buffer node's where old captures leave them out.
const BufferFacts& facts_of_freed(const GraphTrace& trace, std::uint32_t deallocate);

}  // namespace ttscope::graph
