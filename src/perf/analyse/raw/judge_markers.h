#pragma once

#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// Finds out which markers of a run must not be believed and what was lost on the device: sets
/// RawMarker::suspicion and fills RawRun::findings. The rules follow what the firmware of tt-metal was seen
/// to do (docs/formats/raw_run.md lists them).
void judge_markers(RawRun& run);

}  // namespace ttscope::perf
