#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "perf/model/log_marker.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// A marker on a time line.
struct TimedMarker {
  std::uint64_t at = 0;     ///< its place in the log
  std::uint64_t cycle = 0;  ///< continued where the timer began again from zero
  std::uint32_t processor = 0;
  std::uint32_t op = 0;
};

/// Names that zones of dispatch cores go by, by the places of their markers.
using ZoneNames = std::unordered_map<std::uint64_t, std::string_view>;

/// The rows of a device, as an analysis is to see them.
struct MarkerSource {
  const DeviceMarkers& device;
  const MarkerRows& rows;
  const Rules* rules = &own_rules();
  const ZoneNames* names = nullptr;  ///< null: those of the log

  LogMarker read(std::uint64_t at) const;
  std::uint64_t cycle_at(std::uint64_t at) const { return continued(rows.cycle_at(at)); }
  std::uint64_t continued(std::uint64_t cycle) const;
  std::string_view risc_of(const TimedMarker& marker) const {
    return device.processors[marker.processor].risc;
  }
};

/// An extent of a lane.
struct ExtentPlace {
  std::uint32_t lane = 0;
  std::uint32_t extent = 0;
};

/// The markers of several lanes in order of time; those of the same time in the order of the lanes. Keeps one
/// place for each lane, so it costs the logarithm of their number for each marker and no memory for the rest.
class MarkerMerge {
 public:
  /// All of these lanes, ascending.
  MarkerMerge(const MarkerSource& source, const std::vector<std::uint32_t>& lanes);
  /// These extents, ascending.
  MarkerMerge(const MarkerSource& source, const ExtentPlace* first, const ExtentPlace* last);

  /// False at the end.
  bool next(TimedMarker& marker);

 private:
  struct Strand {
    std::uint64_t cycle = 0;
    std::uint64_t at = 0;
    std::uint32_t lane = 0;
    std::uint32_t extent = 0;
    std::uint32_t row = 0;
    const ExtentPlace* next = nullptr;  ///< null: the extent that follows in the lane
    const ExtentPlace* last = nullptr;
  };
  static bool is_later(const Strand& a, const Strand& b) {
    return a.cycle != b.cycle ? a.cycle > b.cycle : a.lane > b.lane;
  }
  void start(Strand strand);
  bool advance(Strand& strand) const;

  const MarkerSource& source_;
  std::vector<Strand> heap_;
};

/// The lanes of a core, of each processor by its name, of the device.
std::vector<std::uint32_t> lanes_of_core(const DeviceMarkers& device, std::uint32_t core);
std::map<std::string_view, std::vector<std::uint32_t>> lanes_by_risc(const DeviceMarkers& device);
std::vector<std::uint32_t> all_lanes(const DeviceMarkers& device);

}  // namespace ttscope::perf
