#pragma once

#include <vector>

#include "base/writer.h"
#include "perf/analyze/report_rows.h"
#include "perf/model/capture_files.h"

namespace ttscope::perf {

/// Writes ops_perf_results.csv: the columns of the reference in its order, lines that end in CRLF, `;` for
/// `,` in cells.
void write_ops_csv(const std::vector<CaptureRows>& parts, const ReportForm& options, Writer& out);

/// noc_summary.csv: a row for each execution, in it for all, for each type of transfer and for each sender.
void write_noc_summary(const std::vector<NocSummary>& summaries, Writer& out);

}  // namespace ttscope::perf
