#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_trace.h"
#include "graph/model/rules.h"

namespace ttscope::graph {

/// DRAM of one device over one capture, in bytes of whole buffers (no page padding, no alignment). It starts
/// at 0 with the capture: freeing what is older makes it negative, and the peak is relative to the start, at
/// least 0.
struct DramUsage {
  std::int64_t peak = 0;
  std::int64_t total_allocations = 0;
  std::int64_t total_deallocations = 0;
  bool operator==(const DramUsage&) const = default;
};

/// L1 over one capture, in bytes per core. peak_total is the peak of the sum at one moment. Circular buffers
/// on disjoint cores are summed, as the original does; BusiestCore tells them apart.
struct L1Usage {
  std::uint64_t peak_cb = 0;
  std::uint64_t peak_l1 = 0;
  std::uint64_t peak_dataflow_buffer = 0;
  std::uint64_t peak_scratchpad = 0;
  std::uint64_t peak_total = 0;
  bool operator==(const L1Usage&) const = default;
};

/// Errors are those of the original: a node without a value the figure needs, counters out of order.
Result<DramUsage> dram_usage(const GraphTrace& trace);
Result<L1Usage> l1_usage(const GraphTrace& trace, const Rules& rules);

/// The figures of one segment of a tracker.
struct SegmentFigures {
  std::string name;
  DramUsage dram;
  L1Usage l1;
};

/// Running totals over the segments of a session, in order.
struct CumulativeDram {
  std::int64_t peak = 0;  ///< over this and all earlier segments
  std::int64_t current =
      0;  ///< after this segment; negative if more was freed than allocated since the begin
};
std::vector<CumulativeDram> cumulative_dram(std::span<const SegmentFigures> segments);

}  // namespace ttscope::graph
