#include "timeline/write/tracy/tracy_limits.h"

#include <fmt/format.h>

namespace ttscope::timeline {
namespace {

constexpr std::int64_t kTimeEnd = std::int64_t{1} << 47;
constexpr std::size_t kMostTexts = (std::size_t{1} << 24) - 2;

}  // namespace

std::int64_t tracy_shift_ns(const Timeline& timeline) {
  return timeline.first_ns < 0 || timeline.last_ns >= kTimeEnd ? -timeline.first_ns : 0;
}

Result<void> check_tracy_limits(const Timeline& timeline) {
  if (timeline.last_ns + tracy_shift_ns(timeline) >= kTimeEnd) {
    return failure(bad_input(fmt::format(
        "a .tracy file holds 39 hours, this timeline has {:.0f}; a part of it (--from, --to) would fit",
        static_cast<double>(timeline.last_ns - timeline.first_ns) / 3.6e12)));
  }
  if (timeline.locations.size() > kMostTracyPlaces) {
    return failure(bad_input(fmt::format(
        "a .tracy file names {} places of the source, this timeline has {}; other forms have no such limit",
        kMostTracyPlaces, timeline.locations.size())));
  }
  if (timeline.texts.size() > kMostTexts) {
    return failure(bad_input(fmt::format("a .tracy file holds {} texts, this timeline has {}", kMostTexts,
                                         timeline.texts.size())));
  }
  return {};
}

}  // namespace ttscope::timeline
