#pragma once

#include "base/writer.h"
#include "fit/report.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

/// Writes the report of `ttscope graph --llm`: the figures with what they include, the calls and the live
/// sets; at the end whether it fits, where devices were asked for.
void write_graph_markdown(const Profile& profile, Writer& out, const fit::Report* fit = nullptr);

}  // namespace ttscope::graph
