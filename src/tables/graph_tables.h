#pragma once

#include "base/result.h"
#include "graph/model/graph_capture.h"
#include "tables/table.h"

namespace ttscope::tables {

/// `segments`: figures of each; `nodes`: every node of every segment, -1 where a node does not say.
Result<ProfileTables> graph_tables(const graph::GraphCapture& capture);

}  // namespace ttscope::tables
