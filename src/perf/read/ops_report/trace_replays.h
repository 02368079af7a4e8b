#pragma once

#include "perf/model/ops_report.h"

namespace ttscope::perf {

/// A report of whole replays alone (`--device-trace-profiler`), whose writer booked each replay on one of the
/// ops that the host had sent, in their order: all take the same time on the same cores, and no RISC has a
/// time of its own. Such rows become replays, which is said in a remark. Reports of other kinds stay.
void name_misbooked_replays(OpsReport& report);

}  // namespace ttscope::perf
