#pragma once

#include <string_view>

#include "perf/model/host_ops.h"

namespace ttscope::perf {

/// Reads the text of tracy_ops_times.csv: the host zone of each op of `capture`, and the time in zones below
/// it.
void read_host_zones(std::string_view text, HostCapture& capture);

}  // namespace ttscope::perf
