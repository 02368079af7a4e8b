#pragma once

#include "diff/run.h"
#include "perf/analyse/profile.h"

namespace ttscope::perf {

/// The window of a report as one side of a comparison: its ops in the order in which the devices ran them.
/// What they cost is device time in µs.
diff::ComparedRun diff_run_of(const Profile& profile);

}  // namespace ttscope::perf
