#pragma once

#include <vector>

#include "base/json_tree.h"

namespace ttscope::graph {

/// The part of a capture that belongs to one operation as a capture of its own: its nodes and results between
/// a capture_start and a capture_end, numbered from 0 with their connections.
JsonTree operation_graph(const std::vector<const JsonTree*>& nodes,
                         const std::vector<const JsonTree*>& outputs);

/// The same for a buffer_deallocate outside of any function.
JsonTree deallocation_graph(const JsonTree& node);

/// A graph that was recorded with its operation, with `id` added to its nodes.
JsonTree with_ids(JsonTree graph);

}  // namespace ttscope::graph
