#pragma once

#include "perf/analyse/clock/run_clock.h"

namespace ttscope::perf {

/// Finds the ops that a device ran like the others, but that the report has no row of: lost markers, or a
/// recording that began late. Each stands where the devices that have it ran it, between the ops around it.
/// Derived; an op that never ran on all of these devices together is no loss but another program. Compute
/// ops only where `groups` are programs and there is room for them.
void find_absent_ops(const ClockInput& input, RunClock& clock);

}  // namespace ttscope::perf
