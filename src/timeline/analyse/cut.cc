#include "timeline/analyse/cut.h"

#include <algorithm>
#include <vector>

namespace ttscope::timeline {
namespace {

class Cutter {
 public:
  Cutter(const CutOptions& options, Timeline& timeline) : options_(options), timeline_(timeline) {}

  void run() {
    Zones kept;
    std::vector<std::uint64_t> number(timeline_.zones.size(), UINT64_MAX);
    std::vector<Track> tracks;
    std::vector<std::uint32_t> track_number(timeline_.tracks.size(), kNone);
    for (std::uint32_t i = 0; i < timeline_.tracks.size(); ++i) {
      Track track = timeline_.tracks[i];
      if (!is_wanted(track)) continue;
      const std::size_t first = kept.size();
      copy_zones(track, kept, number);
      track.first_zone = first;
      track.zone_count = kept.size() - first;
      track_number[i] = static_cast<std::uint32_t>(tracks.size());
      tracks.push_back(track);
    }
    timeline_.zones = std::move(kept);
    timeline_.tracks = std::move(tracks);
    cut_rest(number, track_number);
    timeline_.last_ns = INT64_MIN;
    timeline_.find_span();
  }

 private:
  bool is_wanted(const Track& track) const {
    if (track.kind != TrackKind::kLane || !options_.core) return true;
    return track.device != kNone && track.core_x == options_.core->first &&
           track.core_y == options_.core->second;
  }
  bool overlaps(std::int64_t start, std::int64_t end) const {
    return (!options_.from_ns || end >= *options_.from_ns) && (!options_.to_ns || start <= *options_.to_ns);
  }

  void copy_zones(Track& track, Zones& kept, std::vector<std::uint64_t>& number) const {
    const Zones& zones = timeline_.zones;
    track.most_depth = 0;
    std::vector<std::uint16_t> around;  // depths of the kept zones around the next one
    std::uint16_t inside_of = 0;        // the zone of the op that the next ones may lie in
    bool is_inside = false;
    for (std::size_t zone = track.first_zone; zone < track.end_zone(); ++zone) {
      const std::uint16_t depth = zones.depth[zone];
      if (is_inside && depth <= inside_of) is_inside = false;
      if (options_.op && !is_inside && timeline_.details[zones.detail[zone]].op == *options_.op) {
        is_inside = true;
        inside_of = depth;
      }
      if ((options_.op && !is_inside) || !overlaps(zones.start_ns[zone], zones.end_ns[zone])) continue;
      while (!around.empty() && around.back() >= depth) around.pop_back();
      number[zone] = kept.open(zones.start_ns[zone], zones.location[zone], zones.detail[zone], around.size());
      kept.end_ns.back() = zones.end_ns[zone];
      track.most_depth = std::max(track.most_depth, kept.depth.back());
      around.push_back(depth);
    }
  }

  void cut_rest(const std::vector<std::uint64_t>& number, const std::vector<std::uint32_t>& track_number) {
    std::vector<Link> links;
    for (const Link& link : timeline_.links) {
      const Link moved = {number[link.from_zone], number[link.to_zone]};
      if (moved.from_zone != UINT64_MAX && moved.to_zone != UINT64_MAX) links.push_back(moved);
    }
    timeline_.links = std::move(links);
    std::vector<Message>& messages = timeline_.messages;
    messages.erase(
        std::remove_if(messages.begin(), messages.end(),
                       [&](const Message& message) { return !overlaps(message.time_ns, message.time_ns); }),
        messages.end());
    for (Message& message : messages) {
      if (message.track != kNone) message.track = track_number[message.track];
    }
    for (Plot& plot : timeline_.plots) cut_plot(plot);
    std::vector<Plot>& plots = timeline_.plots;
    plots.erase(
        std::remove_if(plots.begin(), plots.end(), [](const Plot& plot) { return plot.points.empty(); }),
        plots.end());
  }

  /// The value that holds at the beginning stays.
  void cut_plot(Plot& plot) const {
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < plot.points.size(); ++i) {
      const std::int64_t until = i + 1 < plot.points.size() ? plot.points[i + 1].time_ns : INT64_MAX;
      if (overlaps(plot.points[i].time_ns, until)) points.push_back(plot.points[i]);
    }
    if (!points.empty() && options_.from_ns && points.front().time_ns < *options_.from_ns) {
      points.front().time_ns = *options_.from_ns;
    }
    plot.points = std::move(points);
  }

  const CutOptions& options_;
  Timeline& timeline_;
};

}  // namespace

void cut(const CutOptions& options, Timeline& timeline) {
  if (options.is_asked()) Cutter(options, timeline).run();
}

}  // namespace ttscope::timeline
