#pragma once

#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/device_stats/core_gaps.h"
#include "perf/analyse/device_stats/device_stats.h"
#include "perf/analyse/executions/device_data.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// device_stats.txt: a block for each analysis of each device. Compat: without a heading for each of several
/// devices.
std::string device_stats_text(const std::vector<DeviceStats>& stats, const Rules& rules);

/// per_core_op_to_op_times.csv. Compat: cycles less 1500 under the heading [ns], as the reference writes them
/// (its order of columns is random, ours is by core); otherwise nanoseconds.
void write_core_gaps(const DeviceProfile& log, const DeviceClocks& clocks, const Rules& rules, Writer& out);

}  // namespace ttscope::perf
