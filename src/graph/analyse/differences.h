#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// Why the corrected figures of a capture differ from those of the original tracker.
enum class DifferenceKind : std::uint8_t {
  kOlderL1Freed,  ///< L1 buffers older than the capture were freed in it: the original's sums wrap round
  kChipsApart,    ///< circular buffers are recorded for each chip: the original adds them up
  kBankDerived,   ///< an old capture without the size in a bank: the original fails
};
std::string_view name_of(DifferenceKind kind);

/// Worded by the writers.
struct Difference {
  DifferenceKind kind = DifferenceKind::kOlderL1Freed;
  /// kOlderL1Freed: bytes per core that were freed; kChipsApart: chips; kBankDerived: events.
  std::int64_t figure = 0;
  bool operator==(const Difference&) const = default;
};

/// Empty if nothing differs.
std::vector<Difference> differences_from_original(const GraphTrace& trace);

}  // namespace ttscope::graph
