#pragma once

#include "input/device_log/log_part.h"
#include "model/device_profile.h"

namespace ttscope::input {

/// Makes executions and their runs from what was collected: device by device in order of time, runs ordered
/// by core, times unwrapped.
void build_profile(LogPart& part, TimerOrder order, unsigned threads, DeviceProfile& profile);

}  // namespace ttscope::input
