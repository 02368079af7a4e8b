#pragma once

// What holds of every timeline, whatever it was read from.

#include <cstddef>
#include <cstdint>
#include <utility>

#include "fuzz/fuzz_target.h"
#include "timeline/load.h"

namespace ttscope::fuzz {

inline void check_zones(const timeline::Timeline& read) {
  std::size_t next = 0;
  for (const timeline::Track& track : read.tracks) {
    require(track.first_zone == next, "the zones of a track follow those of the one before");
    next = track.end_zone();
    require(track.group < read.groups.size(), "the group of a track is there");
    for (std::size_t zone = track.first_zone; zone < next; ++zone) {
      require(read.zones.end_ns[zone] >= read.zones.start_ns[zone], "a zone ends after it begins");
      require(read.zones.location[zone] < read.locations.size(), "its place is there");
      require(read.zones.detail[zone] < read.details.size(), "its detail is there");
      require(zone > track.first_zone ? read.zones.depth[zone] <= read.zones.depth[zone - 1] + 1
                                      : read.zones.depth[zone] == 0,
              "zones nest by one at a time");
    }
  }
  require(next == read.zones.size(), "every zone is of a track");
}

inline void check_order(const timeline::Timeline& read) {
  for (std::size_t i = 0; i < read.messages.size(); ++i) {
    const timeline::Message& message = read.messages[i];
    require(i == 0 || message.time_ns >= read.messages[i - 1].time_ns, "messages are in order of time");
    require(message.track == kNone || message.track < read.tracks.size(), "the track of a message is there");
    require(message.text < read.texts.size(), "its text is there");
  }
  for (const timeline::Plot& plot : read.plots) {
    require(plot.group == kNone || plot.group < read.groups.size(), "the group of a curve is there");
    for (std::size_t i = 1; i < plot.points.size(); ++i) {
      require(plot.points[i].time_ns >= plot.points[i - 1].time_ns, "points are in order of time");
    }
  }
}

inline void check_sums(timeline::Timeline read) {
  const timeline::Profile profile = timeline::profile_of("x", std::move(read));
  std::uint64_t counted = 0;
  for (const timeline::ZoneStat& stat : profile.stats) counted += stat.count + stat.without_length;
  require(counted == profile.timeline.zones.size(), "every zone is counted once");
}

}  // namespace ttscope::fuzz
