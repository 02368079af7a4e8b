#pragma once

#include "base/writer.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// The statistics as markdown, at most 200 rows of each list.
void write_timeline_markdown(const Profile& profile, Writer& out);

}  // namespace ttscope::timeline
