#pragma once

#include "input/graph_report/operation_import.h"
#include "input/graph_report/report_file.h"
#include "model/report_tables.h"

namespace ttscope::input {

/// Devices and metadata of a report.
void add_report_rows(const ReportFile& file, ReportTables& tables);
/// Records of comparison mode, and the reference tensors they name.
void add_comparison_rows(const ReportFile& file, ReportTables& tables);
/// Pages of buffers, put together by bank and core.
void add_chunk_rows(const ReportFile& file, const ImportedOperations& operations, ReportTables& tables);

}  // namespace ttscope::input
