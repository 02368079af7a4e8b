#pragma once

#include "diff/compared_run.h"
#include "graph/analyze/profile.h"

namespace ttscope::graph {

/// Captures as one side of a comparison: all buffers of DRAM (or L1) in the order in which they are seen.
/// What one costs is what it takes at the highest sum over all captures: 0 for what is not live then.
/// Together they are that peak.
diff::ComparedRun diff_run_of(const Profile& profile, bool in_dram);

}  // namespace ttscope::graph
