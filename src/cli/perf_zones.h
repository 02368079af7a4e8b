#pragma once

#include "cli/perf_capture.h"

namespace ttscope::cli {

/// Fills in the zones of a capture by a second pass over its device log; nothing without one.
void read_zones(unsigned threads, PerfCapture& capture);

}  // namespace ttscope::cli
