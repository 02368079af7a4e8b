#pragma once

#include <cstdint>
#include <vector>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Zones in the order of the page: track by track, depth by depth, so that those of a row are a stretch in
/// order of time, none over another. What stands where in that order is a place.
struct ZoneRows {
  std::vector<std::uint32_t> zones;                ///< by place
  std::vector<std::vector<std::uint32_t>> counts;  ///< by track and depth
};

ZoneRows rows_of(const Timeline& timeline);

}  // namespace ttscope::timeline
