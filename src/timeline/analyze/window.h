#pragma once

#include <cstdint>
#include <span>
#include <string_view>
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

/// What windows are found by: made once for a timeline, which outlives it.
struct WindowIndex {
  explicit WindowIndex(const Timeline& of);

  const Timeline& timeline;
  ZoneRows rows;
  std::vector<std::int64_t> busy_before_ns;  ///< lengths of all zones before each block of places

  std::uint32_t zone(std::uint32_t place) const { return rows.zones[place]; }
  std::int64_t start_ns(std::uint32_t place) const { return timeline.zones.start_ns[zone(place)]; }
  std::int64_t length_ns(std::uint32_t place) const { return timeline.zones.length_ns(zone(place)); }
  std::int64_t end_ns(std::uint32_t place) const { return timeline.zones.end_ns[zone(place)]; }
  /// Lengths of the places [from, end) together.
  std::int64_t busy_ns(std::uint32_t from, std::uint32_t end) const;
};

struct WindowRequest {
  std::int64_t from_ns = 0;
  std::int64_t to_ns = 0;
  std::int64_t pixel_ns = 1;              ///< of shorter zones that begin in one of these one stands for all
  std::vector<std::uint32_t> tracks{};    ///< ascending
  std::span<const std::uint32_t> hits{};  ///< places, ascending: of those in a pixel one is there too
  std::vector<std::uint32_t> kept{};      ///< places, ascending: there whatever their time and track
};

/// A part of a timeline as a picture shows it.
struct Window {
  std::vector<std::uint32_t> places{};               ///< ascending
  std::vector<std::int64_t> busy_ns{};               ///< the zone, and those that it stands for
  std::vector<std::vector<std::uint32_t>> counts{};  ///< by track and depth, of all tracks
};

/// Costs what it holds: rows are searched by halving.
Window window_of(const WindowIndex& index, const WindowRequest& request);

/// Places of the zones whose name, text or op contains what is looked for (letters of ASCII have no case);
/// ascending.
std::vector<std::uint32_t> find_zones(const WindowIndex& index, std::string_view wanted);

/// The place of the hit behind a place (before it: `forward` false) in order of time, round the end; kNone:
/// there is none.
std::uint32_t next_hit(const WindowIndex& index, std::span<const std::uint32_t> hits, std::uint32_t place,
                       bool forward);

/// A place and those that arrows lead to from it or from there to it, at most `most`; ascending.
std::vector<std::uint32_t> with_linked(const WindowIndex& index, std::uint32_t place, std::size_t most);

/// Zones of one name inside of a stretch of time.
struct NameSum {
  TextId name = 0;
  std::uint64_t count = 0;
  std::int64_t total_ns = 0;  ///< inside of the stretch
  std::int64_t shortest_ns = 0;
  std::int64_t longest_ns = 0;
};

/// By name, the longest total first.
std::vector<NameSum> sums_between(const WindowIndex& index, const WindowRequest& request);

}  // namespace ttscope::timeline
