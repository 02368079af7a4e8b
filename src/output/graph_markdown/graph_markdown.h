#pragma once

#include "base/writer.h"
#include "output/graph_text/graph_report.h"

namespace ttscope::output {

/// Writes the report of `ttscope graph --llm`: the figures with what they include, the calls and the live
/// sets.
void write_graph_markdown(const GraphReport& report, Writer& out);

}  // namespace ttscope::output
