#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/analyse/compare/report_diff.h"

namespace ttscope::perf {

/// How two files differ, and what could not be unpacked of them.
struct ComparedFiles {
  ReportDiff diff;
  std::vector<std::string> warnings;
};

/// Compares two ops reports (or the runtime's own ones) cell by cell, plain or compressed.
Result<ComparedFiles> compare_files(const std::string& path_a, const std::string& path_b,
                                    const ReportDiffOptions& options);

}  // namespace ttscope::perf
