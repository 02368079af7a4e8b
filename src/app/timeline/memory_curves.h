#pragma once

#include <string>

#include "base/result.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// Adds the memory of a runtime log as curves, one for each memory that it tells of: on the axis by ops that
/// the log and the timeline both name, else by the time of day. Which of them and how well is in
/// Timeline::alignments. A log that has neither is left out with a warning; alone it is an error.
Result<void> add_memory_curves(const std::string& path, unsigned threads, timeline::Timeline& timeline);

}  // namespace ttscope::app
