#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/json_tree.h"

namespace ttscope::graph {

/// A node of a capture: its place in the list, and its counter.
struct NodePlace {
  std::uint32_t index = 0;
  std::int64_t counter = 0;
};

/// The part of a capture that belongs to one operation as a capture of its own: its nodes and results between
/// a capture_start and a capture_end, numbered from 0 with their connections. Nodes are made one at a time:
/// an operation may be as long as the capture.
void for_each_operation_node(const std::vector<NodePlace>& nodes, const std::vector<NodePlace>& outputs,
                             const std::function<JsonTree(std::size_t index)>& node_at,
                             const std::function<void(const JsonTree&)>& take);

/// The same for a buffer_deallocate outside of any function.
JsonTree deallocation_graph(const JsonTree& node);

/// A graph that was recorded with its operation, with `id` added to its nodes.
JsonTree with_ids(JsonTree graph);

}  // namespace ttscope::graph
