#pragma once

#include <vector>

#include "base/writer.h"
#include "perf/model/noc_summary.h"
#include "perf/write/ops_csv/ops_csv.h"

namespace ttscope::perf {

/// noc_summary.csv: a row for each execution, in it for all, for each type of transfer and for each sender.
void write_noc_summary(const std::vector<NocSummary>& summaries, Writer& out);

/// The columns that a report gets from them: transfers and bytes as recorded, and the utilisations that
/// tt-npe simulated.
ExtraColumns noc_columns(const std::vector<NocSummary>& summaries, const std::vector<NpeResult>& results,
                         const ReportRows& report);

}  // namespace ttscope::perf
