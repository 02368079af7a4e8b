#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// Writes the database atomically; a file that is there is replaced.
Result<void> write_visualizer_db(const VisualizerTables& tables, const std::string& path);

/// The same, and beside it the side files that the reports hold (the cluster's description, the mesh's
/// coordinates). Side files that are there are left alone.
Result<void> write_visualizer_files(const VisualizerTables& tables, const std::string& database_path);

/// `CREATE TABLE ...` of one table.
std::string_view create_statement(VisualizerTable table);

}  // namespace ttscope::graph
