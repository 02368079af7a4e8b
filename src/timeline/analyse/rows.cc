#include "timeline/analyse/rows.h"

#include <algorithm>

namespace ttscope::timeline {
namespace {

/// Deeper zones share the last row.
constexpr std::size_t kMostRows = 256;

}  // namespace

ZoneRows rows_of(const Timeline& timeline) {
  ZoneRows rows;
  rows.zones.resize(timeline.zones.size());
  for (const Track& track : timeline.tracks) {
    std::vector<std::uint32_t>& counts =
        rows.counts.emplace_back(std::min<std::size_t>(track.most_depth + std::size_t{1}, kMostRows), 0);
    const auto row_of = [&](std::size_t zone) {
      return std::min<std::size_t>(timeline.zones.depth[zone], counts.size() - 1);
    };
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) ++counts[row_of(zone)];
    std::vector<std::size_t> next(counts.size(), track.first_zone);
    for (std::size_t row = 1; row < next.size(); ++row) next[row] = next[row - 1] + counts[row - 1];
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      rows.zones[next[row_of(zone)]++] = static_cast<std::uint32_t>(zone);
    }
  }
  return rows;
}

}  // namespace ttscope::timeline
