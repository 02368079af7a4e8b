#pragma once

#include <cstddef>
#include <string>

#include "graph/analyse/profile.h"

namespace ttscope::graph {

struct GraphTextOptions {
  bool color = false;
  int width = 80;
  int top = 10;  ///< rows of each list
};

/// What `ttscope graph` prints: figures of each segment, the calls that use most, what lives at the peaks.
std::string graph_summary_text(const Profile& profile, const GraphTextOptions& options);

}  // namespace ttscope::graph
