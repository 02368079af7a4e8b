#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// The table of ops that tt-perf-report writes with --csv, and `ttscope perf --csv` in the same form.
bool is_table_csv(const io::Beginning& beginning);
/// Its stacked report: sums of ops, which cannot be read again.
bool is_stacked_csv(const io::Beginning& beginning);

}  // namespace ttscope::perf
