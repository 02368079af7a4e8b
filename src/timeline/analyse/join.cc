#include "timeline/analyse/join.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ttscope::timeline {
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
    add_words();
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

  void add_words() {
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
