#pragma once

#include "base/result.h"
#include "perf/analyse/capture.h"
#include "perf/load.h"

namespace ttscope::perf {

/// Reads what files there are. Only files that cannot be opened or are none of the profiler's are errors.
Result<Capture> read_capture(const CaptureFiles& files, const CaptureOptions& options, OpenedTexts& texts);

}  // namespace ttscope::perf
