#pragma once

#include "base/result.h"
#include "perf/model/ops_report.h"
#include "perf/read/files/report_source.h"

namespace ttscope::perf {

/// A table of tt-perf-report 1.x or of `ttscope perf --csv`, which people keep instead of the report that it
/// was made of. Adds its rows to `table` as far as it tells them: times, gaps, cores, types, the place of the
/// first input, sizes of matmuls. The architecture and where the operands of matmuls lie follow from its DRAM
/// figures, and it is said so. OpsReport::remarks says what it cannot tell.
Result<void> read_table_csv(const ReportSource& source, OpsReport& table);

}  // namespace ttscope::perf
