#pragma once

#include <cstdint>
#include <vector>

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// By row of the report: the device waited before it while the host made programs, of this op or, where each
/// device has programs of its own, of ops that it sent to other devices in between. `window`: its rows, those
/// of each device in the order in which they ran. Derived; the gap before the first op lies before the
/// window.
std::vector<bool> find_compile_gaps(const OpsReport& table, const std::vector<bool>& first_runs,
                                    const std::vector<std::uint32_t>& window);

}  // namespace ttscope::perf
