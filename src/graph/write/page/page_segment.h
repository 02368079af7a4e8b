#pragma once

#include "base/json_writer.h"
#include "graph/write/page/page_rows.h"

namespace ttscope::graph {

/// One capture as the page has it: figures, curves, and how many rows of the page's columns are its own.
void write_page_segment(const Profile& profile, std::size_t number, const PageCounts& counts,
                        JsonWriter& json);

}  // namespace ttscope::graph
