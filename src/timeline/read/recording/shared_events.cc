#include "timeline/read/recording/shared_events.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace ttscope::timeline {
namespace {

using record::EventKind;

bool is_frame(EventKind kind) {
  return kind == EventKind::kFrame || kind == EventKind::kFrameBegin || kind == EventKind::kFrameEnd;
}

/// The frames of one name, whose marks are in order of time.
void add_frames(std::uint32_t name, const std::vector<SharedEvent>& marks, ProcessEvents& events) {
  Timeline& timeline = events.timeline;
  const std::uint32_t place = events.location_of(name);
  Track track;
  track.kind = TrackKind::kFrames;
  track.group = events.group;
  track.id = timeline.tracks.size();
  track.name = timeline.locations[place].name;
  track.first_zone = timeline.zones.size();
  bool is_open = false;
  for (const SharedEvent& mark : marks) {
    if (is_open) timeline.zones.end_ns.back() = mark.time_ns;
    is_open = mark.kind != EventKind::kFrameEnd;
    if (is_open) timeline.zones.open(mark.time_ns, place, 0, 0);
  }
  if (is_open) timeline.zones.end_ns.back() = std::max(events.last_ns, timeline.zones.start_ns.back());
  track.zone_count = timeline.zones.size() - track.first_zone;
  if (track.zone_count > 0) timeline.tracks.push_back(track);
}

/// Adds a point; of several at one time the last counts.
void add_point(std::int64_t time_ns, double value, Plot& plot) {
  if (!plot.points.empty() && plot.points.back().time_ns == time_ns) {
    plot.points.back().value = value;
  } else {
    plot.points.push_back({time_ns, value});
  }
}

/// What is allocated in a pool.
struct Pool {
  Plot plot;
  std::unordered_map<std::uint64_t, std::uint64_t> sizes;  ///< by address
  double used = 0;

  void take(const SharedEvent& event, TimelineProblems& problems) {
    if (event.kind == EventKind::kAlloc) {
      // An address that comes again was freed unseen.
      const auto [found, is_new] = sizes.try_emplace(event.first, event.second);
      if (!is_new) used -= static_cast<double>(std::exchange(found->second, event.second));
      used += static_cast<double>(event.second);
    } else {
      const auto found = sizes.find(event.first);
      if (found == sizes.end()) return problems.add(TimelineProblem::kFreeUnknown, "allocations");
      used -= static_cast<double>(found->second);
      sizes.erase(found);
    }
    add_point(event.time_ns, used, plot);
  }
};

}  // namespace

void add_shared_events(ProcessEvents& events) {
  Timeline& timeline = events.timeline;
  std::stable_sort(events.shared.begin(), events.shared.end(),
                   [](const SharedEvent& a, const SharedEvent& b) { return a.time_ns < b.time_ns; });
  std::map<std::uint32_t, std::vector<SharedEvent>> frames;
  std::map<std::uint32_t, Plot> curves;
  std::map<std::uint32_t, Pool> pools;
  for (const SharedEvent& event : events.shared) {
    if (is_frame(event.kind)) {
      frames[event.name].push_back(event);
    } else if (event.kind == EventKind::kPlot) {
      const auto value = std::bit_cast<double>(event.first);
      if (std::isfinite(value)) add_point(event.time_ns, value, curves[event.name]);
    } else {
      pools[event.name].take(event, timeline.problems);
    }
  }
  for (const auto& [name, marks] : frames) add_frames(name, marks, events);
  const auto add_plot = [&](std::uint32_t name, Plot plot) {
    plot.name = timeline.locations[events.location_of(name)].name;
    plot.group = events.group;
    if (!plot.points.empty()) timeline.plots.push_back(std::move(plot));
  };
  for (auto& [name, plot] : curves) {
    const auto unit = events.units.find(name);
    if (unit != events.units.end()) plot.unit = unit->second;
    add_plot(name, std::move(plot));
  }
  for (auto& [name, pool] : pools) {
    pool.plot.unit = PlotUnit::kBytes;
    pool.plot.made = true;
    add_plot(name, std::move(pool.plot));
  }
}

}  // namespace ttscope::timeline
