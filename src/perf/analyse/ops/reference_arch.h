#pragma once

#include <string>
#include <vector>

#include "perf/analyse/ops/op_peaks.h"

namespace ttscope::perf {

/// The architecture that tt-perf-report takes a report for, with what it says on the way: Wormhole where none
/// is recorded, and what the user gives only where the report has no column for it.
std::string reference_arch(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes);

}  // namespace ttscope::perf
