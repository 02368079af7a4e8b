#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/analyze/profile.h"
#include "graph/model/graph_trace.h"
#include "io/input_files.h"
#include "io/open_input.h"

namespace ttscope::graph {

struct LoadOptions {
  Rules rules = kCorrectedRules;
  Depth depth = Depth::kEverything;
};

/// Reads graph captures of ttnn: lists of nodes, report files, a tracker's segments, db.sqlite of
/// ttnn-visualizer; JSON may be compressed, `-` is standard input. The segments of all files follow each
/// other. An error when a file cannot be read or holds something else; captures without nodes are none:
/// Profile::node_count() is then 0.
Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options = {});

/// How a kind of file is told, and what reads it; `path` is what messages call it. A new one is a line in
/// formats.cc.
struct Format {
  io::Format detector;
  Result<GraphCapture> (*read)(const io::WholeText& text, const std::string& path);
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();

/// Reads a file, `-` for standard input, by the line of the list that tells it.
Result<GraphCapture> read_graph_capture(const std::string& path);

}  // namespace ttscope::graph
