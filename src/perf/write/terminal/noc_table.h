#pragma once

#include <vector>

#include "base/writer.h"
#include "perf/model/noc_summary.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// Transfers and bytes of each op, most bytes first, and by their types; nothing for none.
void write_noc_table(const std::vector<const NocSummary*>& traces, const PerfTableOptions& options,
                     Writer& out);

}  // namespace ttscope::perf
