#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// All zones of one place of the source on tracks of one kind. Zones without a length are counted apart, as
/// Tracy does: they are in no other figure.
struct ZoneStat {
  std::uint32_t location = 0;
  TrackKind kind = TrackKind::kThread;
  std::uint64_t count = 0;
  std::uint64_t without_length = 0;
  std::uint64_t tracks = 0;  ///< that have one
  TextId track_name = 0;     ///< what all of them are called (the processor of lanes); 0: not the same
  std::int64_t total_ns = 0;
  std::int64_t self_ns = 0;  ///< without the zones directly inside
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  std::int64_t self_min_ns = 0;
  std::int64_t self_max_ns = 0;
  std::int64_t median_ns = 0;
  double square_sum = 0;  ///< of the lengths

  std::int64_t mean_ns() const { return count == 0 ? 0 : total_ns / static_cast<std::int64_t>(count); }
  /// Of the lengths, as csvexport computes it.
  double deviation_ns() const;
};

/// In the order of the first zone of each.
std::vector<ZoneStat> zone_stats(const Timeline& timeline);

/// Length of a zone without those directly inside of it.
std::int64_t self_ns(const Timeline& timeline, const Track& track, std::size_t zone);

/// A run on one axis, and the sums of its zones.
struct Profile {
  std::string name;  ///< the first input as typed: for messages and titles
  Timeline timeline;
  std::vector<ZoneStat> stats;
};

}  // namespace ttscope::timeline
