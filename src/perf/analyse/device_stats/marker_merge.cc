#include "perf/analyse/device_stats/marker_merge.h"

#include <algorithm>

#include "perf/model/device_timer.h"

namespace ttscope::perf {

LogMarker MarkerSource::read(std::uint64_t at) const {
  LogMarker marker = rows.read(at);
  if (names != nullptr) {
    const auto found = names->find(at);
    if (found != names->end()) marker.zone = found->second;
  }
  return marker;
}

std::uint64_t MarkerSource::continued(std::uint64_t cycle) const {
  return device.wrapped && rules->continues_timers && cycle < kTimerSpan / 2 ? cycle + kTimerSpan : cycle;
}

MarkerMerge::MarkerMerge(const MarkerSource& source, const std::vector<std::uint32_t>& lanes)
    : source_(source) {
  for (const std::uint32_t lane : lanes) {
    Strand strand;
    strand.lane = lane;
    start(strand);
  }
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

MarkerMerge::MarkerMerge(const MarkerSource& source, const ExtentPlace* first, const ExtentPlace* last)
    : source_(source) {
  while (first != last) {
    const ExtentPlace* end = first;
    while (end != last && end->lane == first->lane) ++end;
    Strand strand;
    strand.lane = first->lane;
    strand.extent = first->extent;
    strand.next = first + 1;
    strand.last = end;
    start(strand);
    first = end;
  }
  std::make_heap(heap_.begin(), heap_.end(), is_later);
}

void MarkerMerge::start(Strand strand) {
  const MarkerExtent& extent = source_.device.lanes[strand.lane].extents[strand.extent];
  strand.at = extent.at;
  strand.cycle = source_.continued(extent.first_cycle);
  heap_.push_back(strand);
}

bool MarkerMerge::advance(Strand& strand) const {
  const std::vector<MarkerExtent>& extents = source_.device.lanes[strand.lane].extents;
  if (++strand.row < extents[strand.extent].rows) {
    strand.at = source_.rows.after(strand.at);
    strand.cycle = source_.cycle_at(strand.at);
    return true;
  }
  if (strand.next == nullptr) {
    if (++strand.extent == extents.size()) return false;
  } else {
    if (strand.next == strand.last) return false;
    strand.extent = (strand.next++)->extent;
  }
  strand.row = 0;
  strand.at = extents[strand.extent].at;
  strand.cycle = source_.continued(extents[strand.extent].first_cycle);
  return true;
}

bool MarkerMerge::next(TimedMarker& marker) {
  if (heap_.empty()) return false;
  std::pop_heap(heap_.begin(), heap_.end(), is_later);
  Strand& strand = heap_.back();
  const MarkerLane& lane = source_.device.lanes[strand.lane];
  marker = {strand.at, strand.cycle, lane.processor, lane.extents[strand.extent].op};
  if (advance(strand)) {
    std::push_heap(heap_.begin(), heap_.end(), is_later);
  } else {
    heap_.pop_back();
  }
  return true;
}

std::vector<std::uint32_t> lanes_of_core(const DeviceMarkers& device, std::uint32_t core) {
  const auto core_of = [&](const MarkerLane& lane) { return device.processors[lane.processor].core; };
  const auto first = std::partition_point(device.lanes.begin(), device.lanes.end(),
                                          [&](const MarkerLane& lane) { return core_of(lane) < core; });
  std::vector<std::uint32_t> lanes;
  for (auto lane = first; lane != device.lanes.end() && core_of(*lane) == core; ++lane) {
    lanes.push_back(static_cast<std::uint32_t>(lane - device.lanes.begin()));
  }
  return lanes;
}

std::map<std::string_view, std::vector<std::uint32_t>> lanes_by_risc(const DeviceMarkers& device) {
  std::map<std::string_view, std::vector<std::uint32_t>> lanes;
  for (std::size_t i = 0; i < device.lanes.size(); ++i) {
    lanes[device.processors[device.lanes[i].processor].risc].push_back(static_cast<std::uint32_t>(i));
  }
  return lanes;
}

std::vector<std::uint32_t> all_lanes(const DeviceMarkers& device) {
  std::vector<std::uint32_t> lanes(device.lanes.size());
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = static_cast<std::uint32_t>(i);
  return lanes;
}

}  // namespace ttscope::perf
