#include "timeline/analyze/edits.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace ttscope::timeline {
namespace {

class Cutter {
 public:
  Cutter(const CutOptions& options, Timeline& timeline)
      : options_(options),
        from_ns_(options.from_ns),
        to_ns_(options.to_ns),
        whole_until_ns_(timeline.last_ns),
        timeline_(timeline) {}

  void run() {
    report_missing_core();
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
    if (options_.op) clip_to(kept);
    timeline_.zones = std::move(kept);
    timeline_.tracks = std::move(tracks);
    cut_links(number);
    cut_messages(track_number);
    cut_plots();
    drop_empty_tracks();
    report_uncut_zones();
    timeline_.last_ns = INT64_MIN;
    timeline_.find_span();
  }

 private:
  bool is_wanted(const Track& track) const {
    if (track.kind != TrackKind::kLane || !options_.core) return true;
    return track.device != kNone && track.core_x == options_.core->first &&
           track.core_y == options_.core->second;
  }
  /// What the host did stays, so that nothing else would tell of a slip.
  void report_missing_core() {
    if (!options_.core) return;
    const auto is_there = [&](const Track& track) {
      return track.kind == TrackKind::kLane && is_wanted(track);
    };
    if (std::any_of(timeline_.tracks.begin(), timeline_.tracks.end(), is_there)) return;
    timeline_.findings.push_back(
        {.kind = FindingKind::kNoSuchCore, .core_x = options_.core->first, .core_y = options_.core->second});
  }
  /// Sums of a stretch may be longer than it is.
  void report_uncut_zones() {
    const Zones& zones = timeline_.zones;
    std::uint64_t count = 0;
    for (std::size_t zone = 0; zone < zones.size(); ++zone) {
      const bool begins_before = options_.from_ns && zones.start_ns[zone] < *options_.from_ns;
      const bool ends_after = options_.to_ns && zones.end_ns[zone] > *options_.to_ns;
      if (begins_before || ends_after) ++count;
    }
    if (count == 0) return;
    timeline_.findings.push_back({.kind = FindingKind::kZonesReachOver, .count = count});
  }
  bool overlaps(std::int64_t start, std::int64_t end) const {
    return (!from_ns_ || end >= *from_ns_) && (!to_ns_ || start <= *to_ns_);
  }
  /// Messages and plots have no op: of them, what is there while the zones of the op are.
  void clip_to(const Zones& kept) {
    if (kept.size() == 0) {
      from_ns_ = INT64_MAX;
      to_ns_ = INT64_MIN;
      return;
    }
    const std::int64_t first = *std::min_element(kept.start_ns.begin(), kept.start_ns.end());
    const std::int64_t last = *std::max_element(kept.end_ns.begin(), kept.end_ns.end());
    from_ns_ = std::max(first, from_ns_.value_or(first));
    to_ns_ = std::min(last, to_ns_.value_or(last));
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

  void cut_links(const std::vector<std::uint64_t>& number) {
    std::vector<Link> links;
    for (const Link& link : timeline_.links) {
      const Link moved = {number[link.from_zone], number[link.to_zone]};
      if (moved.from_zone != UINT64_MAX && moved.to_zone != UINT64_MAX) links.push_back(moved);
    }
    timeline_.links = std::move(links);
  }

  void cut_messages(const std::vector<std::uint32_t>& track_number) {
    std::vector<Message> kept;
    for (Message message : timeline_.messages) {
      if (!overlaps(message.time_ns, message.time_ns)) continue;
      if (message.track != kNone) {
        message.track = track_number[message.track];
        if (message.track == kNone) continue;
        // Marks of a processor that did nothing for the op are those of another one.
        const Track& track = timeline_.tracks[message.track];
        if (options_.op && track.is_of_device() && track.zone_count == 0) continue;
      }
      kept.push_back(message);
    }
    timeline_.messages = std::move(kept);
  }

  void cut_plots() {
    for (Plot& plot : timeline_.plots) cut_plot(plot);
    std::erase_if(timeline_.plots, [](const Plot& plot) { return plot.points.empty(); });
  }

  /// Of a run with hundreds of processors mostly a few are left.
  void drop_empty_tracks() {
    std::vector<bool> is_used;
    for (const Track& track : timeline_.tracks) is_used.push_back(track.zone_count > 0);
    for (const Message& message : timeline_.messages) {
      if (message.track != kNone) is_used[message.track] = true;
    }
    std::vector<std::uint32_t> number(timeline_.tracks.size(), kNone);
    std::vector<Track> tracks;
    for (std::size_t i = 0; i < number.size(); ++i) {
      if (!is_used[i]) continue;
      number[i] = static_cast<std::uint32_t>(tracks.size());
      tracks.push_back(timeline_.tracks[i]);
    }
    for (Message& message : timeline_.messages) {
      if (message.track != kNone) message.track = number[message.track];
    }
    timeline_.tracks = std::move(tracks);
  }

  /// The value that holds at the beginning stays.
  void cut_plot(Plot& plot) const {
    std::vector<PlotPoint> points;
    for (std::size_t i = 0; i < plot.points.size(); ++i) {
      const bool is_last = i + 1 == plot.points.size();
      const std::int64_t until =
          is_last ? std::max(plot.points[i].time_ns, whole_until_ns_) : plot.points[i + 1].time_ns;
      if (overlaps(plot.points[i].time_ns, until)) points.push_back(plot.points[i]);
    }
    if (!points.empty() && from_ns_ && points.front().time_ns < *from_ns_) points.front().time_ns = *from_ns_;
    plot.points = std::move(points);
  }

  const CutOptions& options_;
  std::optional<std::int64_t> from_ns_;
  std::optional<std::int64_t> to_ns_;
  std::int64_t whole_until_ns_;  ///< the last value of a plot holds up to there
  Timeline& timeline_;
};

}  // namespace

void cut(const CutOptions& options, Timeline& timeline) {
  if (options.is_asked()) Cutter(options, timeline).run();
}

namespace {

class Joiner {
 public:
  Joiner(Timeline& more, std::int64_t shift_ns, Timeline& into)
      : more_(more), shift_ns_(shift_ns), into_(into) {
    for (TextId text = 0; text < more.texts.size(); ++text)
      texts_.push_back(into.texts.intern(more.text(text)));
  }

