#include "timeline/analyze/profile.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace ttscope::timeline {
namespace {

constexpr std::size_t kKinds = static_cast<std::size_t>(TrackKind::kGaps) + 1;  // the last one

/// Hostile files may hold any number; sums stay at the most.
std::int64_t added(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? (b > 0 ? INT64_MAX : INT64_MIN) : sum;
}

class Collector {
 public:
  explicit Collector(const Timeline& timeline)
      : timeline_(timeline), zones_(timeline.zones), places_(timeline.locations.size()) {
    for (auto& place : places_) place.fill(kNone);
  }

  std::vector<ZoneStat> make() {
    for (std::uint32_t track = 0; track < timeline_.tracks.size(); ++track) take(track);
    set_medians();
    return std::move(stats_);
  }

 private:
  void take(std::uint32_t number) {
    const Track& track = timeline_.tracks[number];
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      const std::size_t depth = zones_.depth[zone];
      while (open_.size() > depth) close(number);
      open_.push_back({zone, 0});
    }
    while (!open_.empty()) close(number);
  }

  void close(std::uint32_t number) {
    const Open zone = open_.back();
    open_.pop_back();
    const std::int64_t length = zones_.length_ns(zone.zone);
    if (!open_.empty()) open_.back().inside_ns = added(open_.back().inside_ns, length);
    const Track& track = timeline_.tracks[number];
    std::uint32_t& index = places_[zones_.location[zone.zone]][static_cast<std::size_t>(track.kind)];
    if (index == kNone) {
      index = static_cast<std::uint32_t>(stats_.size());
      stats_.push_back(
          {.location = zones_.location[zone.zone], .kind = track.kind, .track_name = track.name});
      last_track_.push_back(kNone);
    }
    ZoneStat& stat = stats_[index];
    if (last_track_[index] != number) ++stat.tracks;
    last_track_[index] = number;
    if (stat.track_name != track.name) stat.track_name = 0;
    if (length == 0) {
      ++stat.without_length;
      return;
    }
    // Zones of a damaged file may be longer than the one around them.
    add(stat, length, std::max<std::int64_t>(added(length, -zone.inside_ns), 0));
  }

  static void add(ZoneStat& stat, std::int64_t length, std::int64_t self) {
    stat.min_ns = stat.count == 0 ? length : std::min(stat.min_ns, length);
    stat.max_ns = stat.count == 0 ? length : std::max(stat.max_ns, length);
    stat.self_min_ns = stat.count == 0 ? self : std::min(stat.self_min_ns, self);
    stat.self_max_ns = stat.count == 0 ? self : std::max(stat.self_max_ns, self);
    ++stat.count;
    stat.total_ns = added(stat.total_ns, length);
    stat.self_ns = added(stat.self_ns, self);
    stat.square_sum += static_cast<double>(length) * static_cast<double>(length);
  }

  /// Lengths side by side, those of a place together.
  void set_medians() {
    std::vector<std::size_t> next(stats_.size() + 1, 0);
    for (std::size_t i = 0; i < stats_.size(); ++i) {
      next[i + 1] = next[i] + static_cast<std::size_t>(stats_[i].count);
    }
    std::vector<std::int64_t> lengths(next.back());
    for (const Track& track : timeline_.tracks) {
      for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
        const std::int64_t length = zones_.length_ns(zone);
        if (length == 0) continue;
        lengths[next[places_[zones_.location[zone]][static_cast<std::size_t>(track.kind)]]++] = length;
      }
    }
    for (std::size_t i = 0; i < stats_.size(); ++i) {
      if (stats_[i].count == 0) continue;
      const auto end = lengths.begin() + static_cast<std::ptrdiff_t>(next[i]);
      const auto begin = end - static_cast<std::ptrdiff_t>(stats_[i].count);
      const auto middle = begin + (end - begin) / 2;
      std::nth_element(begin, middle, end);
      stats_[i].median_ns = *middle;
    }
  }

  struct Open {
    std::size_t zone;
    std::int64_t inside_ns;
  };

  const Timeline& timeline_;
  const Zones& zones_;
  std::vector<std::array<std::uint32_t, kKinds>> places_;  ///< the statistics of each place and kind
  std::vector<std::uint32_t> last_track_;
  std::vector<ZoneStat> stats_;
  std::vector<Open> open_;
};

}  // namespace

double ZoneStat::deviation_ns() const {
  if (count < 2) return 0;
  const auto mean = static_cast<double>(mean_ns());
  const auto number = static_cast<double>(count);
  const double sum = square_sum - 2. * static_cast<double>(total_ns) * mean + mean * mean * number;
  return std::sqrt(std::max(0., sum) / (number - 1));
}

std::vector<ZoneStat> zone_stats(const Timeline& timeline) { return Collector(timeline).make(); }

std::int64_t self_ns(const Timeline& timeline, const Track& track, std::size_t zone) {
  const Zones& zones = timeline.zones;
  std::int64_t self = zones.length_ns(zone);
  const std::uint16_t depth = zones.depth[zone];
  for (std::size_t at = zone + 1; at < track.end_zone() && zones.depth[at] > depth; ++at) {
    if (zones.depth[at] == depth + 1) self = added(self, -zones.length_ns(at));
  }
  return self;
}

}  // namespace ttscope::timeline
