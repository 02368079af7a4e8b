#pragma once

#include <string_view>

#include "perf/model/capture_files.h"

namespace ttscope::perf {

/// Reads the text of tracy_ops_data.csv: ops, traces and signposts go to `capture`. Messages that cannot be
/// read are counted; what their first line says is used.
void read_host_messages(std::string_view text, HostCapture& capture);
/// The same by the reference, for which the first backtick in the text of a message ends it.
void read_host_messages_as_cells(std::string_view text, HostCapture& capture);

/// Reads the text of tracy_ops_times.csv: the host zone of each op of `capture`, and the time in zones below
/// it.
void read_host_zones(std::string_view text, HostCapture& capture);

}  // namespace ttscope::perf
