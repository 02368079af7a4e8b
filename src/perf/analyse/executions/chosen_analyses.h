#pragma once

#include <string>
#include <vector>

#include "perf/analyse/executions/report_rows.h"

namespace ttscope::perf {

/// The names of analyses of the device log that columns of an ops report come from: `device_kernel_duration`.
const std::vector<std::string>& report_analyses();

/// Empties the columns of all other analyses in rows that were measured by a device log. Numbers of cores,
/// devices and ops stay. Names that are not analyses have no effect.
void keep_analyses(const std::vector<std::string>& names, ReportRows& report);

}  // namespace ttscope::perf
