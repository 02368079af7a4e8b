#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// noc_trace_dev*.json: a list of events of the NoC.
bool is_noc_trace(const io::Beginning& beginning);

}  // namespace ttscope::perf
