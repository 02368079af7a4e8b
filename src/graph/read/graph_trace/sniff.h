#pragma once

#include "io/beginning.h"

namespace ttscope::graph {

/// A list of nodes, a report with `graph`, or segments with `trace`.
bool is_graph_capture(const io::Beginning& beginning);
/// db.sqlite of ttnn-visualizer, by the names of its tables.
bool is_report_database(const io::Beginning& beginning);

}  // namespace ttscope::graph
