#pragma once

#include <memory>
#include <vector>

#include "graph/analyze/profile.h"
#include "table/table.h"

namespace ttscope::graph {

/// The tables of graph captures: segments, ops, nodes, buffers, circular_buffers, peaks, live_at_peak,
/// live_at_overall_peak, peak_parts, findings, devices, described_devices, output_tensors, differences. Cells
/// are read from the profile when they are asked for. The profile must have been loaded with
/// Depth::kEverything for more than segments, nodes and differences.
table::TableSet tables_of(const std::shared_ptr<const Profile>& profile);

/// Their declarations, for documents and `--schema`.
std::vector<const table::TableSpec*> table_specs();

/// Queries over them, for the questions of docs/agents.md.
std::vector<table::View> views();

}  // namespace ttscope::graph
