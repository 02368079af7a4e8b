#pragma once

#include <cstdint>

#include "perf/model/zone_markers.h"

namespace ttscope::perf {

/// A start with its end.
struct PairedZone {
  std::uint32_t zone = 0;
  std::uint32_t execution = kNone;
  std::uint64_t cycles = 0;
  std::uint64_t self_cycles = 0;  ///< without those of the zones directly inside it
  std::uint64_t start_cycle = 0;
};

/// What pairing finds, in the order in which zones end.
class ZoneSink {
 public:
  virtual ~ZoneSink() = default;
  virtual void take_zone(const PairedZone& zone) = 0;
  /// Cycles of zones that are inside of no other one with both of its ends.
  virtual void take_roots(std::uint64_t cycles) = 0;
  virtual void take_unmatched(const ZoneMarker& marker) = 0;
};

/// Pairs starts and ends of one processor in order of time, as scopes nest: an end closes the last open start
/// of its name and execution, and what is still open inside of that has lost its end. Puts the markers in
/// order and their times beyond the end of the timer.
void pair_zones(ZoneGroup& group, const ZoneCatalog& catalog, ZoneSink& sink);

}  // namespace ttscope::perf
