#pragma once

#include "analysis/graph_memory/graph_profile.h"

namespace ttscope::analysis {

/// Follows circular buffers, dataflow buffers and scratchpads core by core, of each device for itself.
BusiestCore find_busiest_core(const GraphTrace& trace);

}  // namespace ttscope::analysis
