#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "timeline/analyse/profile.h"

namespace ttscope::timeline {

/// Reads a capture of the Tracy profiler, plain or compressed, or recordings of one run: files, and folders
/// of them. Files of other kinds are joined with it in app/timeline.h.
Result<Timeline> load_timeline(const std::vector<std::string>& paths);
/// The same with what it means.
Result<Profile> load(const std::vector<std::string>& paths);
/// Makes a profile of a timeline.
Profile profile_of(std::string name, Timeline timeline);

}  // namespace ttscope::timeline
