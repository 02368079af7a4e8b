#pragma once

#include <string>
#include <vector>

#include "timeline/analyse/zone_stats.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// A run on one axis, and the sums of its zones.
struct Profile {
  std::string name;  ///< the first input as typed: for messages and titles
  Timeline timeline;
  std::vector<ZoneStat> stats;
};

}  // namespace ttscope::timeline
