#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// A finished ops report of any version: ops_perf_results*.csv.
bool is_ops_report(const io::Beginning& beginning);

}  // namespace ttscope::perf
