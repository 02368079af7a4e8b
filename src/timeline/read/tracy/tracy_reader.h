#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Reads the bytes of a .tracy file of the versions 0.10 to 0.14: zones and messages of threads, zones of
/// devices, frames, plots, and what was allocated, as curves. A file that is cut or damaged is read as far as
/// it goes, which a warning says; an error where it is none, or of another version. `name` is what messages
/// call it.
Result<Timeline> read_tracy(std::string_view file, const std::string& name);

}  // namespace ttscope::timeline
