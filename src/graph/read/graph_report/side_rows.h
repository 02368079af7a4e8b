#pragma once

#include "graph/model/report_tables.h"
#include "graph/read/graph_report/operation_import.h"
#include "graph/read/graph_report/report_file.h"

namespace ttscope::graph {

/// Devices and metadata of a report.
void add_report_rows(const ReportFile& file, ReportTables& tables);
/// Records of comparison mode, and the reference tensors they name.
void add_comparison_rows(const ReportFile& file, ReportTables& tables);
/// Pages of buffers, put together by bank and core.
void add_chunk_rows(const ReportFile& file, const ImportedOperations& operations, ReportTables& tables);

}  // namespace ttscope::graph
