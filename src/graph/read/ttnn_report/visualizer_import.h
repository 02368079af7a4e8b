#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model/visualizer_tables.h"

namespace ttscope::graph {

/// Turns graph reports into the tables of ttnn-visualizer's database, as the importer of ttnn does
/// (docs/formats/report_db.md): files in the order of their paths, with their sidecars. A bare list of nodes
/// is taken as a report of rank 0 without devices, a tracker's segments as one report each.
Result<VisualizerTables> import_ttnn_reports(std::vector<std::string> paths);

}  // namespace ttscope::graph
