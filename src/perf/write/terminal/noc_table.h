#pragma once

#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/model/noc_summary.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// Transfers and bytes of each op, most bytes first, and by their types; nothing for none. `tag`: how they
/// came about.
void write_noc_table(const std::vector<const NocSummary*>& traces, std::string_view tag,
                     const PerfTableOptions& options, Writer& out);

}  // namespace ttscope::perf
