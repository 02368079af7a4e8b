#pragma once

#include <string>

#include "base/result.h"
#include "perf/model/raw_run.h"
#include "perf/model/read_out.h"

namespace ttscope::perf {

/// Saved buffers of the device profiler, read and judged. `path` is the document; the words lie beside it.
Result<RawRun> load_raw(const std::string& path);

/// The markers of a run that are believed, as a host would keep them.
ReadOut read_out_of(const RawRun& run);

}  // namespace ttscope::perf
