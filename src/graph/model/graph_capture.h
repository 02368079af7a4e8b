#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// A device entry of a report file; kNotRecorded where the file does not say.
struct GraphDevice {
  std::int64_t device_id = kNotRecorded;
  std::int64_t worker_l1_size_bytes = kNotRecorded;
  std::int64_t l1_num_banks = kNotRecorded;
  std::int64_t l1_bank_size_bytes = kNotRecorded;
  std::int64_t first_l1_bank_address = kNotRecorded;
  std::int64_t first_l1_cb_address = kNotRecorded;
  std::int64_t num_dram_channels = kNotRecorded;
  std::int64_t dram_size_per_channel_bytes = kNotRecorded;
  std::int64_t cb_limit_bytes = kNotRecorded;
  std::string arch;
};

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
  std::vector<GraphDevice> devices;
  std::int64_t rank = kNotRecorded;
  std::int64_t total_duration_ns = kNotRecorded;
};

}  // namespace ttscope::graph
