#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// What of a timeline is wanted; all that is not said stays.
struct CutOptions {
  std::optional<std::int64_t> from_ns;  ///< what ends before is left out
  std::optional<std::int64_t> to_ns;    ///< what begins behind is left out
  std::optional<std::uint64_t> op;  ///< zones of this op and what lies in them, messages and plots meanwhile
  std::optional<std::pair<std::uint16_t, std::uint16_t>>
      core;  ///< of the lanes of devices, those of this core

  bool is_asked() const { return from_ns || to_ns || op || core; }
};

/// Leaves out the rest. Zones stay whole, also where a border goes through them.
void cut(const CutOptions& options, Timeline& timeline);

/// Puts what another source tells behind what is there, all of its times moved by `shift_ns`. Returns by how
/// much the numbers of its zones grew. Messages are in order of time again; the span is not found anew.
std::size_t append_timeline(Timeline more, std::int64_t shift_ns, Timeline& into);

}  // namespace ttscope::timeline
