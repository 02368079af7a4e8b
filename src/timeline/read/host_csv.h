#pragma once

#include <cstdint>
#include <string_view>

#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Adds the zones of tracy_ops_times.csv, which csvexport made of a capture, to a group: a track for each
/// thread. The table has no nesting: a zone lies in the one whose time is around its own.
void add_host_times(std::string_view csv, std::uint32_t group, Timeline& timeline);

/// Adds the messages of tracy_ops_data.csv.
void add_host_messages(std::string_view csv, Timeline& timeline);

}  // namespace ttscope::timeline
