#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string_view>
#include <thread>

#include "graph/model/graph_trace.h"
#include "graph/read/graph_trace/node_fields.h"

namespace ttscope::graph {

/// Reads nodes that are written as ttnn dumps them: keys in the order of the alphabet, with or without white
/// space between. Then nothing has to be indexed: each key stands where it is expected. Anything else is left
/// to the JSON parser.
class DumpedNodes {
 public:
  explicit DumpedNodes(std::string_view text) : text_(text) {}
  ~DumpedNodes() { stopped_ = true; }
  DumpedNodes(const DumpedNodes&) = delete;
  DumpedNodes& operator=(const DumpedNodes&) = delete;

  /// The node that begins here; false, and nothing added to the trace, if it is not in that form. `end` is
  /// behind it.
  bool read(std::size_t begin, GraphTrace& trace, NodeFields& node, std::size_t& end);

 private:
  bool is_valid_text(std::size_t begin, std::size_t end);
  void check_ahead(std::size_t begin);

  std::string_view text_;
  std::optional<std::size_t> first_;          ///< where the first node begins
  std::atomic<std::size_t> valid_from_ = 0;   ///< what the thread has found to be UTF-8
  std::atomic<std::size_t> valid_until_ = 0;  ///< 0: nothing yet
  std::atomic<bool> stopped_ = false;
  std::jthread thread_;  ///< last, so that it ends before what it uses
};

}  // namespace ttscope::graph
