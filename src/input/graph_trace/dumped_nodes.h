#pragma once

#include <cstddef>
#include <string_view>

#include "input/graph_trace/node_fields.h"
#include "model/graph_trace.h"

namespace ttscope::input {

/// Reads nodes that are written as ttnn dumps them: keys in the order of the alphabet, with or without white space
/// between. Then nothing has to be indexed: each key stands where it is expected. Anything else is left to the JSON parser.
class DumpedNodes {
 public:
  explicit DumpedNodes(std::string_view text) : text_(text) {}

  /// The node that begins here; false, and nothing added to the trace, if it is not in that form. `end` is behind it.
  bool read(std::size_t begin, GraphTrace& trace, NodeFields& node, std::size_t& end);

 private:
  bool is_valid_text_until(std::size_t end);

  std::string_view text_;
  std::size_t valid_until_ = 0;  ///< UTF-8 was checked up to here
};

}  // namespace ttscope::input
