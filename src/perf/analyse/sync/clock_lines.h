#pragma once

#include "perf/model/device_sync.h"

namespace ttscope::perf {

/// The clock of each device that was synchronised, all against the one host. The line is the least squares of
/// the samples; with fewer than two the runtime's own frequency through the one.
DeviceClockLines clock_lines(const SyncInfo& info);

}  // namespace ttscope::perf
