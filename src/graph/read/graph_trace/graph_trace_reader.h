#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_capture.h"

namespace ttscope::graph {

/// Reads a graph capture: a list of nodes, a report file (`graph` and its facts), a list of `{"name",
/// "trace"}` segments, or a db.sqlite of ttnn-visualizer. Damaged input: an error with the place (file, line,
/// byte).
Result<GraphCapture> read_graph_capture(const std::string& path);

/// The same for JSON text in memory; `name` is what errors call it. The text is copied where it is kept.
Result<GraphCapture> parse_graph_capture(std::string_view json, const std::string& name);

}  // namespace ttscope::graph
