#pragma once

#include <span>

#include "base/json_writer.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// The capture as the JSON array of its nodes, in the current format (docs/formats/graph_trace.md): what was
/// read, or recorded, can be read again with the same figures.
void write_graph_nodes(JsonWriter& json, const GraphTrace& trace);

/// A tracker capture: an array of {"name", "devices", "trace"}; devices where the captures know them.
void write_graph_segments(JsonWriter& json, std::span<const GraphSegment> segments);

}  // namespace ttscope::graph
