#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// A tensor of level 1 or a function, in the data flow between them.
struct LevelizedVertex {
  std::uint32_t counter = 0;  ///< its place in the graph
  std::uint32_t stacking_level = 0;
  std::string name;  ///< of the function, or `tensor[ID]`
  std::vector<std::string> arguments;
  std::vector<std::uint32_t> in_edges;
  std::vector<std::uint32_t> out_edges;
  std::vector<std::uint32_t> internals;   ///< functions that it calls, one level deeper
  std::vector<std::string> output_info;   ///< its result as the first consumer's argument shows it
  std::vector<std::string> output_shape;  ///< distinct shapes of its results
};

/// The capture as data flow between tensors of level 1 and functions of level `max_level` or less, as
/// ttnn.graph.extract_levelized_graph gives it: tensors first, then functions, both in order. An error for a
/// function without its end.
Result<std::vector<LevelizedVertex>> levelized_graph(const GraphTrace& trace, std::uint32_t max_level);

}  // namespace ttscope::graph
