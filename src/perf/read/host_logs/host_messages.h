#pragma once

#include <string_view>

#include "perf/model/host_ops.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// Reads the text of tracy_ops_data.csv: ops, traces and signposts go to `capture`. Messages that cannot be
/// read are counted; what their first line says is used.
void read_host_messages(std::string_view text, HostCapture& capture, const Rules& rules = own_rules());

}  // namespace ttscope::perf
