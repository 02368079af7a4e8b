#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/problem_counts.h"

namespace ttscope::timeline {

/// What can be wrong with single records.
enum class TimelineProblem : std::uint8_t {
  kZoneWithoutEnd,         ///< never closed, or the file is cut inside of it
  kZoneOfChildWithoutEnd,  ///< the same in a process that another one of the run began
  kZoneOutside,            ///< does not lie inside of the zone around it
  kUnknownText,
  kUnknownLocation,
  kUnknownThread,    ///< a message whose thread is not there
  kRowUnreadable,    ///< of a table
  kMarkerUnmatched,  ///< a start without an end on a device, or the other way round
  kWithoutClock,     ///< zones of a device whose clock is not known
  kFreeUnknown,      ///< memory is freed that was not allocated before
  kCount,
};
inline constexpr std::size_t kTimelineProblemCount = static_cast<std::size_t>(TimelineProblem::kCount);

const ProblemInfo& info_of(TimelineProblem problem);

using TimelineProblems = ProblemCounts<TimelineProblem, kTimelineProblemCount, std::string>;

}  // namespace ttscope::timeline
