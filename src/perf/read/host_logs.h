#pragma once

#include <string_view>

#include "perf/model/capture_files.h"
#include "perf/model/reference_rules.h"

namespace ttscope::perf {

/// Reads the text of tracy_ops_data.csv: ops, traces and signposts go to `capture`. Messages that cannot be
/// read are counted; what their first line says is used.
void read_host_messages(std::string_view text, HostCapture& capture, const Rules& rules = own_rules());

/// Reads the text of tracy_ops_times.csv: the host zone of each op of `capture`, and the time in zones below
/// it.
void read_host_zones(std::string_view text, HostCapture& capture);

}  // namespace ttscope::perf
