#pragma once

#include <vector>

#include "diff/compared_run.h"
#include "perf/analyze/profile.h"

namespace ttscope::perf {

/// The window of a report as one side of a comparison: its ops in the order in which the devices ran them.
/// What they cost is device time in µs.
diff::ComparedRun diff_run_of(const Profile& profile);

/// Each replay of the window as a run of its own, without those that lack ops; the whole window where it
/// holds no repeats. Empty: it holds repeats of another kind, and cannot be taken apart.
std::vector<diff::ComparedRun> diff_replays_of(const Profile& profile);

}  // namespace ttscope::perf
