#pragma once

#include <string_view>
#include <vector>

#include "graph/model/graph_capture.h"

namespace ttscope::graph {

/// The entries of a report's `devices`, as JSON; what cannot be read is left out.
std::vector<GraphDevice> read_devices(std::string_view json);
/// Rank and duration from a report's `metadata`.
void read_metadata(std::string_view json, GraphCapture& capture);

}  // namespace ttscope::graph
