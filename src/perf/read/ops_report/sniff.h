#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// A finished ops report of any version: ops_perf_results*.csv.
bool is_ops_report(const io::Beginning& beginning);
/// The table that tt-perf-report makes of one, which is not an input of ours.
bool is_perf_report_table(const io::Beginning& beginning);

}  // namespace ttscope::perf
