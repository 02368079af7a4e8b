#pragma once

#include "perf/model/device_profile.h"
#include "perf/read/device_log/log_part.h"

namespace ttscope::perf {

/// Makes executions and their runs from what was collected: device by device in order of time, runs ordered
/// by core, times unwrapped.
void build_profile(LogPart& part, TimerOrder order, unsigned threads, DeviceProfile& profile);

}  // namespace ttscope::perf
