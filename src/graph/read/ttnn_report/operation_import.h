#pragma once

#include <cstdint>
#include <map>

#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {

/// Where the operations of a report ended up, for what is tied to them later.
struct ImportedOperations {
  std::map<std::int64_t, std::int64_t> id_of_start;  ///< by counter of the function_start
  std::int64_t last_id = 0;
};

/// Adds operations, tensors, buffers and graphs of one report to the tables.
ImportedOperations import_operations(const TtnnReport& file, VisualizerTables& tables);

}  // namespace ttscope::graph
