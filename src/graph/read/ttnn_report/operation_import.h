#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report/source_rows.h"
#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {

/// A buffer that was allocated and not freed so far.
struct LiveBuffer {
  std::int64_t device_id = 0, address = 0, per_bank = 0, buffer_type = 0, layout = 0;
};

/// What was found in a report beside its rows.
struct ImportedOperations {
  struct Operation {
    std::int64_t id = 0;
    std::int64_t end_counter = 0;  ///< of its function_end
  };
  std::unordered_map<std::int64_t, Operation> of_start;  ///< by counter of the function_start
  std::int64_t last_id = 0;
  std::uint64_t allocations = 0;
  std::uint64_t placed = 0;      ///< allocations with an address
  std::string damage;            ///< the first node that cannot be parsed; empty: none
  std::vector<LiveBuffer> live;  ///< at the end
};

/// Adds operations, tensors, buffers and graphs of one report. `live` is what was live before it.
ImportedOperations import_operations(const TtnnReport& file, std::vector<LiveBuffer> live, SourceTies& ties,
                                     VisualizerSink& sink);

}  // namespace ttscope::graph
