#include "graph/read/graph_trace/sniff.h"

#include "base/json_shape.h"
#include "base/text_search.h"

namespace ttscope::graph {

bool is_graph_capture(const io::Beginning& beginning) {
  const std::string_view text = beginning.text();
  if (!looks_like_json(text)) return false;
  if (has_json_key(text, "node_type")) return true;
  if (text.front() == '{') {
    const bool has_list = has_json_list(text, "graph") || has_json_list(text, "trace");
    return has_list && !has_json_key(text, "schema");
  }
  // Segments may be empty, and so may a list of nodes.
  return has_json_list(text, "trace") || (beginning.is_whole && trimmed(text.substr(1)) == "]");
}

bool is_report_database(const io::Beginning& beginning) {
  const std::string_view text = beginning.bytes;
  return text.starts_with("SQLite format 3") && contains(text, "operations") &&
         contains(text, "captured_graph");
}

}  // namespace ttscope::graph
