#pragma once

#include "perf/analyse/clock/run_clock.h"

namespace ttscope::perf {

/// Moves the ops of each device so that all are on one clock, and the first begins at 0.
void align_lanes(const ClockInput& input, RunClock& clock);

}  // namespace ttscope::perf
