#pragma once

#include <string>

#include "base/writer.h"
#include "fit/report.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

/// Writes the document of `ttscope graph --json` (docs/formats/graph_json.md). `fit`: whether it fits the
/// devices asked for; null where none was.
void write_graph_json(const Profile& profile, const std::string& tool_version, Writer& out,
                      const fit::Report* fit = nullptr);

}  // namespace ttscope::graph
