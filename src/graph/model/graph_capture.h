#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// A file of captures.
struct GraphCapture {
  enum class Format : std::uint8_t {
    kNodes,     ///< an array of nodes
    kReport,    ///< a report file: capture, devices, metadata
    kSegments,  ///< an array of {"name", "trace"}: a tracker's segments
    kDatabase,  ///< db.sqlite of ttnn-visualizer: the captured graphs of its operations, one after the other
  };

  Format format = Format::kNodes;
  std::vector<GraphSegment> segments;
  std::vector<GraphDevice> devices;  ///< of reports, databases and captures that describe theirs
  std::int64_t rank = kNotRecorded;
  std::int64_t total_duration_ns = kNotRecorded;
};

}  // namespace ttscope::graph
