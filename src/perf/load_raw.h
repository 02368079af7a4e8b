#pragma once

#include <string>

#include "base/result.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// Saved buffers of the device profiler, read and judged. `path` is the document; the words lie beside it.
Result<RawRun> load_raw(const std::string& path);

}  // namespace ttscope::perf
