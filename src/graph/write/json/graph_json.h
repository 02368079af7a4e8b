#pragma once

#include <string>

#include "base/writer.h"
#include "graph/write/terminal/graph_report.h"

namespace ttscope::graph {

/// Writes the document of `ttscope graph --json` (docs/formats/graph_json.md).
void write_graph_json(const GraphReport& report, const std::string& tool_version, Writer& out);

}  // namespace ttscope::graph
