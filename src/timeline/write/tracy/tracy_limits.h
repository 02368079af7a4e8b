#pragma once

#include <cstddef>
#include <cstdint>

#include "base/result.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Places of the source that a .tracy file can name.
inline constexpr std::size_t kMostTracyPlaces = 32767;

/// What must be added to all times: those of the file have 47 bits and no sign.
std::int64_t tracy_shift_ns(const Timeline& timeline);
/// An error where a .tracy file cannot hold the timeline.
Result<void> check_tracy_limits(const Timeline& timeline);

}  // namespace ttscope::timeline
