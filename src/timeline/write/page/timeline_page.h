#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/writer.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// The built page with marks where the data go; web/pages/timeline, embedded by the build.
std::string_view timeline_page_template();

/// Pages above this take browsers too long.
inline constexpr std::size_t kMostPageBytes = 100'000'000;
/// More zones than this are not even tried.
inline constexpr std::size_t kMostPageZones = 40'000'000;
inline constexpr std::string_view kTooLargeAdvice =
    "write a part of it (--from, --to, --op, --core), or see all of it with `ttscope serve --timeline PATH`";

struct TimelinePageOptions {
  std::string name;
  std::string_view tool_version{};
  unsigned threads = 1;
  bool windows = false;  ///< without zones: the page asks the server for those that it shows
  std::size_t most_bytes = kMostPageBytes;
  unsigned refresh_s = 0;  ///< after which a browser gets the page anew: of a run that lasts; 0: never
};

/// Writes the page of a timeline: one file, offline (docs/formats/timeline_page.md). Nothing is written when
/// it would be too large.
Result<void> write_timeline_page(const Profile& profile, const TimelinePageOptions& options, Writer& out);

}  // namespace ttscope::timeline
