#pragma once

#include "base/result.h"
#include "perf/model/ops_report.h"
#include "perf/read/files/report_source.h"

namespace ttscope::perf {

/// Adds the rows of a finished report (`ops_perf_results*.csv`) of any version to `table`. Device ids of a
/// second file follow those of the first, so that each file is a host of one run. Bad rows and cells are
/// counted in the table; an error means that it is no ops report at all.
Result<void> read_ops_report(const ReportSource& source, OpsReport& table);

}  // namespace ttscope::perf
