#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// Saved buffers of the device profiler: the document beside the raw words.
bool is_raw_run(const io::Beginning& beginning);

}  // namespace ttscope::perf
