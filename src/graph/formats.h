#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_capture.h"
#include "io/format.h"
#include "io/whole_text.h"

namespace ttscope::graph {

/// How a kind of file is told, and what reads it; `path` is what messages call it. A new one is a line in
/// formats.cc.
struct Format {
  io::Format told;
  Result<GraphCapture> (*read)(const io::WholeText& text, const std::string& path);
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();

/// Reads a file, `-` for standard input, by the line of the list that tells it.
Result<GraphCapture> read_graph_capture(const std::string& path);

}  // namespace ttscope::graph
