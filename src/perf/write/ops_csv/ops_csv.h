#pragma once

#include <vector>

#include "base/writer.h"
#include "perf/analyse/executions/capture_rows.h"

namespace ttscope::perf {

/// Writes ops_perf_results.csv: the columns of the reference in its order, lines that end in CRLF, `;` for
/// `,` in cells.
void write_ops_csv(const std::vector<CaptureRows>& parts, const ReportForm& options, Writer& out);

}  // namespace ttscope::perf
