#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/writer.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// The built page with marks where the data go; web/pages/timeline, embedded by the build.
std::string_view timeline_page_template();

struct TimelinePageOptions {
  std::string name;
  std::string_view tool_version{};
  unsigned threads = 1;
};

/// More zones than this do not open in a browser.
inline constexpr std::size_t kMostPageZones = 20'000'000;

/// Writes the page of a timeline: one file, offline (docs/formats/timeline_page.md).
void write_timeline_page(const Profile& profile, const TimelinePageOptions& options, Writer& out);

}  // namespace ttscope::timeline
