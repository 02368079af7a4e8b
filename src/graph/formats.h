#pragma once

#include <vector>

#include "io/format.h"

namespace ttscope::graph {

/// What read_graph_capture() reads, which tells the kinds apart itself.
const std::vector<io::Format>& formats();

}  // namespace ttscope::graph
