#pragma once

#include <string_view>
#include <vector>

#include "graph/model/graph_capture.h"

namespace ttscope::graph {

/// The entries of a report's `devices`, as JSON; what cannot be read is left out.
std::vector<GraphDevice> read_devices(std::string_view json);
/// Gives the buffers of a capture the banks of its devices, which may be described behind them.
void take_dram_banks(GraphCapture& capture);
/// Rank and duration from a report's `metadata`.
void read_metadata(std::string_view json, GraphCapture& capture);

}  // namespace ttscope::graph
