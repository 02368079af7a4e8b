// What the corrected figures of a capture differ in from those of the original tracker.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/analyse/figures.h"
#include "graph/analyse/per_bank.h"

namespace ttscope::graph {
namespace {

/// What a walk over the capture finds that the original's sums get wrong.
struct Findings {
  std::int64_t l1_lowest_bytes = 0;      ///< of the running sum of L1 buffers; below 0: older ones were freed
  std::size_t most_cb_devices = 0;       ///< devices with circular buffers at one moment
  std::size_t buffers_without_bank = 0;  ///< L1 buffers whose share of a bank is not recorded
};

Findings find(const GraphTrace& trace) {
  Findings found;
  std::int64_t l1_bytes = 0;
  std::map<std::int64_t, bool> cb_devices;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const NodeKind kind = trace.kinds[node];
    if (kind == NodeKind::kDeallocateAll) cb_devices.clear();
    if (kind == NodeKind::kCircularBufferAllocate &&
        !trace.program_buffer_of(node).borrowed.value_or(false)) {
      cb_devices[trace.program_buffer_of(node).device_id] = true;
      found.most_cb_devices = std::max(found.most_cb_devices, cb_devices.size());
    }
    if (kind != NodeKind::kBufferAllocate && kind != NodeKind::kBufferDeallocate) continue;
    const BufferFacts& facts = trace.buffer_of(node);
    if (facts.in_dram) continue;
    if (facts.max_size_per_bank_bytes == kAbsentNumber) ++found.buffers_without_bank;
    l1_bytes =
        sum_of(l1_bytes, kind == NodeKind::kBufferAllocate ? per_bank_bytes(facts)
                                                           : -per_bank_bytes(facts_of_freed(trace, node)));
    found.l1_lowest_bytes = std::min(found.l1_lowest_bytes, l1_bytes);
  }
  return found;
}

}  // namespace

std::vector<std::string> differences_from_original(const GraphTrace& trace) {
  const Findings found = find(trace);
  std::vector<std::string> notes;
  if (found.l1_lowest_bytes < 0) {
    notes.push_back(
        fmt::format("L1 buffers of {} bytes per core that are older than the capture were freed in it; L1 "
                    "figures are relative to "
                    "its start and never below 0, where the original's wrap round at 2^64",
                    -found.l1_lowest_bytes));
  }
  if (found.most_cb_devices > 1) {
    notes.push_back(
        fmt::format("circular buffers are recorded once for each of {} chips; the fullest chip counts, where "
                    "the original adds "
                    "all chips up",
                    found.most_cb_devices));
  }
  if (found.buffers_without_bank > 0) {
    notes.push_back(
        fmt::format("{} L1 events of this old capture do not record the size in a bank; the share of a core "
                    "(sharded) or the whole "
                    "buffer is counted, where the original fails",
                    found.buffers_without_bank));
  }
  return notes;
}

}  // namespace ttscope::graph