  std::size_t run() {
    const std::size_t zones = into_.zones.size();
    const auto first_group = static_cast<std::uint32_t>(into_.groups.size());
    const auto first_track = static_cast<std::uint32_t>(into_.tracks.size());
    for (TrackGroup group : more_.groups) {
      group.name = texts_[group.name];
      if (group.parent != kNone) group.parent += first_group;
      into_.groups.push_back(group);
    }
    for (Track track : more_.tracks) {
      track.name = texts_[track.name];
      track.group += first_group;
      track.first_zone += zones;
      into_.tracks.push_back(track);
    }
    add_zones();
    for (Message message : more_.messages) {
      message.text = texts_[message.text];
      message.time_ns += shift_ns_;
      if (message.track != kNone) message.track += first_track;
      into_.messages.push_back(message);
    }
    std::stable_sort(into_.messages.begin(), into_.messages.end(),
                     [](const Message& a, const Message& b) { return a.time_ns < b.time_ns; });
    for (Plot& plot : more_.plots) {
      plot.name = texts_[plot.name];
      if (plot.group != kNone) plot.group += first_group;
      for (PlotPoint& point : plot.points) point.time_ns += shift_ns_;
      into_.plots.push_back(std::move(plot));
    }
    for (const Link& link : more_.links)
      into_.links.push_back({link.from_zone + zones, link.to_zone + zones});
    report_cut();
    return zones;
  }

 private:
  void add_zones() {
    const auto first_place = static_cast<std::uint32_t>(into_.locations.size());
    const auto first_detail = static_cast<std::uint32_t>(into_.details.size());
    for (Location place : more_.locations) {
      place.name = texts_[place.name];
      place.function = texts_[place.function];
      place.file = texts_[place.file];
      into_.locations.push_back(place);
    }
    for (ZoneDetail detail : more_.details) {
      detail.text = texts_[detail.text];
      detail.name = texts_[detail.name];
      into_.details.push_back(detail);
    }
    const Zones& from = more_.zones;
    Zones& to = into_.zones;
    for (const std::int64_t start : from.start_ns) to.start_ns.push_back(start + shift_ns_);
    for (const std::int64_t end : from.end_ns) to.end_ns.push_back(end + shift_ns_);
    for (const std::uint32_t place : from.location) to.location.push_back(place + first_place);
    for (const std::uint32_t detail : from.detail)
      to.detail.push_back(detail == 0 ? 0 : detail + first_detail);
    to.depth.insert(to.depth.end(), from.depth.begin(), from.depth.end());
  }

  void report_cut() {
    const auto move_all = [](auto& from, auto& to) {
      to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
    };
    move_all(more_.sources, into_.sources);
    move_all(more_.alignments, into_.alignments);
    move_all(more_.findings, into_.findings);
    into_.problems.merge(more_.problems);
    into_.last_ns = std::max(into_.last_ns, more_.last_ns + shift_ns_);
  }

  Timeline& more_;
  std::int64_t shift_ns_;
  Timeline& into_;
  std::vector<TextId> texts_;
};

}  // namespace

std::size_t append_timeline(Timeline more, std::int64_t shift_ns, Timeline& into) {
  if (into.groups.empty() && into.sources.empty() && into.texts.size() <= 1 && shift_ns == 0) {
    into = std::move(more);
    return 0;
  }
  return Joiner(more, shift_ns, into).run();
}

}  // namespace ttscope::timeline
