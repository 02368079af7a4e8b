#pragma once

#include <string_view>
#include <vector>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// Reads the text of cpp_device_perf_report.csv, the runtime's own figures, one execution a row, in the order
/// of the file. Of rows with the same key the last one counts, at the place of the first.
std::vector<Execution> read_cpp_report(std::string_view text, PerfProblems& problems);

}  // namespace ttscope::perf
