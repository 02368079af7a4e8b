#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/perf_capture.h"
#include "cli/perf_report_files.h"

namespace ttscope::cli {

/// Writes the report, unless its text is empty, and the files beside it; their paths.
Result<std::vector<std::string>> write_perf_files(const std::vector<PerfCapture>& captures,
                                                  const PerfCaptureOptions& options, const PerfPlace& place,
                                                  const std::string& report);

/// Tables of the hardware counters.
std::string perf_counters_text(const std::vector<PerfCapture>& captures);

/// What was made, of what, and how far it can be trusted.
std::string perf_summary_text(const std::vector<PerfCapture>& captures, const PerfCaptureOptions& options,
                              const std::vector<std::string>& written);

}  // namespace ttscope::cli
