#pragma once

#include "perf/analyse/executions/device_data.h"

namespace ttscope::perf {

/// Adds what the dispatch cores took for each program: from the first dispatch command to the last one, and
/// the go signal. Dispatch cores name programs by their whole id or by its low 16 bits, depending on the
/// runtime; both are found.
void add_dispatch_times(const DeviceProfile& log, const DeviceClocks& clocks,
                        std::vector<Execution>& executions, PerfProblems& problems);

}  // namespace ttscope::perf
