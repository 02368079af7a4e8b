#pragma once

#include "io/beginning.h"

namespace ttscope::perf {

/// cpp_device_perf_report.csv: the runtime's own report.
bool is_cpp_report(const io::Beginning& beginning);
/// tracy_ops_times.csv: zones of the host.
bool is_host_times(const io::Beginning& beginning);
/// tracy_ops_data.csv: messages of the host.
bool is_host_messages(const io::Beginning& beginning);

}  // namespace ttscope::perf
