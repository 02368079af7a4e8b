#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "graph/analyse/profile.h"

namespace ttscope::graph {

struct LoadOptions {
  Rules rules = kCorrectedRules;
  Depth depth = Depth::kEverything;
};

/// Reads graph captures of ttnn: lists of nodes, report files, a tracker's segments, db.sqlite of
/// ttnn-visualizer; JSON may be compressed, `-` is standard input. The segments of all files follow each
/// other. An error when a file cannot be read or holds something else; captures without nodes are none:
/// Profile::node_count() is then 0.
Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options = {});

}  // namespace ttscope::graph
