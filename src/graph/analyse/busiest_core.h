#pragma once

#include "graph/analyse/segment_profile.h"

namespace ttscope::graph {

/// Follows circular buffers, dataflow buffers and scratchpads core by core, of each device for itself.
BusiestCore find_busiest_core(const GraphTrace& trace);

}  // namespace ttscope::graph
