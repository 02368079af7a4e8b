#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model/graph_capture.h"

namespace ttscope::graph {

/// Reads the report database of ttnn-visualizer: the captured graph of each operation becomes a segment named
/// `ID NAME` (`rank R: ID NAME` where there are several ranks), in the order of the ids. The file is not
/// changed.
Result<GraphCapture> read_graph_database(const std::string& path);

/// The same for the bytes of such a file; `name` is what errors call it.
Result<GraphCapture> parse_graph_database(std::string_view bytes, const std::string& name);

}  // namespace ttscope::graph
