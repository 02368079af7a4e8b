#include "graph/formats.h"

#include "graph/read/graph_trace/sniff.h"

namespace ttscope::graph {

const std::vector<io::Format>& formats() {
  static const std::vector<io::Format> kFormats = {
      {"report_database", "a database of ttnn-visualizer", {}, is_report_database},
      {"graph_capture", "a graph capture of ttnn", {}, is_graph_capture},
  };
  return kFormats;
}

}  // namespace ttscope::graph
