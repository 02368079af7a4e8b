#pragma once

#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// Ties stack traces to the source files they name (those that can be read) and says where each tensor is
/// made and last used. Rows of all reports must be there; does nothing without stack traces.
void add_source_rows(VisualizerTables& tables);

}  // namespace ttscope::graph
