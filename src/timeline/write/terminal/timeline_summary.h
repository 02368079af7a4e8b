#pragma once

#include <string>

#include "report/text_layout.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// The statistics of zones for a terminal, then messages, plots, and how far to trust them.
/// report::TextOptions::top limits the rows of each list; 0 shows all.
std::string timeline_summary_text(const Profile& profile, const report::TextOptions& options);

}  // namespace ttscope::timeline
