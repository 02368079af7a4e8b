#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyse/executions/capture_rows.h"
#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// The report that captures make, as if it had been written (write_ops_csv) and read again (read_ops_report):
/// same rows, kinds, texts and problems, without the text between. Only OpRow::line stays 0, since there is
/// no file. Nothing found: no execution has a duration, so that a file of it would be no report.
Result<OpsReport> make_ops_report(const std::vector<CaptureRows>& parts, const ReportForm& form,
                                  const std::string& name);

}  // namespace ttscope::perf
