#pragma once

#include "perf/analyse/executions/perf_counters.h"
#include "perf/analyse/executions/report_rows.h"
#include "perf/write/ops_csv/ops_csv.h"

namespace ttscope::perf {

/// The counter metrics as cells of the report's executions, which are found by their keys. Compat: `nan`
/// where the reference writes it.
ExtraColumns counter_columns(const CounterFigures& figures, const DeviceProfile& log,
                             const ReportRows& report, bool compat);

}  // namespace ttscope::perf
