#pragma once

#include <string_view>

#include "base/writer.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// Writes the document `ttscope.timeline/1` (docs/formats/timeline_json.md): statistics, tracks, messages and
/// plots. Single zones are in the tables and in the other forms of a timeline.
void write_timeline_json(const Profile& profile, std::string_view tool_version, Writer& out);

}  // namespace ttscope::timeline
