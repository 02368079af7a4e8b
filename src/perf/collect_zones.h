#pragma once

#include "perf/analyse/capture.h"

namespace ttscope::perf {

/// Fills in the zones of a capture by a second pass over its device log; nothing without one.
void collect_zones(unsigned threads, Capture& capture);

}  // namespace ttscope::perf
