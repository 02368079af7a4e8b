#pragma once

// Fields of a node, by simdjson; for the .cc files of this folder only.

#include <simdjson.h>

#include <cstdint>
#include <string_view>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// What a node says of itself. Texts are views into the input, not into the parser's copy.
struct NodeFields {
  NodeKind kind = NodeKind::kOther;
  bool has_type = false;
  std::int64_t counter = -1;
  std::int64_t level = -1;
  std::int64_t duration_ns = 0;
  std::int64_t tensor_id = -1;  ///< of the old types `tensor[7]`
  std::string_view type;
  std::string_view params;     ///< the object; empty: null
  std::string_view arguments;  ///< the array; empty: none or `[]`
  std::uint32_t first_input = 0;
};

/// Where the parser's copy of the block begins, and the same place of the input.
struct BlockOrigin {
  const char* copy;
  const char* source;
};

/// Reads one node. Connections and input tensors are put at the end of the trace's columns; the caller takes
/// them back after an error.
simdjson::error_code read_fields(simdjson::ondemand::object& object, const BlockOrigin& origin,
                                 GraphTrace& trace, NodeFields& node);

}  // namespace ttscope::graph
