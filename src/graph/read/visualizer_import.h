#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/model/visualizer_tables.h"
#include "graph/read/operation_import.h"
#include "graph/read/ttnn_report.h"

namespace ttscope::graph {

/// Turns graph reports into the rows of ttnn-visualizer's database, as the importer of ttnn does
/// (docs/formats/report_db.md): files in the order of their paths, with their sidecars. A bare list of nodes
/// is taken as a report of rank 0 without devices, a tracker's segments as one report each. Memory follows
/// the longest operation, not the reports.
Result<VisualizerImport> import_ttnn_reports(std::vector<std::string> paths, VisualizerSink& sink);

/// The same for texts in memory, in their order; `read_source` gives the sources that stack traces name.
Result<VisualizerImport> import_ttnn_texts(const std::vector<TtnnReportTexts>& texts,
                                           const ReadSource& read_source, VisualizerSink& sink);

}  // namespace ttscope::graph
