#pragma once

#include "base/writer.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

/// Writes the report of `ttscope graph --llm`: the figures with what they include, the calls and the live
/// sets.
void write_graph_markdown(const Profile& profile, Writer& out);

}  // namespace ttscope::graph
