#include "graph/analyse/differences.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

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
  constexpr std::int64_t kLowest = -std::numeric_limits<std::int64_t>::max();  // can be negated
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
    if (facts.max_size_per_bank_bytes == kNotRecorded) ++found.buffers_without_bank;
    l1_bytes =
        sum_of(l1_bytes, kind == NodeKind::kBufferAllocate ? per_bank_bytes(facts)
                                                           : -per_bank_bytes(facts_of_freed(trace, node)));
    found.l1_lowest_bytes = std::min(found.l1_lowest_bytes, std::max(l1_bytes, kLowest));
  }
  return found;
}

}  // namespace

std::string_view name_of(DifferenceKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"older_l1_freed", "chips_apart", "bank_derived"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Difference> differences_from_original(const GraphTrace& trace) {
  const Findings found = find(trace);
  std::vector<Difference> differences;
  const auto add = [&](bool is_there, DifferenceKind kind, std::int64_t figure) {
    if (is_there) differences.push_back({kind, figure});
  };
  add(found.l1_lowest_bytes < 0, DifferenceKind::kOlderL1Freed, -found.l1_lowest_bytes);
  add(found.most_cb_devices > 1, DifferenceKind::kChipsApart,
      static_cast<std::int64_t>(found.most_cb_devices));
  add(found.buffers_without_bank > 0, DifferenceKind::kBankDerived,
      static_cast<std::int64_t>(found.buffers_without_bank));
  return differences;
}

}  // namespace ttscope::graph
