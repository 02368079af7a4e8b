#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyze/op_groups.h"
#include "perf/analyze/profile.h"
#include "perf/analyze/shown_ops.h"
#include "perf/model/ops_report.h"

// What tt-perf-report 1.2.4 makes of an ops report, byte for byte and with its errors. Where ours differs,
// the comments say how theirs is. The next version of it is another table of this module.

namespace ttscope::perf::compat {

/// The table of a report. Never an error: a signpost that is not there is a note.
ShownOps find_shown_ops(const OpsReport& table, const ShownOptions& options);

/// Everything that is said about an ops report, about that table.
OpAnalysis analyze_ops(const OpsReport& table, const ShownOptions& options);

/// Entries by device time, the largest first. Percentages are of the device time of all entries.
std::vector<StackEntry> stack_ops(const OpsReport& table, const ShownOps& ops, const StackOptions& options);

/// The category of an op by the names that tt-perf-report knows, without collectives.
OpCategory category_of(std::string_view op_name);

/// Sorts rows by HOST START TS as its library does: by a quicksort that leaves rows of equal times in an
/// order of its own, the same each time. Rows without a time come last, in their order.
void sort_by_host_time(const OpsReport& table, std::vector<std::uint32_t>& rows);

}  // namespace ttscope::perf::compat
