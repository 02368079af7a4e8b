#include "perf/analyse/zones/zone_pairing.h"

#include <algorithm>
#include <array>

#include "perf/model/device_timer.h"

namespace ttscope::perf {
namespace {

/// Deeper nesting does not fit into a processor's buffer; a limit keeps damaged logs from costing the square
/// of their rows.
constexpr std::size_t kMostDepth = 128;
constexpr std::size_t kMostTied = 16;

/// Each time is taken to be within half a turn of the one before it in the log.
void continue_times(std::vector<ZoneMarker>& markers) {
  if (markers.empty()) return;
  std::uint64_t least = UINT64_MAX;
  std::uint64_t last = markers.front().cycle + (kTimerSpan << 10);  // earlier ones may follow
  for (ZoneMarker& marker : markers) {
    last += static_cast<std::uint64_t>(timer_step(last, marker.cycle));
    marker.cycle = last;
    least = std::min(least, last);
  }
  const std::uint64_t base = least / kTimerSpan * kTimerSpan;
  for (ZoneMarker& marker : markers) marker.cycle -= base;
}

class Pairing {
 public:
  Pairing(const ZoneCatalog& catalog, ZoneSink& sink) : catalog_(catalog), sink_(sink) {}

  void run(const std::vector<ZoneMarker>& markers) {
    for (std::size_t i = 0; i < markers.size();) {
      std::size_t end = i + 1;
      while (end < markers.size() && markers[end].cycle == markers[i].cycle) ++end;
      if (end - i > 1 && end - i <= kMostTied) {
        take_tied(&markers[i], end - i);
      } else {
        for (std::size_t at = i; at < end; ++at) take(markers[at]);
      }
      i = end;
    }
    while (!open_.empty()) drop_last();
  }

 private:
  struct Open {
    ZoneMarker start;
    std::uint64_t inside_cycles = 0;  ///< of the zones directly inside
  };

  bool closes(const ZoneMarker& end, const ZoneMarker& start) const {
    if (end.is_start || catalog_.zones[end.zone].pair != catalog_.zones[start.zone].pair) return false;
    // The runtime gives the start of a dispatcher's zone the id of the program that it is about.
    return end.execution == start.execution || catalog_.zones[end.zone].kind == ZoneKind::kDispatch;
  }

  /// Markers of one moment stand in the order of their ids: what can be closed is closed first.
  void take_tied(const ZoneMarker* markers, std::size_t count) {
    std::array<bool, kMostTied> taken{};
    for (std::size_t n = 0; n < count; ++n) {
      std::size_t best = count;
      for (std::size_t i = 0; i < count; ++i) {
        if (taken[i]) continue;
        if (!open_.empty() && closes(markers[i], open_.back().start)) {
          best = i;
          break;
        }
        if (best == count || (markers[i].is_start && !markers[best].is_start)) best = i;
      }
      taken[best] = true;
      take(markers[best]);
    }
  }

  void take(const ZoneMarker& marker) {
    if (marker.is_start) {
      open_.push_back({marker, 0});
      return;
    }
    const std::size_t lowest = open_.size() > kMostDepth ? open_.size() - kMostDepth : 0;
    for (std::size_t at = open_.size(); at > lowest; --at) {
      if (!closes(marker, open_[at - 1].start)) continue;
      while (open_.size() > at) drop_last();
      close_last(marker.cycle);
      return;
    }
    sink_.take_unmatched(marker);
  }

  void close_last(std::uint64_t cycle) {
    const Open zone = open_.back();
    open_.pop_back();
    const std::uint64_t cycles = cycle - zone.start.cycle;
    sink_.take_zone(
        {zone.start.zone, zone.start.execution, cycles, cycles - zone.inside_cycles, zone.start.cycle});
    move_out(cycles);
  }

  /// A start without an end.
  void drop_last() {
    const Open zone = open_.back();
    open_.pop_back();
    sink_.take_unmatched(zone.start);
    move_out(zone.inside_cycles);
  }

  /// Cycles of paired zones are those of the next zone around them.
  void move_out(std::uint64_t cycles) {
    if (open_.empty()) {
      sink_.take_roots(cycles);
    } else {
      open_.back().inside_cycles += cycles;
    }
  }

  const ZoneCatalog& catalog_;
  ZoneSink& sink_;
  std::vector<Open> open_;
};

}  // namespace

void pair_zones(ZoneGroup& group, const ZoneCatalog& catalog, ZoneSink& sink) {
  std::vector<ZoneMarker>& markers = group.markers;
  if (group.wraps) continue_times(markers);
  const auto by_time = [](const ZoneMarker& a, const ZoneMarker& b) { return a.cycle < b.cycle; };
  if (!std::is_sorted(markers.begin(), markers.end(), by_time)) {
    std::stable_sort(markers.begin(), markers.end(), by_time);
  }
  Pairing(catalog, sink).run(markers);
}

}  // namespace ttscope::perf
