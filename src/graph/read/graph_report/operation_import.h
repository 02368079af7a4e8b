#pragma once

#include <cstdint>
#include <map>

#include "graph/model/report_tables.h"
#include "graph/read/graph_report/report_file.h"

namespace ttscope::graph {

/// Where the operations of a report ended up, for what is tied to them later.
struct ImportedOperations {
  std::map<std::int64_t, std::int64_t> id_of_start;  ///< by counter of the function_start
  std::int64_t last_id = 0;
};

/// Adds operations, tensors, buffers and graphs of one report to the tables.
ImportedOperations import_operations(const ReportFile& file, ReportTables& tables);

}  // namespace ttscope::graph
