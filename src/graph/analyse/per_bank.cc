#include "graph/analyse/per_bank.h"

#include <algorithm>

namespace ttscope::graph {

std::int64_t per_bank_bytes(const BufferFacts& facts) {
  if (facts.max_size_per_bank_bytes != kNotRecorded) return facts.max_size_per_bank_bytes;
  const std::int64_t parts = facts.num_cores > 0 ? facts.num_cores : facts.dram_banks;
  if (parts > 0 && facts.page_size_bytes > 0 && facts.size_bytes > 0) {
    const std::int64_t pages = facts.size_bytes / facts.page_size_bytes;
    return (pages / parts + (pages % parts != 0 ? 1 : 0)) * facts.page_size_bytes;
  }
  return std::max<std::int64_t>(facts.size_bytes, 0);
}

std::uint32_t buffer_node_of(const GraphTrace& trace, std::uint32_t event) {
  const auto connections = trace.connections_of(event);
  if (connections.empty()) return event;
  const std::uint32_t node = trace.node_at(connections.front());
  return node != kNone && trace.kinds[node] == NodeKind::kBuffer ? node : event;
}

const BufferFacts& whole_of_freed(const GraphTrace& trace, std::uint32_t deallocate) {
  return trace.buffer_of(buffer_node_of(trace, deallocate));
}

const BufferFacts& facts_of_freed(const GraphTrace& trace, std::uint32_t deallocate) {
  const BufferFacts& own = trace.buffer_of(deallocate);
  const bool says_size = own.max_size_per_bank_bytes != kNotRecorded || own.size_bytes > 0;
  return says_size ? own : whole_of_freed(trace, deallocate);
}

}  // namespace ttscope::graph
