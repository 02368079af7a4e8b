#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_capture.h"
#include "io/whole_text.h"

namespace ttscope::graph {

/// Reads a graph capture in JSON: a list of nodes, a report file (`graph` and its facts), or a list of
/// `{"name", "trace"}` segments. Damaged input: an error with the place (file, line, byte of the text).
Result<GraphCapture> read_graph_trace(const io::WholeText& text, const std::string& path);

/// The same for text in memory; `name` is what errors call it. The text is copied where it is kept.
Result<GraphCapture> parse_graph_capture(std::string_view json, const std::string& name);

}  // namespace ttscope::graph
