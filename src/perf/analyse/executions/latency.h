#pragma once

#include "perf/analyse/executions/report_rows.h"

namespace ttscope::perf {

/// Fills in the op-to-op latencies of the rows. Compat: in the order of the rows, as the reference does, with
/// 0 for what is not known. Otherwise in the order of each device's own time, from the end of the last kernel
/// that ran before; nothing for the first op of a device and for ops that overlap.
void add_latencies(ReportRows& report, const ReportRowsOptions& options);

}  // namespace ttscope::perf
