#pragma once

#include "base/json_writer.h"
#include "graph/write/page/graph_page.h"

namespace ttscope::graph {

/// One capture as the page has it: figures, curves, and buffers and calls in columns.
void write_page_segment(const Profile& profile, std::size_t number, const GraphPageOptions& options,
                        JsonWriter& json);

}  // namespace ttscope::graph
