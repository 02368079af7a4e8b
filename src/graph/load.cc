#include "graph/load.h"

#include <utility>

#include "graph/formats.h"

namespace ttscope::graph {

Result<Profile> load(const std::vector<std::string>& paths, const LoadOptions& options) {
  Profile profile;
  profile.rules = options.rules;
  for (const std::string& path : paths) {
    Result<GraphCapture> capture = read_graph_capture(path);
    if (!capture) return failure(capture.error());
    const Result<void> added = add_capture(profile, path, std::move(*capture), options.depth);
    if (!added) return failure(added.error());
  }
  finish_profile(profile, options.depth);
  return profile;
}

}  // namespace ttscope::graph
