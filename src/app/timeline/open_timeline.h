#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "timeline/analyse/cut.h"
#include "timeline/analyse/profile.h"

namespace ttscope::app {

struct TimelineOptions {
  unsigned threads = 1;
  timeline::CutOptions cut{};
};

/// Brings files of one run onto one axis: a capture of Tracy, and folders or files of the device profiler.
/// The host's zones are those of the capture, where there is one (also beside the profiler's files), else
/// those of tracy_ops_times.csv. Which sources are on the axis and by what is in Timeline::alignments.
Result<timeline::Profile> open_timeline(const std::vector<std::string>& paths,
                                        const TimelineOptions& options);

}  // namespace ttscope::app
