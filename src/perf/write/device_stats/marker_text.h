#pragma once

#include <cstdint>
#include <string>

#include "perf/analyse/device_stats/marker_merge.h"

namespace ttscope::perf {

/// What a marker says beside its zone, time and data, depending on the list that it stands in.
struct MarkerPlaceText {
  bool risc = false;
  bool core = false;
};

/// Writes markers as Python prints the tuples of the reference. Texts are valid until the next call.
class MarkerTexts {
 public:
  explicit MarkerTexts(const MarkerSource& source) : source_(source) {}

  /// `({'id': 61457, 'zone_name': 'BRISC-FW', ...}, 11017522886706, 0, 'BRISC', (1, 1))`
  const std::string& tuple(const TimedMarker& marker, MarkerPlaceText place);
  /// `({'id': 61457, ...}, {'id': 63326, ...})`
  const std::string& pair(const TimedMarker& start, const TimedMarker& end);
  /// `({'id': 61457, ...}, 11017522886706)`
  const std::string& moment(const TimedMarker& marker);

 private:
  void append_identity(const LogMarker& marker);

  const MarkerSource& source_;
  std::string text_;
};

/// `(1, 2)`
std::string core_text(std::uint16_t x, std::uint16_t y);

}  // namespace ttscope::perf
