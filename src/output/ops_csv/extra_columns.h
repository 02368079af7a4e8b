#pragma once

#include "analysis/ops_report/ops_report.h"
#include "analysis/perf_counters/perf_counters.h"
#include "output/ops_csv/ops_csv.h"

namespace ttscope::output {

/// The counter metrics as cells of the report's executions, which are found by their keys. Compat: `nan`
/// where the reference writes it.
ExtraColumns counter_columns(const analysis::CounterFigures& figures, const DeviceProfile& log,
                             const analysis::OpsReport& report, bool compat);

}  // namespace ttscope::output
