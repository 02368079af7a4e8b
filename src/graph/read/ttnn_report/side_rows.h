#pragma once

#include "graph/model/visualizer_tables.h"
#include "graph/read/ttnn_report/operation_import.h"
#include "graph/read/ttnn_report/ttnn_report.h"

namespace ttscope::graph {

/// Devices and metadata of a report.
void add_report_rows(const TtnnReport& file, VisualizerSink& sink);
/// Records of comparison mode, and the reference tensors they name.
void add_comparison_rows(const TtnnReport& file, VisualizerSink& sink);
/// Pages of buffers, put together by bank and core.
void add_chunk_rows(const TtnnReport& file, const ImportedOperations& operations, VisualizerSink& sink);

}  // namespace ttscope::graph
