#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// Memory in use over the nodes of a capture, from its start: DRAM of one device in whole buffers, L1 per
/// core of the fullest device. At most so many points; each has the highest value of the nodes it stands for.
struct UsageCurve {
  std::vector<std::uint32_t> nodes;  ///< first node of each point
  std::vector<std::int64_t> dram_bytes;
  std::vector<std::int64_t> l1_bytes;
};
UsageCurve usage_curve(const GraphTrace& trace, std::size_t most_points);

/// The life of a circular buffer, dataflow buffer or scratchpad: until the next program of the capture.
struct ProgramBufferLife {
  std::uint32_t allocated = 0;
  std::uint32_t released = kNone;  ///< kNone: live at the end
};
std::vector<ProgramBufferLife> program_buffer_lives(const GraphTrace& trace);

}  // namespace ttscope::graph
