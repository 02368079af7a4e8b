#pragma once

#include <string>

#include "base/writer.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

/// Writes the document of `ttscope graph --json` (docs/formats/graph_json.md).
void write_graph_json(const Profile& profile, const std::string& tool_version, Writer& out);

}  // namespace ttscope::graph
