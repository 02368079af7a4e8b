#pragma once

#include "base/writer.h"
#include "graph/write/terminal/graph_report.h"

namespace ttscope::graph {

/// Writes the report of `ttscope graph --llm`: the figures with what they include, the calls and the live
/// sets.
void write_graph_markdown(const GraphReport& report, Writer& out);

}  // namespace ttscope::graph
