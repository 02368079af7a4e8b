#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "graph/analyse/findings.h"
#include "graph/analyse/live_set.h"
#include "graph/analyse/segment_profile.h"
#include "graph/model/graph_capture.h"
#include "graph/model/rules.h"

namespace ttscope::graph {

/// One capture of a file with what was found in it.
struct ProfiledSegment {
  std::uint32_t file = 0;  ///< in Profile::files
  std::string name;
  const GraphTrace* trace = nullptr;  ///< in Profile::captures
  SegmentProfile profile;
};

/// What all tables and outputs of graph captures are made from. Immutable once made; readers may share it
/// among threads.
struct Profile {
  std::vector<std::string> files;                             ///< as given
  std::vector<std::unique_ptr<const GraphCapture>> captures;  ///< one for each file
  Rules rules = kCorrectedRules;
  std::vector<ProfiledSegment> segments;  ///< of all files, in order
  LiveSet live;                           ///< across them; with Depth::kEverything
  std::vector<Finding> findings;          ///< the same

  std::vector<SegmentFigures> figures() const;
  std::vector<SegmentView> views() const;
  /// Nodes of all segments; 0: there is nothing to tell.
  std::uint64_t node_count() const;
};

/// How much is worked out.
enum class Depth : std::uint8_t {
  kFigures,     ///< the peaks of each segment alone: all that the tracker's summary needs
  kEverything,  ///< calls, lives of buffers, what is live at the peaks
};

/// Adds a file that was read, by the rules of the profile.
Result<void> add_capture(Profile& profile, const std::string& file, GraphCapture capture,
                         Depth depth = Depth::kEverything);
/// Works out what goes across the segments, when all files are there.
void finish_profile(Profile& profile, Depth depth = Depth::kEverything);

}  // namespace ttscope::graph
