#pragma once

#include <cstdint>
#include <string>

#include "analysis/device_stats/marker_merge.h"

namespace ttscope::output {

/// What a marker says beside its zone, time and data, depending on the list that it stands in.
struct MarkerPlaceText {
  bool risc = false;
  bool core = false;
};

/// Writes markers as Python prints the tuples of the reference. Texts are valid until the next call.
class MarkerTexts {
 public:
  explicit MarkerTexts(const analysis::MarkerSource& source) : source_(source) {}

  /// `({'id': 61457, 'zone_name': 'BRISC-FW', ...}, 11017522886706, 0, 'BRISC', (1, 1))`
  const std::string& tuple(const analysis::TimedMarker& marker, MarkerPlaceText place);
  /// `({'id': 61457, ...}, {'id': 63326, ...})`
  const std::string& pair(const analysis::TimedMarker& start, const analysis::TimedMarker& end);
  /// `({'id': 61457, ...}, 11017522886706)`
  const std::string& moment(const analysis::TimedMarker& marker);

 private:
  void append_identity(const LogMarker& marker);

  const analysis::MarkerSource& source_;
  std::string text_;
};

/// `(1, 2)`
std::string core_text(std::uint16_t x, std::uint16_t y);

}  // namespace ttscope::output
