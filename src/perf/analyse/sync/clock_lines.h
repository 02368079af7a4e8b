#pragma once

#include "perf/model/device_sync.h"

namespace ttscope::perf {

/// The clock of each device that was synchronised, all against the one host. The line is the least squares of
/// the samples; with fewer than two the runtime's own frequency through the one.
DeviceClockLines clock_lines(const SyncInfo& info);

/// Whether the chips of a run were simulated. Exchanges tell it of their own run; where there were none it is
/// what a file says (`is_said`), which an earlier run may have left.
bool are_simulated(const DeviceClockLines& lines, bool is_said);

}  // namespace ttscope::perf
