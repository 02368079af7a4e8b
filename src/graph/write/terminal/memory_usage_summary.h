#pragma once

#include <span>
#include <string>

#include "graph/analyse/figures.h"

namespace ttscope::graph {

/// What the original's `print_memory_usage` prints for these segments, byte for byte
/// (docs/formats/graph_trace.md); names are not escaped there. Without segments: its one-line warning.
std::string memory_usage_summary(std::span<const SegmentFigures> segments);

}  // namespace ttscope::graph
