#pragma once

#include <string_view>

#include "perf/model/device_sync.h"
#include "perf/model/perf_problems.h"

namespace ttscope::perf {

/// Reads the text of sync_device_info.csv: rows of exchanges, and how the clocks of other devices become that
/// of the one before them. Rows that cannot be read are left out.
SyncInfo read_sync_info(std::string_view text, PerfProblems& problems);

}  // namespace ttscope::perf
